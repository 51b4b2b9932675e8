"""Policies judged by playing them: estimates, where a game is too large for proofs."""

from gametheory_core.arguments import require_integer
from gametheory_core.conversions.normal_posg import normal_to_posg
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.rules import AEC, POSG
from gametheory_core.labels import shown_players
from gametheory_core.strategies.policies import PolicyProfile
from learners.assessment.findings import Appraisal, Finding, Standing
from learners.batched.rollouts import mean_returns
from learners.batched.sight import Sees


def assess_by_sampling(
    game: NormalFormGame | ExtensiveFormGame | POSG | AEC,
    policies: PolicyProfile,
    *,
    episodes: int,
    seed: int,
    sees: Sees = Sees.HISTORY,
    horizon: int | None = None,
) -> Appraisal:
    """Estimate what policies earn from independent episodes; nothing is proved.

    What players could gain by deviating is not estimated: no sample bounds it from above.

    Args:
        episodes: At least 2.
        sees: What the policies look at: those of the last observation are read once for each of
            them, which long games need.
        horizon: Cut play after so many steps (AEC games: moves).

    Returns:
        ``return/<player>`` with standard errors, all of standing ``SAMPLED``; no certificate.

    Raises:
        InvalidArgument: If an option makes no sense.
        InvalidStrategy: If a policy says nothing where it is asked.
        UnsupportedGame: If the game is too large to tabulate.

    >>> from gametheory_core import uniform_policies
    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> game = RepeatedGame.of("prisoners_dilemma", rounds=30)
    >>> found = assess_by_sampling(
    ...     game, uniform_policies(game), episodes=1000, seed=1, sees=Sees.LAST
    ... )
    >>> 2.2 < found["return/player 1"] / 30 < 2.3, found.certificates
    (True, ())
    """
    require_integer(episodes, name="episodes", low=2)
    rules = normal_to_posg(game).target if isinstance(game, NormalFormGame) else game
    found = mean_returns(rules, policies, episodes=episodes, seed=seed, sees=sees, horizon=horizon)
    numbers = zip(
        shown_players(rules.players),
        found.means.tolist(),
        found.standard_errors.tolist(),
        strict=True,
    )
    return Appraisal(
        game.title or "untitled game",
        f"SAMPLED, an estimate from {episodes:,} episodes; nothing is proved, and what players "
        "could gain by deviating is unknown",
        tuple(
            Finding(f"return/{player}", mean, Standing.SAMPLED, error)
            for player, mean, error in numbers
        ),
    )
