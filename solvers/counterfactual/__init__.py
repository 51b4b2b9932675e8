"""Play without regret in trees, and what deviations gain there."""
