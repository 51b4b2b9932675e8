"""The door to OpenSpiel: its states read as exact facts.

Everything here takes a living ``pyspiel`` state and leaves it as it is. Actions are named by
OpenSpiel's own words for them, and told apart by number only where the words repeat.

Its floats are read as ``gametheory_core.recovered_numbers`` says.
"""

import importlib
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache, wraps
from math import isfinite
from sys import intern
from typing import Any, TypeAlias, TypeVar, cast

from gametheory_core.arrays import to_fraction
from gametheory_core.errors import GameTheoryError, InvalidArgument, UnsupportedGame, not_installed
from gametheory_core.games.rules import Rewards
from gametheory_core.recovered_numbers import recovered_law, recovered_step

try:
    pyspiel: Any = importlib.import_module("pyspiel")  # compiled, and tells no types
except ImportError as error:
    raise not_installed("adapters.open_spiel", "open_spiel", extra="interop") from error

SpielGame: TypeAlias = Any  # pyspiel.Game
SpielState: TypeAlias = Any  # pyspiel.State
CACHED_STATES = 2**9  # of 10 KB each, up to 80 KB
Question = TypeVar("Question", bound=Callable[..., Any])


def _failure(game: SpielGame, history: Sequence[int], error: Exception) -> UnsupportedGame:
    return UnsupportedGame(
        needs="answers from OpenSpiel",
        found=f"it fails after {list(history)}: {type(error).__name__}: {error}".rstrip("."),
        remedy="Choose other parameters, or another game.",
        witness=tuple(history),
        where=f"OpenSpiel's {game}",
    )


def asks_open_spiel(question: Question) -> Question:
    """Let what is raised inside OpenSpiel name the library, the game and the history.

    Args:
        question: Its first argument is a state of OpenSpiel.
    """

    @wraps(question)
    def asked(state: SpielState, *arguments: Any) -> Any:
        try:
            return question(state, *arguments)
        except GameTheoryError:
            raise
        except Exception as error:
            raise _failure(state.get_game(), state.history(), error) from error

    return cast("Question", asked)


def spiel_game(game_or_name: object, *, owner: str) -> SpielGame:
    """Return OpenSpiel's game, after checking that its rules can be listed exactly.

    Args:
        game_or_name (pyspiel.Game or str): A name has parameters as OpenSpiel writes them, such as
            ``"kuhn_poker(players=3)"``.
        owner: The function to name in messages.

    Raises:
        InvalidArgument: If OpenSpiel has no such game, or refuses its parameters.
        UnsupportedGame: If chance cannot be listed, or players are a continuum or see nothing that
            can be read.
    """
    game: SpielGame = (
        _loaded(game_or_name, owner) if isinstance(game_or_name, str) else game_or_name
    )
    if not isinstance(game, pyspiel.Game):
        raise InvalidArgument(
            needs="a pyspiel.Game or its name",
            found=f"got {game!r} (type {type(game).__name__})",
            where=owner,
        )
    kind = game.get_type()
    if kind.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD:
        problem = "finitely many players, but it is a mean-field game"
    elif kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        problem = "outcomes of chance with probabilities, but it only samples them"
    elif not (kind.provides_information_state_string or kind.provides_observation_string):
        problem = "a text of what players know, but it provides none"
    else:
        return game
    raise UnsupportedGame(needs=problem, where=f"{owner}: OpenSpiel's {kind.short_name!r}")


def named_game(game_or_name: object, *, owner: str) -> str:
    """Return a name by which OpenSpiel loads a game, its full name if it knows one.

    Raises:
        InvalidArgument, UnsupportedGame: As ``spiel_game``; or if it is a game without a name, as
            those built from matrices, or another game each time it is loaded.
    """
    game = spiel_game(game_or_name, owner=owner)
    name = str(game)
    if "add_noise(" in name:
        raise UnsupportedGame(
            needs="a game that is the same each time it is loaded",
            found="add_noise draws payoffs when they are first asked for",
            remedy="Use open_spiel_tree, which asks for them once.",
            where=owner,
        )
    if _loads_as_itself(name):
        return name
    if isinstance(game_or_name, str):  # some games of games show no name that can be loaded
        return game_or_name
    raise UnsupportedGame(
        needs="a game that OpenSpiel loads by name",
        found=f"{name!r} is not one",
        remedy="Give the name it was loaded by, or use open_spiel_tree.",
        where=owner,
    )


def _loads_as_itself(name: str) -> bool:
    if _family(name) not in pyspiel.registered_names():
        return False
    try:
        return str(pyspiel.load_game(name)) == name
    except pyspiel.SpielError:
        return False


def _family(name: str) -> str:
    return name.split("(", maxsplit=1)[0].strip()


def _loaded(name: str, owner: str) -> SpielGame:
    family = _family(name)
    if family not in pyspiel.registered_names():
        raise InvalidArgument(
            needs="a game of OpenSpiel",
            found=f"it has none named {family!r}",
            remedy="See pyspiel.registered_names(); games in Python need import "
            "open_spiel.python.games.",
            where=owner,
        )
    try:
        return pyspiel.load_game(name)
    except pyspiel.SpielError as error:
        raise InvalidArgument(
            where=owner,
            needs="parameters that OpenSpiel takes",
            found=f"it refuses {name!r}: {error}",
        ) from error


@lru_cache(maxsize=64)
def game_named(name: str) -> SpielGame:
    """Return the game of a name, checked as ``spiel_game`` does; recent ones are kept."""
    return spiel_game(name, owner="open_spiel")


def player_labels(game: SpielGame) -> tuple[str, ...]:
    """Return labels of the players, who have none in OpenSpiel."""
    return tuple(f"Player {player + 1}" for player in range(game.num_players()))


