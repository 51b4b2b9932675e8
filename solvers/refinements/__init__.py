"""Equilibria of trees that also make sense where play does not go."""
