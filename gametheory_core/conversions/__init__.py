"""Passages between games, with maps of strategies both ways."""
