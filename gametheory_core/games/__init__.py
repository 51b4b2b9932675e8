"""What games are."""
