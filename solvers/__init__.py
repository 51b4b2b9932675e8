"""Solvers: plain functions from a game to a certified solution."""
