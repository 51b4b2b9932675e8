from gametheory_core.adapters.gymnasium import to_gymnasium as to_gymnasium
from gametheory_core.adapters.jax_environments import KeyDraws as KeyDraws
from gametheory_core.adapters.jax_environments import posg_from_jax as posg_from_jax
from gametheory_core.adapters.networkx import Replies as Replies
from gametheory_core.adapters.networkx import aec_state_graph as aec_state_graph
from gametheory_core.adapters.networkx import best_response_graph as best_response_graph
from gametheory_core.adapters.networkx import tree_graph as tree_graph
from gametheory_core.adapters.open_spiel import OpenSpielRules as OpenSpielRules
from gametheory_core.adapters.open_spiel import open_spiel_posg as open_spiel_posg
from gametheory_core.adapters.open_spiel import open_spiel_rules as open_spiel_rules
from gametheory_core.adapters.open_spiel import open_spiel_tree as open_spiel_tree
from gametheory_core.adapters.open_spiel import open_spiel_tree_rules as open_spiel_tree_rules
from gametheory_core.adapters.open_spiel_game import to_open_spiel as to_open_spiel
from gametheory_core.adapters.open_spiel_profiles import (
    policies_from_open_spiel as policies_from_open_spiel,
)
from gametheory_core.adapters.open_spiel_profiles import (
    profile_from_open_spiel as profile_from_open_spiel,
)
from gametheory_core.adapters.pettingzoo import Ending as Ending
from gametheory_core.adapters.pettingzoo import IllegalActions as IllegalActions
from gametheory_core.adapters.pettingzoo import Masks as Masks
from gametheory_core.adapters.pettingzoo import ObservationEncoding as ObservationEncoding
from gametheory_core.adapters.pettingzoo import aec_env as aec_env
from gametheory_core.adapters.pettingzoo import parallel_env as parallel_env
from gametheory_core.adapters.pettingzoo import rules_from_pettingzoo as rules_from_pettingzoo
