"""POSGs and AEC games written by hand as dictionaries, followed so that no row is missing."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from inspect import signature
from typing import Any, ParamSpec, TypeVar

from gametheory_core.conversions.tabular import aec_to_tabular, posg_to_tabular
from gametheory_core.errors import InvalidGame
from gametheory_core.games import CHANCE, NULL, TabularAEC, TabularPOSG, list_aec, list_posg
from gametheory_core.games.listings import ListedAEC, ListedPOSG, refuse_idle_rows

Arguments = ParamSpec("Arguments")
Table = TypeVar("Table", TabularPOSG, TabularAEC)
Row = tuple[str, Hashable]
POSG_TABLES = ("transitions", "observations", "initial_observations", "rewards", "legal_actions")
AEC_TABLES = ("chances", "moves", "turns", "rewards", "observations", "legal_actions")


def _with_arguments_of(
    lists: Callable[Arguments, Any],
) -> Callable[[Callable[..., Table]], Callable[Arguments, Table]]:
    """Give a function the arguments of the one that it hands them to."""

    def give(function: Callable[..., Table]) -> Callable[Arguments, Table]:
        returned = signature(function).return_annotation
        vars(function)["__signature__"] = signature(lists).replace(return_annotation=returned)
        return function

    return give


@_with_arguments_of(list_posg)
def posg_from_tables(**tables: Any) -> TabularPOSG:
    """Build a POSG from dictionaries.

    A distribution is ``{outcome: weight}``, its weights integers, fractions, or text like
    ``"1/3"``; floats may miss a sum of 1 by their rounding. Labels of states, actions and
    observations are any hashable values.

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
        decimals: Whether a float means the shortest decimal that is read as it (0.1 as 1/10), and
            not the dyadic number that it is.

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
    game = list_posg(**tables)
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


@_with_arguments_of(list_aec)
def aec_from_tables(**tables: Any) -> TabularAEC:
    """Build an AEC game from dictionaries.

    A distribution is ``{outcome: weight}``, its weights integers, fractions, or text like
    ``"1/3"``; floats may miss a sum of 1 by their rounding. Labels of states, actions and
    observations are any hashable values. A mover is a player ``0, 1, ...`` or ``CHANCE``, whose
    action is ``NULL``.

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
        decimals: Whether a float means the shortest decimal that is read as it (0.1 as 1/10), and
            not the dyadic number that it is.

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
    game = list_aec(**tables)
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


def _refuse_unmet(
    game: ListedPOSG | ListedAEC,
    tables: Sequence[str],
    asked: set[Row],
    whole: TabularPOSG | TabularAEC,
) -> None:
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
