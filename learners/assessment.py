"""Policies of a game, judged: returns, deviation gains and a certificate that proves them.

Policies judged by playing them: estimates, where a game is too large for proofs.
"""

from enum import Enum
from typing import Any, cast

from gametheory_core.arguments import require_integer, require_member, shown, shown_players
from gametheory_core.certificates.claim import Certificate
from gametheory_core.certificates.equilibrium import certify_minimax, certify_nash
from gametheory_core.certificates.markov_perfect import certify_markov_perfect
from gametheory_core.conversions.aec_extensive import aec_to_extensive, aec_to_unfold
from gametheory_core.conversions.posg_extensive import posg_to_extensive, table_to_unroll
from gametheory_core.conversions.static_games import extensive_to_aec, normal_to_posg
from gametheory_core.conversions.tabular import markov_view
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.checked_rules import checked_rules
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.markov_view import MarkovView
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import is_constant_sum
from gametheory_core.games.rules import AEC, POSG, is_posg
from gametheory_core.strategies.behavioral import Game, Profile
from gametheory_core.strategies.markov import Lottery, MarkovProfile
from gametheory_core.strategies.policies import (
    Policy,
    PolicyProfile,
    action_lottery,
    check_profile_length,
)
from learners.batches.sampled_play import mean_returns
from learners.batches.sight import Sees
from learners.findings import Appraisal, Finding, Standing, findings_of

MAX_NODES = 200_000


class ActsOn(Enum):
    """What of the past the policies are known to look at."""

    HISTORY = "history"
    LAST_OBSERVATION = "last-observation"


def assess(
    game: NormalFormGame | ExtensiveFormGame | POSG | AEC,
    policies: PolicyProfile,
    *,
    acts_on: ActsOn = ActsOn.HISTORY,
    horizon: int | None = None,
    max_nodes: int = MAX_NODES,
) -> Appraisal:
    """Judge policies exactly, against all deviations, and prove the result.

    Args:
        game: Rules need a horizon, or to end by themselves, or for policies of the last observation
            a discount below 1.
        policies: Of the rules; of a normal form or tree as those of ``normal_to_posg`` or
            ``extensive_to_aec``.
        acts_on: Policies of the last observation in games in which all see the state are read once
            for each state, so that long and endless games can be judged. What is certified is the
            profile as it was read: a policy that does look further back is misjudged.
        horizon: Stop the game after so many steps (AEC: moves).
        max_nodes: The largest tree to build.

    Returns:
        ``return/<player>``, ``gain/<player>``, ``nash_conv``; in two-player constant-sum games
        ``exploitability`` and bounds on the value of the game; all proved by its certificates.

    Raises:
        UnsupportedGame: If the tree is too large, or play does not end. Estimate with
            ``assess_by_sampling``.
        InvalidStrategy: If a policy says nothing where it is asked, or plays an illegal action.

    Time is linear in the number of nodes of the tree; of states times steps for policies of the
    last observation.

    >>> from gametheory_core import load_game, uniform_policies
    >>> from gametheory_core.catalog import RepeatedGame
    >>> dilemma = RepeatedGame.of("prisoners_dilemma", rounds=2)
    >>> found = assess(dilemma, uniform_policies(dilemma))
    >>> str(found["nash_conv"]), found.certificates[0].kind
    ('3', 'nash')
    """
    require_member(acts_on, ActsOn, name="acts_on")
    require_integer(max_nodes, name="max_nodes", low=1)
    if not isinstance(game, NormalFormGame | ExtensiveFormGame):
        _ = checked_rules(game, "assess")  # refuses what is no game
    if acts_on is ActsOn.LAST_OBSERVATION and not isinstance(
        game, NormalFormGame | ExtensiveFormGame
    ):
        return _assess_markov(game, policies, horizon)
    form, profile = _as_profile(game, policies, horizon, max_nodes)
    certificates: tuple[Certificate, ...] = (certify_nash(form, profile),)
    if form.num_players == 2 and is_constant_sum(form):
        certificates += (certify_minimax(form, profile),)
    words = "matrix" if isinstance(form, NormalFormGame) else f"tree of {form.num_nodes:,} nodes"
    return _assessment(form.title, f"exact, over the whole {words}", certificates)


