"""Loops over arrays, compiled by numba; loaded when first needed."""
