"""Profiles and their other forms."""
