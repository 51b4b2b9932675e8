"""Learners against populations: their environment, what they learned as bots, and exploiters."""
