"""Experiments: learners trained from a file, over many seeds, recorded, resumed and compared."""
