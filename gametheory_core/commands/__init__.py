"""The commands of ``python -m gametheory_core``, one a file."""
