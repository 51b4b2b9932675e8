from learners.adapters.gymnasium import from_gymnasium as from_gymnasium
from learners.adapters.pettingzoo import from_pettingzoo as from_pettingzoo
