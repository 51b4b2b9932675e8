"""Learners: strategies by sampling, judged by the same certificates as the solvers."""
