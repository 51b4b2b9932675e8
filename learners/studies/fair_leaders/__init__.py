"""Fair leaders by mediators: :cite:`dodwadmath2025fair`."""
