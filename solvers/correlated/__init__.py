"""Correlated and coarse correlated equilibria."""
