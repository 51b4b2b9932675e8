"""Solvers: plain functions from a game to a certified solution."""

from solvers.concepts import Concept
from solvers.nash.backward_induction import backward_induction
from solvers.nash.lemke_howson import lemke_howson
from solvers.nash.minimax import minimax
from solvers.nash.pure import pure
from solvers.nash.sequence_form_lp import sequence_form_lp
from solvers.nash.support_enumeration import support_enumeration
from solvers.nash.vertex_enumeration import vertex_enumeration
from solvers.solution import UNLIMITED, Budget, EquilibriumSet, Progress, RunRecord, Solution
from solvers.solve import Answer, solve
from solvers.stackelberg.commitment import strong_stackelberg, weak_stackelberg

__all__ = [
    "UNLIMITED",
    "Answer",
    "Budget",
    "Concept",
    "EquilibriumSet",
    "Progress",
    "RunRecord",
    "Solution",
    "backward_induction",
    "lemke_howson",
    "minimax",
    "pure",
    "sequence_form_lp",
    "solve",
    "strong_stackelberg",
    "support_enumeration",
    "vertex_enumeration",
    "weak_stackelberg",
]
