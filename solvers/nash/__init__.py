"""Nash equilibria."""
