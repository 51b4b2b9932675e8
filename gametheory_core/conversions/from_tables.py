"""POSGs and AEC games written by hand as dictionaries, followed so that no row is missing."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from gametheory_core.conversions.tabular import aec_to_tabular, posg_to_tabular
from gametheory_core.errors import InvalidGame
from gametheory_core.games.listings import (
    ListedAEC,
    ListedPOSG,
    Listing,
    list_aec,
    list_posg,
    listed_legal,
    refuse_idle_rows,
)
from gametheory_core.games.rules import NULL
from gametheory_core.games.tables import TabularAEC, TabularPOSG
from gametheory_core.games.tree_table import CHANCE

Row = tuple[str, Hashable]
POSG_TABLES = ("transitions", "observations", "initial_observations", "rewards", "legal_actions")
AEC_TABLES = ("chances", "moves", "turns", "rewards", "observations", "legal_actions")


def posg_from_tables(
    *,
    players: Sequence[str],
    actions: Sequence[Sequence[Hashable]],
    initial: Mapping[Any, object],
    transitions: Mapping[Any, object],
    rewards: Mapping[Any, Any] | None = None,
    observations: Mapping[Any, object] | None = None,
    initial_observations: Mapping[Any, object] | None = None,
    legal_actions: Mapping[Any, Any] | None = None,
    legal_in_states: Mapping[Any, Any] | None = None,
    terminal: Iterable[Hashable] = (),
    discount: object = 1,
    horizon: int | None = None,
    title: str = "",
) -> TabularPOSG:
    """Build a POSG from dictionaries.

    A distribution is ``{outcome: weight}``, its weights exact: integers, fractions, or text like
    ``"1/3"``. Labels of states, actions and observations are any hashable values.

    Args:
        actions: Labels of each player's actions.
        initial: Of the first state.
        transitions: (state, joint action) -> distribution of the next state.
        rewards: (state, joint action, next state) -> a reward for each player, in payoff units.
            What is not listed pays nothing.
        observations: (joint action, state entered) -> distribution of joint observations. By
            default nobody sees anything.
        initial_observations: First state -> distribution of joint observations before the first
            action.
        legal_actions: (player, own last observation) -> actions; where nothing is listed, all.
        legal_in_states: Instead: (player, state) -> actions. They must be the same in all states in
            which the player may see the same, or the legal actions would tell what is hidden.
        terminal: In which play has ended.
        discount (number): Factor on rewards for each step, in [0, 1].
        horizon: Number of steps after which play stops.

    Raises:
        InvalidGame: If a row is malformed, missing, or about something that play cannot reach even
            without the horizon; names the row.

    >>> game = posg_from_tables(
    ...     players=["Ann", "Bob"],
    ...     actions=[["H", "T"], ["H", "T"]],
    ...     initial={"before": 1},
    ...     transitions={("before", (a, b)): {"after": 1} for a in "HT" for b in "HT"},
    ...     rewards={
    ...         ("before", (a, b), "after"): (1, -1) if a == b else (-1, 1)
    ...         for a in "HT"
    ...         for b in "HT"
    ...     },
    ...     terminal=["after"],
    ... )
    >>> game.reward("before", ("H", "T"), "after")
    (Fraction(-1, 1), Fraction(1, 1))
    """
    _refuse_both(legal_actions, legal_in_states)
    game = list_posg(
        players=players,
        actions=actions,
        initial=initial,
        transitions=transitions,
        rewards=rewards,
        observations=observations,
        initial_observations=initial_observations,
        legal_actions=legal_actions,
        terminal=terminal,
        discount=discount,
        horizon=horizon,
        title=title,
    )
    if legal_in_states is not None:
        game = replace(game, legal=_by_observation(game, legal_in_states))
    whole = posg_to_tabular(replace(game, horizon=None)).target
    _refuse_unmet(game, POSG_TABLES, set(_asked(game, whole)), whole)
    return posg_to_tabular(game).target


def _asked(game: ListedPOSG, whole: TabularPOSG) -> Iterator[Row]:
    """Yield the questions that play asks."""
    for state, _ in game.first:
        yield "initial_observations", state
    for row, key in enumerate(whole.row_key.tolist()):
        state = whole.states[key // whole.num_joint_actions]
        joint = whole.joint_action(key % whole.num_joint_actions)
        yield "transitions", (state, joint)
        for after, _ in whole.transition_kernel.law(row, whole.states):
            yield "rewards", (state, joint, after)
            yield "observations", (joint, after)
    for player, own in enumerate(whole.observations):
        for seen in own:
            yield "legal_actions", (player, seen)


def _by_observation(game: ListedPOSG, in_states: Mapping[Any, Any]) -> Listing[tuple[Any, ...]]:
    """Return legal actions by own observation, refusing those that tell more than it does."""
    listed = listed_legal(in_states, "legal_in_states", game.actions, game.players)
    found: dict[tuple[int, Any], tuple[Any, tuple[Any, ...]]] = {}
    waiting = [(s, o) for s, _ in game.initial() for o, _ in game.initial_observation(s)]
    met = set(waiting)
    states: set[Any] = set()
    while waiting:
        state, seen = waiting.pop()
        states.add(state)
        if game.is_terminal(state):
            continue
        legal = [listed.get((i, state)) or own for i, own in enumerate(game.actions)]
        for player, (own, observation) in enumerate(zip(legal, seen, strict=True)):
            before = found.setdefault((player, observation), (state, own))
            label = game.players[player]
            _refuse_telling(label, observation, before, (state, own))
        for joint in product(*legal):
            for after, _ in game.transition(state, joint):
                shown = [] if game.is_terminal(after) else list(game.observation(joint, after))
                fresh = {(after, o) for o, _ in shown} - met
                met |= fresh
                waiting.extend(fresh)
    rows = (("legal_in_states", key) for key in listed)
    refuse_idle_rows(
        rows, {("legal_in_states", (i, s)) for s in states for i in range(len(game.players))}
    )
    return Listing(tuple((key, own) for key, (_, own) in found.items()))


def aec_from_tables(
    *,
    players: Sequence[str],
    actions: Sequence[Sequence[Hashable]],
    initial_state: Any,
    chances: Mapping[Any, object],
    moves: Mapping[Any, Any],
    turns: Mapping[Any, object],
    rewards: Mapping[Any, Any] | None = None,
    observations: Mapping[Any, object] | None = None,
    legal_actions: Mapping[Any, Any] | None = None,
    legal_in_states: Mapping[Any, Any] | None = None,
    terminal: Iterable[Hashable] = (),
    discount: object = 1,
    horizon: int | None = None,
    title: str = "",
) -> TabularAEC:
    """Build an AEC game from dictionaries.

    A distribution is ``{outcome: weight}``, its weights exact: integers, fractions, or text like
    ``"1/3"``. Labels of states, actions and observations are any hashable values. A mover is a
    player ``0, 1, ...`` or ``CHANCE``, whose action is ``NULL``.

    Args:
        actions: Labels of each player's actions.
        initial_state (hashable): In which chance makes the first move.
        chances: State -> distribution of the next state when chance moves.
        moves: (player, state, action) -> the next state.
        turns: (state, mover, action, next state) -> distribution of who moves next.
        rewards: (state, mover, action, next state) -> a tuple with a reward for each player, in
            payoff units, or a distribution of such tuples. What is not listed pays nothing.
        observations: (player, state) -> distribution of what the player sees there on their own
            turn. By default nothing.
        legal_actions: (player, own last observation) -> actions; where nothing is listed, all.
        legal_in_states: Instead: (player, state) -> actions. They must be the same in all states in
            which the player may see the same, or the legal actions would tell what is hidden.
        terminal: In which play has ended.
        discount (number): Factor on rewards for each completed chance move after the first, in [0,
            1].
        horizon: Number of moves, chance's counted, after which play stops.

    Raises:
        InvalidGame: If a row is malformed, missing, or about something that play cannot reach even
            without the horizon; names the row.

    >>> from gametheory_core import expected_returns, uniform_policies
    >>> game = aec_from_tables(
    ...     players=["Ann"],
    ...     actions=[["stop"]],
    ...     initial_state="start",
    ...     chances={"start": {"ready": 1}},
    ...     moves={(0, "ready", "stop"): "over"},
    ...     turns={("start", CHANCE, NULL, "ready"): {0: 1}},
    ...     rewards={("ready", 0, "stop", "over"): {(5,): "1/2", (0,): "1/2"}},
    ...     terminal=["over"],
    ... )
    >>> str(expected_returns(game, uniform_policies(game))[0])
    '5/2'
    """
    _refuse_both(legal_actions, legal_in_states)
    game = list_aec(
        players=players,
        actions=actions,
        initial_state=initial_state,
        chances=chances,
        moves=moves,
        turns=turns,
        rewards=rewards,
        observations=observations,
        legal_actions=legal_actions,
        terminal=terminal,
        discount=discount,
        horizon=horizon,
        title=title,
    )
    if legal_in_states is not None:
        game = replace(game, legal=_moves_by_observation(game, legal_in_states))
    whole = aec_to_tabular(replace(game, horizon=None)).target
    _refuse_unmet(game, AEC_TABLES, set(_turns_asked(whole)), whole)
    return aec_to_tabular(game).target


def _turns_asked(whole: TabularAEC) -> Iterator[Row]:
    """Yield the questions that play asks."""
    for row, key in enumerate(whole.row_key.tolist()):
        state, mover = whole.states[whole.row_state[row]], int(whole.row_mover[row])
        chance = mover == CHANCE
        action = NULL if chance else whole.actions[mover][key % whole.most_actions]
        yield ("chances", state) if chance else ("moves", (mover, state, action))
        for after, _ in whole.transition_kernel.law(row, whole.states):
            yield "rewards", (state, mover, action, after)
            if not whole.is_terminal(after):
                yield "turns", (state, mover, action, after)
    for key in whole.observation_key.tolist():
        state, player = divmod(key, len(whole.players))
        yield "observations", (player, whole.states[state])
    for player, own in enumerate(whole.observations):
        for seen in own:
            yield "legal_actions", (player, seen)


def _moves_by_observation(
    game: ListedAEC, in_states: Mapping[Any, Any]
) -> Listing[tuple[Any, ...]]:
    """Return legal actions by own observation, refusing those that tell more than it does."""
    listed = listed_legal(in_states, "legal_in_states", game.actions, game.players)
    found: dict[tuple[int, Any], tuple[Any, tuple[Any, ...]]] = {}
    waiting: list[tuple[Any, int]] = [(game.initial_state, CHANCE)]
    met = set(waiting)
    while waiting:
        state, mover = waiting.pop()
        if game.is_terminal(state):
            continue
        if mover == CHANCE:
            steps = [(NULL, after) for after, _ in game.chance(state)]
        else:
            legal = listed.get((mover, state)) or game.actions[mover]
            for seen, _ in game.observation(mover, state):
                before = found.setdefault((mover, seen), (state, legal))
                _refuse_telling(game.players[mover], seen, before, (state, legal))
            steps = [(action, game.move(mover, state, action)) for action in legal]
        for action, after in steps:
            if not game.is_terminal(after):
                turns = game.next_player(state, mover, action, after)
                fresh = {(after, turn) for turn, _ in turns} - met
                met |= fresh
                waiting.extend(fresh)
    rows = (("legal_in_states", key) for key in listed)
    known_rows = {("legal_in_states", (mover, state)) for state, mover in met}
    refuse_idle_rows(rows, known_rows)
    return Listing(tuple((key, own) for key, (_, own) in found.items()))


def _refuse_both(legal_actions: object, legal_in_states: object) -> None:
    if legal_actions is not None and legal_in_states is not None:
        raise InvalidGame(
            needs="legal_actions or legal_in_states", found="got both", remedy="Leave one out."
        )


def _refuse_unmet(
    game: ListedPOSG | ListedAEC,
    tables: Sequence[str],
    asked: set[Row],
    whole: TabularPOSG | TabularAEC,
) -> None:
    """Refuse rows that answer no question of play, and terminal states that it cannot reach."""
    rows = (
        (name, key)
        for name in tables
        for key in getattr(game, "legal" if name == "legal_actions" else name) or ()
    )
    refuse_idle_rows(rows, asked)
    stray = [state for state in game.terminal if state not in whole.state_index]
    if stray:
        raise InvalidGame(
            needs="terminal states that play can reach",
            found=f"{stray[0]!r} is none",
            remedy="Leave it out.",
        )


def _refuse_telling(
    player: str,
    seen: object,
    before: tuple[object, tuple[Any, ...]],
    now: tuple[object, tuple[Any, ...]],
) -> None:
    """Refuse legal actions that differ between states in which the player sees the same."""
    if before[1] != now[1]:
        raise InvalidGame(
            needs="legal actions that follow from the player's own observation",
            found=f"{player!r} sees {seen!r} in state {before[0]!r}, with {before[1]!r}, and in "
            f"state {now[0]!r}, with {now[1]!r}",
            remedy="Show the difference.",
        )