def acts_at_once(game: SpielGame) -> bool:
    """Tell whether players act at once somewhere in the game."""
    return game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS


def initial_state(game: SpielGame) -> SpielState:
    """Return a new state in which nothing has happened."""
    try:
        return game.new_initial_state()
    except Exception as error:
        raise _failure(game, (), error) from error


@lru_cache(maxsize=CACHED_STATES)
def state_after(name: str, events: tuple[int, ...]) -> SpielState:
    """Return the state after a history, one number for each action; never change it.

    Where all act at once, the history has one number for each player.
    """
    state = initial_state(game_named(name))
    place = 0
    while place < len(events):
        following = place + num_choices(state)
        apply_choices(state, events[place:following])
        place = following
    return state


def apply_choice(state: SpielState, action: int) -> None:
    """Move a state on by one action, of a player or of chance."""
    try:
        state.apply_action(action)
    except Exception as error:
        raise _failure(state.get_game(), (*state.history(), action), error) from error


def apply_choices(state: SpielState, actions: Sequence[int]) -> None:
    """Move a state on by one action, or by one of each player where all act at once."""
    if not state.is_simultaneous_node():
        apply_choice(state, actions[0])
        return
    try:
        state.apply_actions(list(actions))
    except Exception as error:
        raise _failure(state.get_game(), (*state.history(), *actions), error) from error


def num_choices(state: SpielState) -> int:
    """Return how many actions lead on from a state: one of each player where all act at once."""
    return state.num_players() if state.is_simultaneous_node() else 1


@asks_open_spiel
def movers(state: SpielState) -> tuple[int, ...]:
    """Return the players who act in a state: one, all at a simultaneous node, or none.

    Raises:
        UnsupportedGame: If somebody has no action where all act at once.
    """
    if state.is_chance_node() or state.is_terminal():
        return ()
    if not state.is_simultaneous_node():
        return (state.current_player(),)
    everyone = tuple(range(state.num_players()))
    for player in everyone:
        if not state.legal_actions(player):
            raise UnsupportedGame(
                needs="an action of every player where all act at once",
                found=f"player {player + 1} has none after {state.history()}",
                where=f"OpenSpiel's {state.get_game()}",
            )
    return everyone


@asks_open_spiel
def labelled_actions(state: SpielState, player: int) -> dict[str, int]:
    """Return the legal actions of a player (or chance): label -> OpenSpiel's number."""
    actions = state.legal_actions(player)
    return dict(zip(_labels(state, player, actions), actions, strict=True))


def _labels(state: SpielState, player: int, actions: Sequence[int]) -> list[str]:
    texts = [intern(state.action_to_string(player, action)) for action in actions]
    if len(set(texts)) == len(texts):
        return texts
    return [f"{action}: {text}" for action, text in zip(actions, texts, strict=True)]


@asks_open_spiel
def chance_law(state: SpielState) -> list[tuple[str, int, Fraction]]:
    """Return what chance does: label, OpenSpiel's number and exact positive probability.

    Raises:
        UnsupportedGame: If the floats given are no probabilities of small fractions; shows them.
    """
    outcomes = [(action, weight) for action, weight in state.chance_outcomes() if weight > 0]
    actions = [action for action, _ in outcomes]
    weights = recovered_law(
        [weight for _, weight in outcomes],
        where=f"OpenSpiel's {state.get_game()}: chance after {state.history()}",
    )
    labels = _labels(state, pyspiel.PlayerId.CHANCE, actions)
    return list(zip(labels, actions, weights, strict=True))


def has_information_states(game: SpielGame) -> bool:
    """Tell whether OpenSpiel says itself what players know."""
    return game.get_type().provides_information_state_string


def knowledge(state: SpielState, player: int) -> str:
    """Return OpenSpiel's text of what a player knows, or, where it has none, of what it sees."""
    if has_information_states(state.get_game()):
        return known_text(state, player)
    return seen_text(state, player)


@asks_open_spiel
def known_text(state: SpielState, player: int) -> str:
    """Return OpenSpiel's text of what a player knows."""
    return state.information_state_string(player)


@asks_open_spiel
def seen_text(state: SpielState, player: int) -> str:
    """Return OpenSpiel's text of what a player sees."""
    return state.observation_string(player)


def pays_on_the_way(game: SpielGame) -> bool:
    """Tell whether a game pays rewards as play continues, not only returns at its end."""
    return game.get_type().reward_model == pyspiel.GameType.RewardModel.REWARDS


@asks_open_spiel
def earned(state: SpielState) -> tuple[float, ...]:
    """Return OpenSpiel's returns: the sum of all rewards so far.

    Rewards themselves say nothing at moves of chance, where many games repeat the last one.
    """
    return tuple(state.returns())


def payments(state: SpielState, before: tuple[float, ...] = ()) -> Rewards:
    """Return what each player is paid on the way to a state, on top of what was earned before.

    Raises:
        InvalidGame: If an amount is not finite; names the game and the history.
    """
    after = earned(state)
    if all(map(isfinite, after + before)):
        return _steps(after, before or (0.0,) * len(after))
    where = f"payment of {state.get_game().get_type().short_name!r} after {state.history()}"
    return tuple(to_fraction(amount, where=where) for amount in after + before)  # refuses them


@lru_cache(maxsize=4096)  # the same few payments stand at the end of most plays
def _steps(after: tuple[float, ...], before: tuple[float, ...]) -> Rewards:
    exact = map(recovered_step, after, before)  # integers where they are: quicker to look up
    return tuple(int(amount) if amount.denominator == 1 else amount for amount in exact)
