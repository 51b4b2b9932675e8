"""Generators and laws for tests of games, ours and yours."""
