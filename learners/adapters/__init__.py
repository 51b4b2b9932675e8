"""Environments of other libraries as batches that learners learn from."""
