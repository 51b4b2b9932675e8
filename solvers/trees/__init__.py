"""Equilibria of trees."""
