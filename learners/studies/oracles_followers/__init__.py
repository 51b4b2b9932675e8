"""Oracles and followers: :cite:`gerstgrasser2023oracles`."""