def require_judgeable(
    game: NormalFormGame | ExtensiveFormGame | POSG | AEC,
    *,
    acts_on: ActsOn = ActsOn.HISTORY,
    horizon: int | None = None,
    max_nodes: int = MAX_NODES,
) -> None:
    """Refuse a game that ``assess`` will refuse for its size, whatever is learned.

    Nodes of trees are counted and not made, so this is much quicker than ``assess``. A matrix or a
    tree that is there already can be judged, whatever its size.

    Args:
        max_nodes: As of ``assess``.

    Raises:
        UnsupportedGame: If its tree is too large, or there are too many states, or not all see the
            state where policies are judged by it.
        InvalidArgument: If play need not end, and there is no horizon.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> require_judgeable(RepeatedGame.of("prisoners_dilemma", rounds=3), max_nodes=1000)
    """
    if isinstance(game, NormalFormGame | ExtensiveFormGame):
        return
    if acts_on is ActsOn.LAST_OBSERVATION:
        _view_of(game, horizon)
    elif is_posg(game):
        table_to_unroll(game, horizon=horizon, max_nodes=max_nodes)
    else:
        aec_to_unfold(cast("AEC", game), horizon=horizon, max_nodes=max_nodes)


def judged_game(
    game: NormalFormGame | ExtensiveFormGame | POSG | AEC,
    *,
    acts_on: ActsOn = ActsOn.HISTORY,
    horizon: int | None = None,
    max_nodes: int = MAX_NODES,
) -> Any:
    """Return the game that the certificates of ``assess`` are about: a matrix, tree or table.

    Raises:
        UnsupportedGame: As ``assess``.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> judged_game(RepeatedGame.of("matching_pennies")).num_nodes
    7
    """
    if isinstance(game, NormalFormGame | ExtensiveFormGame):
        return game
    if acts_on is ActsOn.LAST_OBSERVATION:
        return _view_of(game, horizon).game
    convert: Any = posg_to_extensive if is_posg(game) else aec_to_extensive
    return convert(game, horizon=horizon, max_nodes=max_nodes).target


def _assessment(title: str, method: str, certificates: tuple[Certificate, ...]) -> Appraisal:
    findings = tuple(finding for c in certificates for finding in findings_of(c))
    return Appraisal(title or "untitled game", method, findings, certificates)


def _as_profile(
    game: Any, policies: PolicyProfile, horizon: int | None, max_nodes: int
) -> tuple[Game, Profile]:
    """Return the game as a matrix or a tree, and the policies as a profile of it."""
    if isinstance(game, NormalFormGame):
        played = normal_to_posg(game)
        _check_length(played.target, policies)
        return game, played.correspondence.to_source(policies)
    if isinstance(game, ExtensiveFormGame):
        walked = extensive_to_aec(game)
        _check_length(walked.target, policies)
        return game, walked.correspondence.to_source(policies)
    _check_length(game, policies)
    convert: Any = posg_to_extensive if is_posg(game) else aec_to_extensive
    conversion = convert(game, horizon=horizon, max_nodes=max_nodes)
    return conversion.target, conversion.correspondence.to_target(policies)


def _check_length(rules: POSG | AEC, policies: PolicyProfile) -> None:
    check_profile_length(rules.players, policies, owner="assess")


def _assess_markov(game: POSG | AEC, policies: PolicyProfile, horizon: int | None) -> Appraisal:
    view = _view_of(game, horizon)
    _check_length(game, policies)
    row: list[tuple[Lottery, ...]] = [()] * view.num_states
    for player, policy in enumerate(policies):
        own = _read(view, player, policy)
        for state in view.acting.tolist():
            row[state] += (own[state],)
    profile = MarkovProfile((tuple(row),), is_stationary=True)
    certificate = certify_markov_perfect(view, profile, tolerance=None)
    within = f", returns within {float(certificate.payoff_error):.2g}" * bool(
        certificate.payoff_error
    )
    return _assessment(
        view.game.title,
        "exact, for the profile that plays in each state as the policies do where they see it "
        f"first{within}",
        (certificate,),
    )


def _view_of(game: POSG | AEC, horizon: int | None) -> MarkovView:
    """Return the states of a game in which all see them."""
    if not is_posg(game):
        raise UnsupportedGame(
            needs="a POSG for policies of the last observation",
            found=f"{shown(game)} is an AEC game",
            remedy="Use acts_on=ActsOn.HISTORY, or convert it: aec_to_posg(game).target.",
        )
    return markov_view(game, horizon=horizon)


def _read(view: MarkovView, player: int, policy: Policy) -> dict[int, Lottery]:
    """Ask a policy once for each observation; those that tell the same state must agree."""
    found: dict[int, Lottery] = {}
    for label, state in view.states_seen(player).items():
        distribution = action_lottery(view.game, player, policy, (label,))
        row = tuple(distribution[action] for action in view.game.actions[player])
        if found.setdefault(state, row) != row:
            raise UnsupportedGame(
                needs="one mixed action for each state",
                found=f"the policy of {view.game.players[player]!r} has another one at {label!r}, "
                f"in state {view.game.states[state]!r}",
                remedy="Use acts_on=ActsOn.HISTORY.",
            )
    return found


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
    >>> from gametheory_core.catalog import RepeatedGame
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
