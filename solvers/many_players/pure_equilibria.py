"""Pure equilibria: cells of the payoff tensor in which nobody gains by changing own action."""

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import ZERO, NumberArray, is_exact, to_fraction
from gametheory_core.certificates.completeness import PureCompletenessCertificate
from gametheory_core.certificates.equilibrium import NashCertificate
from gametheory_core.errors import NotConverged
from gametheory_core.evaluation.payoffs import scaled_payoffs
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile, pure_profile
from solvers.concepts import Concept
from solvers.reduced_normal_form import reduced_normal_form
from solvers.requirements import a_normal_form, one_player
from solvers.solution import UNLIMITED, Budget, OnIteration, Solution, SolutionSet
from solvers.solver import Answers, open_meter, solver


@solver(
    Answers(Concept.PURE_NASH, rank=10, lists=True),
    Answers(
        Concept.NASH,
        rank=60,
        first_of="a pure equilibrium",
        because="more players: the first pure equilibrium",
    ),
    Answers(
        Concept.ALL_NASH,
        rank=30,
        lists=True,
        takes=(one_player,),
        because="one player: every equilibrium mixes the pure ones",
    ),
    takes=(a_normal_form,),
    through=(reduced_normal_form,),
    unit="equilibria",
    because="every joint action is checked",
    page="many-players",
)
def pure(
    game: NormalFormGame, *, budget: Budget = UNLIMITED, on_iteration: OnIteration | None = None
) -> SolutionSet[MixedProfile, NashCertificate]:
    """Find all pure equilibria of a game of any number of players, exactly.

    Args:
        game: Any number of players.
        budget: Iterations are equilibria certified.
        on_iteration: Called after each equilibrium.

    Returns:
        All pure equilibria, perhaps none, in the order of their actions.

    Raises:
        NotConverged: If the budget ends first; ``best`` holds the equilibria certified so far.

    Every cell is compared, in time linear in the size of the tensor. Payoffs given as floats are
    compared as floats, which is exact; rational ones as integers over a common denominator.

    Source: J. F. Nash (1950), "Equilibrium points in n-person games", Proceedings of the National
        Academy of Sciences 36, 48-49.

    >>> game = NormalFormGame.bimatrix([[3, 0], [5, 1]], [[3, 5], [0, 1]])
    >>> pure(game).equilibria[0].payoffs
    (Fraction(1, 1), Fraction(1, 1))
    """
    cells = np.argwhere(stable_cells(game)).tolist()
    meter = open_meter(budget, on_iteration, total=len(cells))
    certificates: list[NashCertificate] = []
    profiles: list[MixedProfile] = []
    nobody_gains = (ZERO,) * game.num_players  # as the comparison says, which is exact
    for cell in cells:
        if meter.is_exhausted and certificates:  # one can always be shown
            break
        profiles.append(pure_profile(game, cell))
        payoffs = tuple(to_fraction(own[tuple(cell)]) for own in game.given_payoffs)
        certificates.append(NashCertificate(game, profiles[-1], payoffs, nobody_gains))
        meter.step()
    run = meter.record()
    is_complete = len(profiles) == len(cells)
    answer = SolutionSet(
        game=game,
        equilibria=tuple(
            Solution(profile, certificate.payoffs, certificate, run)
            for profile, certificate in zip(profiles, certificates, strict=True)
        ),
        is_complete=is_complete,
        evidence=(
            f"all pure equilibria: each of the {game.given_payoffs[0].size} joint actions was "
            "compared, exactly, with every deviation of every player"
            if is_complete
            else f"pure equilibria are missing: {len(cells) - len(profiles)} of {len(cells)} cells "
            "in which nobody gains were not certified"
        ),
        completeness=PureCompletenessCertificate(game, tuple(profiles)) if is_complete else None,
        run=run,
    )
    if not is_complete:
        raise NotConverged(
            needs="all pure equilibria",
            found=f"the budget ended with {len(profiles)} of {len(cells)}",
            remedy="Give a larger budget, or use the incomplete set in the exception's best.",
            best=answer,
        )
    return answer


def stable_cells(game: NormalFormGame) -> NDArray[np.bool_]:
    """Mark the joint actions in which every player's action is a best response.

    Shape ``game.num_actions``.
    """
    stable = np.ones(game.num_actions, dtype=bool)
    for player in range(game.num_players):
        payoffs = _comparable(game, player)
        stable &= payoffs >= payoffs.max(axis=player, keepdims=True)
    return stable


def _comparable(game: NormalFormGame, player: int) -> NumberArray:
    """Return a player's payoffs times a positive number: floats, or integers of any size."""
    if not is_exact(game.given_payoffs):
        return game.given_payoffs[player]
    numerators = scaled_payoffs(game, player).numerators
    try:
        return np.array(numerators.tolist(), dtype=np.int64)
    except OverflowError:
        return numerators
