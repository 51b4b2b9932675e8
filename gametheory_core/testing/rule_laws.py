"""Laws of rules: what POSGs and AEC games answer is well formed, steady, and adds up.

Who earned it: the rewards of a cycle of an AEC game, by the mover who caused them.

An AEC game that plays a POSG's steps one mover at a time pays player ``i`` when mover ``j`` moves,
``j`` being a player or chance. Summed over a cycle, which ends with chance's move, that is the
POSG's reward for the step; taken apart, it tells who earned it. Rewards that chance pays can be
pruned, which leaves what players cause themselves.
"""

import pickle
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, is_dataclass
from fractions import Fraction
from typing import Any, cast

import numpy as np

from gametheory_core.arrays import ONE, ZERO, ExactArray, freeze
from gametheory_core.conversions.tabular import aec_to_tabular, posg_to_tabular
from gametheory_core.errors import InvalidGame, LawBroken
from gametheory_core.evaluation.returns import Rules, best_response_returns, expected_returns
from gametheory_core.evaluation.trajectories import aec_trajectories, posg_trajectories
from gametheory_core.games.checked_rules import require_aec_members, require_posg_members
from gametheory_core.games.rules import (
    AEC,
    NULL,
    POSG,
    AecPlay,
    Move,
    PosgPlay,
    stop_aec,
    stop_posg,
)
from gametheory_core.games.tree_table import CHANCE
from gametheory_core.strategies.policies import PolicyProfile, uniform_policies
from gametheory_core.testing.presence_laws import require_presence
from gametheory_core.testing.profiles import random_policies
from gametheory_core.testing.rule_walk import (
    MAX_STATES,
    Watched,
    aec_questions,
    aec_situations,
    ask_again,
    broken,
    posg_questions,
    posg_situations,
    require_private_actions,
)


def check_posg(
    game: POSG,
    *,
    rng: np.random.Generator,
    num_profiles: int = 3,
    steps: int = 2,
    max_states: int = MAX_STATES,
    private_actions: bool = False,
) -> None:
    """Check a POSG: its answers, that they are steady, and that plays and returns add up.

    All questions that play can ask are asked, more than once and in different orders: the answers
    must be well formed and always the same, so legal actions depend on the player and their own
    last observation only. Laws sum to exactly one; a dataclass must be frozen, and equal to its
    pickled copy. Then the first ``steps`` steps are followed under random exact policies: the law
    of plays sums to one, plays end where they should and never continue from a terminal state,
    returns are averages over plays, no other policy gains more than the best response, and the
    table says the same. Players who see ``AWAY`` can do ``IDLE`` only, are paid nothing, and stay
    away once they have left; somebody is there while play goes on.

    Args:
        num_profiles: Random profiles of history-dependent policies.
        steps: How far plays are followed; the number of plays grows exponentially.
        max_states: The largest number of pairs of a state and a joint observation.
        private_actions: Also refuse a game in which observations tell other players' legal actions:
            two situations that play can reach, in which a player's own last observations differ,
            such that after one of them another player may have a set of legal actions that is
            impossible after the other.

    Raises:
        LawBroken: With the question and the answer, or the law and the profile.
        UnsupportedGame: If it is no such game, there are more situations, or too many plays.

    >>> from gametheory_core import load_game
    >>> check_posg(load_game("tiger"), rng=np.random.default_rng(0), steps=1)
    """
    require_posg_members(game, "check_posg")
    _check_header(game)
    _check_value(game)
    watched = cast("POSG", Watched(game))
    _well_formed(game, lambda: posg_to_tabular(watched, max_states=max_states))
    graph = posg_situations(watched, max_states=max_states)
    ask_again(posg_questions(watched, graph))
    require_presence(watched, graph)
    if private_actions:
        require_private_actions(watched, graph)
    stopped = stop_posg(watched, steps=steps)
    table = posg_to_tabular(stopped).target
    for _ in range(num_profiles):
        profile = random_policies(game, rng=rng)
        plays = _plays(stopped, table, profile)
        _check_ends(stopped, plays, profile, lambda play: [s.state for s in play.steps])
        _check_returns(stopped, table, plays, profile, rng)


