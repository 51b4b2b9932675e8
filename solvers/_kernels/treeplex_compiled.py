"""The functions of ``treeplex_regret`` and ``treeplex_measure``, compiled by numba."""

from solvers._kernels import treeplex, treeplex_measure, treeplex_regret
from solvers._kernels.compile import compiled, inlined

for function in (
    treeplex.own_treeplex,
    treeplex.plan_of_behavior,
    treeplex.sparse_product,
    treeplex.gradient_against,
    treeplex.best_response_sweep,
    treeplex_regret.find_gradient,
    treeplex_regret.kept,
    treeplex_regret.expected,
    treeplex_regret.match_regrets,
    treeplex_regret.match_forecasts,
    treeplex_regret.weigh_exponentials,
    treeplex_regret.normalize,
    treeplex_regret.sweep,
    treeplex_regret.descend,
    treeplex_regret.learn,
    treeplex_measure.write_plans,
):
    inlined(function)

write_plans = compiled(treeplex_measure.write_plans)
advance = compiled(treeplex_regret.advance)
best_responses = compiled(treeplex_measure.best_responses)
mixture_gains = compiled(treeplex_measure.mixture_gains)
