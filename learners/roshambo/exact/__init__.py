"""What can be earned from bots with finitely many states, with proofs."""
