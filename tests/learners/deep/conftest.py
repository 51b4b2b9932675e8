"""One thread, so that runs repeat bit for bit."""

import torch

torch.set_num_threads(1)
