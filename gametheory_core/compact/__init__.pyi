from gametheory_core.compact.anonymous import AnonymousGame as AnonymousGame
from gametheory_core.compact.anonymous import count_vectors as count_vectors
from gametheory_core.compact.catalog import affine_triangle as affine_triangle
from gametheory_core.compact.catalog import braess as braess
from gametheory_core.compact.catalog import el_farol as el_farol
from gametheory_core.compact.catalog import pigou as pigou
from gametheory_core.compact.catalog import public_good_on_ring as public_good_on_ring
from gametheory_core.compact.catalog import ring_of_pennies as ring_of_pennies
from gametheory_core.compact.catalog import security_ring as security_ring
from gametheory_core.compact.catalog import volunteers_dilemma as volunteers_dilemma
from gametheory_core.compact.claims import AnarchyCertificate as AnarchyCertificate
from gametheory_core.compact.claims import CompactNashCertificate as CompactNashCertificate
from gametheory_core.compact.claims import CompactPureCertificate as CompactPureCertificate
from gametheory_core.compact.claims import certify_all_pure as certify_all_pure
from gametheory_core.compact.claims import certify_anarchy as certify_anarchy
from gametheory_core.compact.claims import certify_compact as certify_compact
from gametheory_core.compact.congestion import CongestionGame as CongestionGame
from gametheory_core.compact.conversions import compact_to_normal as compact_to_normal
from gametheory_core.compact.conversions import is_polymatrix as is_polymatrix
from gametheory_core.compact.conversions import normal_to_polymatrix as normal_to_polymatrix
from gametheory_core.compact.generators import anonymous_games as anonymous_games
from gametheory_core.compact.generators import congestion_games as congestion_games
from gametheory_core.compact.generators import graphical_games as graphical_games
from gametheory_core.compact.generators import polymatrix_games as polymatrix_games
from gametheory_core.compact.generators import (
    zero_sum_polymatrix_games as zero_sum_polymatrix_games,
)
from gametheory_core.compact.graphical import GraphicalGame as GraphicalGame
from gametheory_core.compact.kinds import CompactGame as CompactGame
from gametheory_core.compact.payoffs import compact_best_response as compact_best_response
from gametheory_core.compact.payoffs import compact_payoffs as compact_payoffs
from gametheory_core.compact.payoffs import pure_payoffs as pure_payoffs
from gametheory_core.compact.polymatrix import PolymatrixGame as PolymatrixGame
from gametheory_core.compact.potential import rosenthal_potential as rosenthal_potential
from gametheory_core.compact.potential import social_cost as social_cost
from gametheory_core.compact.properties import (
    is_constant_sum_polymatrix as is_constant_sum_polymatrix,
)
from gametheory_core.compact.properties import players_are_alike as players_are_alike
