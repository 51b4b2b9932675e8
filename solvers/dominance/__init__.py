"""Iterated dominance."""