def check_aec(
    game: AEC,
    *,
    rng: np.random.Generator,
    num_profiles: int = 3,
    moves: int = 5,
    max_states: int = MAX_STATES,
) -> None:
    """Check an AEC game: its answers, that they are steady, and that plays and returns add up.

    As ``check_posg``. Besides, chance moves first, a player's move leads to one state, only the
    mover observes, and movers are players or chance; rewards are discounted by completed chance
    moves, the first not counted.

    Args:
        num_profiles: Random profiles of history-dependent policies.
        moves: How far plays are followed, chance's moves counted.
        max_states: The largest number of pairs of a state and a mover.

    Raises:
        LawBroken: With the question and the answer, or the law and the profile.
        UnsupportedGame: If it is no such game, there are more situations, or too many plays.

    >>> from gametheory_core import load_game
    >>> check_aec(load_game("random_order_team"), rng=np.random.default_rng(0))
    """
    require_aec_members(game, "check_aec")
    _check_header(game)
    _check_value(game)
    watched = cast("AEC", Watched(game))
    _well_formed(game, lambda: aec_to_tabular(watched, max_states=max_states))
    graph = aec_situations(watched, max_states=max_states)
    ask_again(aec_questions(watched, graph))
    require_presence(watched, graph)
    stopped = stop_aec(watched, moves=moves)
    table = aec_to_tabular(stopped).target
    for _ in range(num_profiles):
        profile = random_policies(game, rng=rng)
        plays = _plays(stopped, table, profile)
        _check_ends(stopped, plays, profile, lambda play: [m.state for m in play.moves])
        _check_turns(game, plays)
        _check_returns(stopped, table, plays, profile, rng)


def _check_header(game: Rules) -> None:
    discount, horizon = cast("Any", game.discount), cast("Any", game.horizon)
    if type(discount) not in (int, Fraction) or not 0 <= discount <= 1:
        raise broken(game, f"has {discount!r}", needs="an exact discount, a Fraction in [0, 1]")
    if horizon is not None and (type(horizon) is not int or horizon < 0):
        raise broken(game, f"has {horizon!r}", needs="a horizon of at least 0 whole steps, or None")
    if not isinstance(cast("Any", game.title), str):
        raise broken(game, f"has {game.title!r}", needs="a title, a text for people")


def _check_value(game: Rules) -> None:
    """Require that a dataclass is a value: frozen, hashable, equal to its pickled copy."""
    if not is_dataclass(game):
        return
    if not cast("Any", game).__dataclass_params__.frozen:
        raise broken(game, "its fields can be changed", needs="a frozen dataclass")
    try:
        copy = pickle.loads(pickle.dumps(game))  # noqa: S301  (our own bytes)
        same = copy == game and hash(copy) == hash(game)
    except (TypeError, AttributeError, pickle.PicklingError) as error:
        raise broken(game, f"needs to be hashable and to pickle, but: {error}") from error
    if not same:
        raise broken(game, "must equal its pickled copy, in hash too, but does not")


def _well_formed(game: Rules, tabulate: Callable[[], Any]) -> None:
    try:
        tabulate()
    except InvalidGame as error:
        where = f"{game.title or repr(game)}: {error.where}"
        raise error.changed(LawBroken, where=where) from error
    except TypeError as error:
        raise broken(
            game, f"needs labels that are hashable, such as tuples, but: {error}"
        ) from error


