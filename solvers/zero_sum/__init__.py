"""Zero-sum and constant-sum games: minimax strategies, and the most even ones."""
