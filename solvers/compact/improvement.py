"""Best-response paths: one player after the other takes a best reply, until nobody gains.

In a congestion game Rosenthal's potential falls at each step, so that the path ends, at a pure
equilibrium. In other games it may come back to a joint action, and then goes round for ever.
"""

from dataclasses import dataclass
from fractions import Fraction

from gametheory_core.compact import (
    CompactGame,
    CompactNashCertificate,
    CongestionGame,
    certify_compact,
    rosenthal_potential,
)
from gametheory_core.compact.payoffs import pure_values
from gametheory_core.errors import InvalidStrategy, NotConverged
from gametheory_core.strategies.mixed import MixedProfile, pure_profile
from solvers.compact.requirements import a_compact_game, congestion
from solvers.concepts import Concept
from solvers.requirements import require_profile
from solvers.solution import UNLIMITED, Budget, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver

Joint = tuple[int, ...]


@dataclass(frozen=True)
class BestResponsePath:
    """A path of best responses.

    Attributes:
        actions: Joint actions, the start first; one player's action changes from each to the next.
        movers: Who changes it.
        potentials: Of each joint action, in a congestion game; else nothing.
        repeats: Where the last joint action stood before, if the path goes round for ever; None if
            it ends.
        solution: The equilibrium at its end; None if there is no end.
    """

    actions: tuple[Joint, ...]
    movers: tuple[int, ...]
    potentials: tuple[Fraction, ...]
    repeats: int | None
    solution: Solution[MixedProfile, CompactNashCertificate] | None


@solver(
    Answers(Concept.NASH, rank=92, takes=(congestion,)),
    takes=(a_compact_game,),
    unit="steps",
    because="each best reply lowers Rosenthal's potential, so that a path of them ends",
    page="compact-games",
)
def best_response_path(
    game: CompactGame,
    *,
    start: MixedProfile | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> BestResponsePath:
    """Let players take best replies in turn until nobody gains, or a joint action comes back.

    Args:
        game: In a congestion game the path always ends.
        start: A pure profile. Default: everybody's first action.
        budget: Iterations are changes of an action.

    Returns:
        A mover takes the first of its best replies; who has one already stays.

    Raises:
        InvalidArgument, InvalidStrategy: If the start is no pure profile of the game.
        NotConverged: If the budget ends first; ``best`` is the path so far, whose solution is its
            last joint action with what deviations gain there.

    The number of steps can be exponential, though every one is quick.

    Source: :cite:`rosenthal1973class`.

    >>> from gametheory_core import load_game, pure_profile
    >>> roads = load_game("pigou:players=4")
    >>> path = best_response_path(roads, start=pure_profile(roads, (1, 1, 1, 1)))
    >>> path.movers, [str(potential) for potential in path.potentials]
    ((0, 1, 2), ['16', '13', '11', '10'])
    """
    meter = open_meter(budget, on_iteration)
    now = _joint_action(game, start)
    actions, movers = [now], list[int]()
    seen = {(now, 0): 0}
    repeats: int | None = None
    idle = player = 0
    while idle < game.num_players and repeats is None:
        values = pure_values(game, now, player)
        best = max(values)
        if values[now[player]] == best:
            idle += 1
        elif meter.is_exhausted:
            break
        else:
            idle = 1
            now = (*now[:player], values.index(best), *now[player + 1 :])
            actions.append(now)
            movers.append(player)
            meter.step()
        player = (player + 1) % game.num_players
        if idle == 1:
            place = seen.setdefault((now, player), len(movers))
            repeats = place if place < len(movers) else None
    potentials = (
        tuple(rosenthal_potential(game, own) for own in actions)
        if isinstance(game, CongestionGame)
        else ()
    )
    certificate = certify_compact(game, pure_profile(game, now))
    reached = Solution(certificate.profile, certificate.payoffs, certificate, meter.record())
    solution = reached if repeats is None else None
    path = BestResponsePath(tuple(actions), tuple(movers), potentials, repeats, solution)
    if solution is not None and solution.certificate.epsilon:
        raise NotConverged(
            needs="a joint action in which nobody gains",
            found=f"the budget ended after {meter.iterations:,} steps",
            remedy="Give a larger budget, or go on from the last joint action of the exception's "
            "best.",
            best=path,
        )
    return path


def _joint_action(game: CompactGame, start: MixedProfile | None) -> Joint:
    """Return what a pure profile plays, after checking that it is one of the game."""
    require_profile(start, game, name="start")
    if start is None:
        return (0,) * game.num_players
    for i, strategy in enumerate(start.strategies):
        if 1 not in strategy.tolist():
            raise InvalidStrategy(
                needs="a pure profile as start",
                found=f"player {i + 1} mixes",
                remedy="Give pure_profile(game, actions).",
            )
    return tuple(strategy.tolist().index(1) for strategy in start.strategies)
