"""Equilibria of any number of players."""
