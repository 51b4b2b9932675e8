"""Markov games in which everybody sees the state: values, and induction over stage games."""
