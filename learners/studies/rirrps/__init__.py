"""The study of self-play schemes in RirRPS: D. Hernandez and others, 2019 and after."""
