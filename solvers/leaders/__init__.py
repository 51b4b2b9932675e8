"""Leaders who commit in Markov games: search, bounds and learning flows."""
