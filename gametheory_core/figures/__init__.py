"""Pictures, drawn with matplotlib: each function takes a finished object and returns the axes."""
