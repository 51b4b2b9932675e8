"""Random mediated games, each with a mediator that can deal with it."""

from dataclasses import replace

from hypothesis import strategies as st

from gametheory_core import UnsupportedGame
from gametheory_core.mediation import EndRule, MediatorIncentives, MediatorStage, mediated_games
from gametheory_core.mediation.fairness import require_known_ends
from gametheory_core.mediation.generators import fairness_measures


@st.composite
def mediated_cases(
    draw, *, horizons=(1, 4), stages=tuple(MediatorStage), rules=tuple(EndRule), **options
):
    """Draw a game with a horizon in a range, and what its mediator is after.

    Where play may end or not at the same step there are no transfers, and products are only taken
    of returns that cannot be negative.
    """
    lowest = draw(st.sampled_from([None, 0]))
    game = draw(mediated_games(lowest=lowest, max_horizon=4, **options))
    game = replace(game, horizon=draw(st.integers(*horizons)))
    rule = draw(st.sampled_from(rules))
    possible = [stage for stage in stages if stage is not MediatorStage.FULL or knows(game, rule)]
    if not possible:
        game, possible = replace(game, horizon=1), list(stages)
    has_losses = any(reward < 0 for reward in game.rewards.ravel().tolist())
    fairness = draw(fairness_measures(num_players=game.num_players, nash=not has_losses))
    return game, MediatorIncentives(fairness, draw(st.sampled_from(possible)), rule)


def knows(game, rule):
    """Tell whether transfers make sense in a game."""
    try:
        require_known_ends(game, rule=rule)
    except UnsupportedGame:
        return False
    return True


def options_of(incentives):
    """Return the same as keyword arguments of the solver."""
    return {
        "fairness": incentives.fairness,
        "stage": incentives.stage,
        "end_rule": incentives.end_rule,
    }
