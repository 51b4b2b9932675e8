"""Evaluation by a population in repeated rock-paper-scissors: :cite:`lanctot2023population`."""
