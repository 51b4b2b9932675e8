"""The command ``gametheory``: its verbs, and those that need games alone, one a file."""
