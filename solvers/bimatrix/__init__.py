"""Two players, general sum: one equilibrium, all of them, and how they hang together."""
