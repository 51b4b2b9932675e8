"""Populations of strategies: dynamics, meta-games and rankings."""
