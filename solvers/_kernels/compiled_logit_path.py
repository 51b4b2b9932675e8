"""The functions of ``logit_path``, compiled by numba; loading takes a good part of a second."""

from numba import njit
from numba.extending import register_jitable

from solvers._kernels import fixed_order, logit_path

for function in (
    fixed_order.exponentials,
    fixed_order.total,
    fixed_order.solve,
    logit_path.averaged,
    logit_path.action_values,
    logit_path.linearize,
    logit_path.correct,
    logit_path.turn,
    logit_path.is_settled,
):
    register_jitable(function)

follow = njit(cache=True)(logit_path.follow)
