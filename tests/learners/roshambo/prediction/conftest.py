"""One thread, so that runs repeat bit for bit."""

from contextlib import suppress

with suppress(ModuleNotFoundError):  # without torch, the tests here are skipped
    import torch

    torch.set_num_threads(1)
