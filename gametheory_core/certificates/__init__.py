"""Claims about profiles that anyone can check."""
