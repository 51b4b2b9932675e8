"""Known games, each with its source."""
