"""PettingZoo's game models: :cite:`terry2021pettingzoo`."""