def _plays(game: Rules, table: Rules, profile: PolicyProfile) -> dict[Any, Fraction]:
    """Return the law of plays, after checking that it sums to one and that the table agrees."""
    found, again = _law(game, profile), _law(table, profile)
    total = sum(found.values(), ZERO)
    if total != ONE:
        raise broken(game, f"plays must sum to 1, but sum to {total} for {profile}")
    for play in {**found, **again}:
        odds = found.get(play, ZERO), again.get(play, ZERO)
        if odds[0] != odds[1]:
            raise broken(
                game,
                f"tables must play as the rules do, but {play!r} has probability {odds[0]} by the "
                f"rules and {odds[1]} by the table, for {profile}",
            )
    return found


def _law(game: Rules, profile: PolicyProfile) -> dict[Any, Fraction]:
    posg = not hasattr(game, "next_player")
    follow = cast("Any", posg_trajectories if posg else aec_trajectories)
    return dict(follow(game, profile).items)


def _check_ends(
    game: Rules,
    plays: dict[Any, Fraction],
    profile: PolicyProfile,
    states_of: Callable[[Any], list[Any]],
) -> None:
    for play in plays:
        states = states_of(play)
        passed = [state for state in states if game.is_terminal(state)]
        if passed or not (game.is_terminal(play.final_state) or len(states) == game.horizon):
            raise broken(
                game,
                f"plays end in the first terminal state, or after {game.horizon} steps, but "
                f"{play!r} does not, for {profile}",
            )


def _check_turns(game: AEC, plays: dict[AecPlay, Fraction]) -> None:
    for play in plays:
        first = [move.mover for move in play.moves[:1]]
        blind = [move for move in play.moves if move.mover == CHANCE and move.action is not NULL]
        if first not in ([], [CHANCE]) or blind:
            raise broken(game, f"chance moves first, and its action is NULL, but not in {play!r}")


def _check_returns(
    game: Rules,
    table: Rules,
    plays: dict[Any, Fraction],
    profile: PolicyProfile,
    rng: np.random.Generator,
) -> None:
    average = [ZERO] * len(game.players)
    for play, weight in plays.items():
        for factor, rewards in _payments(play, Fraction(game.discount)):
            for i, reward in enumerate(rewards):
                average[i] += weight * factor * reward
    for rules in (game, table):
        found = expected_returns(rules, profile).tolist()
        if found != average:
            raise broken(
                game,
                f"returns are averages over plays, {_shown(average)}, but {_shown(found)} by "
                f"{'the table' if rules is table else 'the rules'}, for {profile}",
            )
    best = best_response_returns(game, profile).tolist()
    if best_response_returns(table, profile).tolist() != best:
        raise broken(game, f"tables must have the best responses of the rules, for {profile}")
    others = random_policies(game, rng=rng)
    for i, bound in enumerate(best):
        deviation = (*profile[:i], others[i], *profile[i + 1 :])
        reached = max(average[i], expected_returns(game, deviation).tolist()[i])
        if reached > bound:
            raise broken(
                game,
                f"no policy gains more than a best response, but {game.players[i]!r} gets "
                f"{reached} and at best {bound}, for {profile} or {others[i]}",
            )


def _payments(
    play: PosgPlay | AecPlay, discount: Fraction
) -> Iterator[tuple[Fraction, tuple[Fraction, ...]]]:
    """Yield what was paid, each time with its discount factor."""
    if isinstance(play, PosgPlay):
        for step, done in enumerate(play.steps):
            yield discount**step, done.rewards
        return
    completed = 0
    for k, move in enumerate(play.moves):
        yield discount**completed, move.rewards
        completed += move.mover == CHANCE and k > 0


def _shown(values: list[Fraction]) -> str:
    return "(" + ", ".join(map(str, values)) + ")"


Cycle = tuple[tuple[Any, ...], tuple[Fraction, ...]]  # joint action, rewards


