from gametheory_core.mediation.catalog import ResourceGridRules as ResourceGridRules
from gametheory_core.mediation.catalog import chicken_with_brakes as chicken_with_brakes
from gametheory_core.mediation.catalog import (
    mediated_battle_of_the_sexes as mediated_battle_of_the_sexes,
)
from gametheory_core.mediation.catalog import mediated_chicken as mediated_chicken
from gametheory_core.mediation.catalog import (
    mediated_prisoners_dilemma as mediated_prisoners_dilemma,
)
from gametheory_core.mediation.catalog import paid_leadership as paid_leadership
from gametheory_core.mediation.catalog import preferred_color as preferred_color
from gametheory_core.mediation.catalog import resource_agreement as resource_agreement
from gametheory_core.mediation.catalog import (
    resource_collection_one_color as resource_collection_one_color,
)
from gametheory_core.mediation.catalog import (
    resource_collection_two_colors as resource_collection_two_colors,
)
from gametheory_core.mediation.certificate import MediatedCertificate as MediatedCertificate
from gametheory_core.mediation.certificate import certify_mediated as certify_mediated
from gametheory_core.mediation.fairness import MINIMUM as MINIMUM
from gametheory_core.mediation.fairness import EndRule as EndRule
from gametheory_core.mediation.fairness import Fairness as Fairness
from gametheory_core.mediation.fairness import FairnessKind as FairnessKind
from gametheory_core.mediation.fairness import MediatorStage as MediatorStage
from gametheory_core.mediation.fairness import end_transfers as end_transfers
from gametheory_core.mediation.fairness import fairness_value as fairness_value
from gametheory_core.mediation.from_posg import StateControl as StateControl
from gametheory_core.mediation.from_posg import mediate as mediate
from gametheory_core.mediation.game import MediatedGame as MediatedGame
from gametheory_core.mediation.generators import gini_weights as gini_weights
from gametheory_core.mediation.generators import mediated_games as mediated_games
from gametheory_core.mediation.histories import Memory as Memory
from gametheory_core.mediation.histories import mediated_histories as mediated_histories
from gametheory_core.mediation.policies import MediatedProfile as MediatedProfile
from gametheory_core.mediation.policies import mediated_plan as mediated_plan
from gametheory_core.mediation.policies import random_mediated_profile as random_mediated_profile
from gametheory_core.mediation.rules import list_mediated_game as list_mediated_game
from gametheory_core.mediation.rules import mediated_game as mediated_game
from gametheory_core.mediation.stage_responses import FirstMoverAdvantage as FirstMoverAdvantage
from gametheory_core.mediation.stage_responses import (
    is_first_mover_advantage as is_first_mover_advantage,
)
from gametheory_core.mediation.stage_responses import naive_responses as naive_responses
from gametheory_core.mediation.values import MediatorIncentives as MediatorIncentives
from gametheory_core.mediation.values import full_values as full_values
from gametheory_core.mediation.values import mediated_fairness as mediated_fairness
from gametheory_core.mediation.values import mediated_returns as mediated_returns
from gametheory_core.mediation.values import mediated_trajectories as mediated_trajectories
from gametheory_core.mediation.values import truncated_values as truncated_values
