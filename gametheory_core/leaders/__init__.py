"""Leaders who commit in Markov games, and oracles that tell how followers respond."""
