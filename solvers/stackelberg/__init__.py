"""Commitment: strong and weak Stackelberg solutions."""
