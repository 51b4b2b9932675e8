"""The functions of some rooms of loops, compiled by numba.

Loading takes a good part of a second: short paths and small trees use the plain ones.
"""

from solvers._kernels import equilibrium_cells, logit_path, public_regret, treeplex, treeplex_regret
from solvers._kernels.compile import compiled, inlined

for function in (
    equilibrium_cells.settle_cells,
    equilibrium_cells.corner_digits,
    equilibrium_cells.stride_of,
    equilibrium_cells.write_half,
    equilibrium_cells.widest_of,
    equilibrium_cells.settled,
    equilibrium_cells.excluded_by_a_pair,
    equilibrium_cells.excluded_by_least_squares,
    equilibrium_cells.fit,
    equilibrium_cells.linearize,
    equilibrium_cells.inverted,
    equilibrium_cells.follow_newton,
    equilibrium_cells.is_alone,
    equilibrium_cells.is_steady,
    equilibrium_cells.fill,
    equilibrium_cells.scale,
    equilibrium_cells.largest,
    equilibrium_cells.write,
    logit_path.exponentials,
    logit_path.total,
    logit_path.copy_into,
    logit_path.solve,
    logit_path.averaged,
    logit_path.action_values,
    logit_path.linearize,
    logit_path.correct,
    logit_path.turn,
    logit_path.is_settled,
    treeplex.own_treeplex,
    treeplex.plan_of_behavior,
    treeplex.sparse_product,
    treeplex.gradient_against,
    treeplex.best_response_sweep,
    treeplex.find_gradient,
    treeplex.write_plans,
    treeplex_regret.kept,
    treeplex_regret.expected,
    treeplex_regret.match_regrets,
    treeplex_regret.match_forecasts,
    treeplex_regret.weigh_exponentials,
    treeplex_regret.normalize,
    treeplex_regret.sweep,
    treeplex_regret.descend,
    treeplex_regret.learn,
    public_regret.find_public_gradient,
    public_regret.add_ends,
):
    inlined(function)

settle_all = compiled(equilibrium_cells.settle_all)
follow = compiled(logit_path.follow)
write_plans = compiled(treeplex.write_plans)
advance = compiled(treeplex_regret.advance)
best_responses = compiled(treeplex.best_responses)
mixture_gains = compiled(treeplex.mixture_gains)
advance_public = compiled(public_regret.advance_public)
public_response = compiled(public_regret.public_response)
write_whole_plan = compiled(public_regret.write_whole_plan)
