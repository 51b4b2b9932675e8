"""Mediators that learn whom to let lead, and agents that learn to lead, by playing."""