@dataclass(frozen=True, eq=False)
class RewardAttribution:
    """Expected rewards by who caused them.

    Attributes:
        sources: Movers: players, and ``CHANCE`` first unless pruned.
        shares (num_cycles, num_players, num_sources): What each player is expected to receive in a
            cycle by each source.
    """

    sources: tuple[int, ...]
    shares: ExactArray

    @property
    def totals(self) -> ExactArray:
        """Expected rewards by all sources, shape (num_cycles, num_players)."""
        return freeze(np.add.reduce(self.shares, axis=2))

    def without_chance(self) -> "RewardAttribution":
        """Return the attribution without what chance pays."""
        kept = [k for k, source in enumerate(self.sources) if source != CHANCE]
        return RewardAttribution(
            tuple(self.sources[k] for k in kept), freeze(self.shares[:, :, kept])
        )


def check_reward_attribution(
    game: AEC, model: POSG, *, profile: PolicyProfile | None = None
) -> RewardAttribution:
    """Check that an AEC game's rewards sum, cycle by cycle, to a POSG's; take them apart.

    Args:
        game: Chance moves first, and last in each cycle. Its players see what the POSG's do.
        profile: Plays both games. Default: all legal actions equally often.

    Returns:
        Under the profile.

    Raises:
        LawBroken: If the joint laws of actions and rewards of the cycles differ, with a play that
            shows it.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.conversions import posg_to_aec
    >>> posg = RepeatedGame.of("matching_pennies")
    >>> check_reward_attribution(posg_to_aec(posg).target, posg).sources
    (-1, 0, 1)
    """
    require_aec_members(game, "check_reward_attribution")
    require_posg_members(model, "check_reward_attribution")
    policies = uniform_policies(model) if profile is None else profile
    expected: dict[tuple[Cycle, ...], Fraction] = {}
    for play, weight in posg_trajectories(model, policies):
        _add(expected, tuple((tuple(s.actions), tuple(s.rewards)) for s in play.steps), weight)
    found: dict[tuple[Cycle, ...], Fraction] = {}
    num_players = len(game.players)
    sources = (CHANCE, *range(num_players))
    plays = [(_cycles(play.moves), weight) for play, weight in aec_trajectories(game, policies)]
    length = max((len(cycles) for cycles, _ in plays), default=0)
    shares = np.full((length, num_players, len(sources)), ZERO, dtype=object)
    for cycles, weight in plays:
        _add(found, tuple(_summed(moves, num_players) for moves in cycles), weight)
        for number, moves in enumerate(cycles):
            for move in moves:
                column = sources.index(move.mover)
                shares[number, :, column] += [weight * reward for reward in move.rewards]
    _require_equal(expected, found)
    return RewardAttribution(sources, freeze(shares))


def _cycles(moves: Iterable[Move]) -> list[list[Move]]:
    """Return the moves of each cycle; what chance pays first of all belongs to the first."""
    listed = list(moves)
    cycles: list[list[Move]] = []
    current = listed[:1] if any(listed[0].rewards) else []
    for move in listed[1:]:
        current.append(move)
        if move.mover == CHANCE:
            cycles.append(current)
            current = []
    return [*cycles, current] if current else cycles


def _summed(moves: list[Move], num_players: int) -> Cycle:
    actions = tuple(
        action
        for player in range(num_players)
        for action in [move.action for move in moves if move.mover == player]
    )
    totals = [sum((move.rewards[i] for move in moves), ZERO) for i in range(num_players)]
    return actions, tuple(totals)


def _add(law: dict[Any, Fraction], outcome: Any, weight: Fraction) -> None:
    law[outcome] = law.get(outcome, ZERO) + weight


def _require_equal(
    expected: dict[tuple[Cycle, ...], Fraction], found: dict[tuple[Cycle, ...], Fraction]
) -> None:
    for cycles in {**expected, **found}:
        due, has = expected.get(cycles, ZERO), found.get(cycles, ZERO)
        if due != has:
            shown = "; ".join(
                f"actions {actions!r} paid {[str(r) for r in rewards]}"
                for actions, rewards in cycles
            )
            raise LawBroken(
                needs="cycles that pay together what the POSG's steps pay",
                found=f"the play [{shown}] has probability {due} in the POSG and {has} in the AEC "
                "game",
            )
