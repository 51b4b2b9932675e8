"""The functions of ``logit_path``, compiled by numba; loading takes a good part of a second."""

from solvers._kernels import fixed_order, logit_path
from solvers._kernels.compile import compiled, inlined

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
    inlined(function)

follow = compiled(logit_path.follow)
