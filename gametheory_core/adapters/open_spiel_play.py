"""A walk as OpenSpiel plays it: a game in Python, its states, and what observers see of them.

A state stands at a place, which knows the fork, what was earned, and the places reached from it.
Copies of a state share its place; a state from a file finds its own again by OpenSpiel's history.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, cast

from gametheory_core.adapters.open_spiel_facts import Facts, Survey
from gametheory_core.adapters.open_spiel_observers import Encoder, Observer
from gametheory_core.adapters.open_spiel_states import pyspiel
from gametheory_core.adapters.open_spiel_walks import ALL, Position, Walk
from gametheory_core.arrays import as_float, exact_array
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from gametheory_core.games.extensive_form import TERMINAL
from gametheory_core.games.tree_table import CHANCE

KEPT_PLACES = 100_000  # of one game, that stay linked to the place before
SMALLEST = 5e-324  # above zero: for positive probabilities that floats cannot hold

_Kind = pyspiel.GameType
_MOVERS = {
    CHANCE: pyspiel.PlayerId.CHANCE,
    ALL: pyspiel.PlayerId.SIMULTANEOUS,
    TERMINAL: pyspiel.PlayerId.TERMINAL,
}


class Place:
    """Where play stands; never changed but for what it has found out.

    Attributes:
        fork: What happens here.
        earned, before: Paid to each player so far, and until the last fork at which players act.
    """

    __slots__ = ("before", "earned", "fork", "here", "mover", "near", "returns", "rewards", "texts")

    def __init__(
        self, walk: Walk, here: Position, earned: tuple[Fraction, ...], before: tuple[Fraction, ...]
    ) -> None:
        self.here, self.fork, self.before = here, walk.fork(here), before
        paid = walk.paid(here)
        self.earned = earned
        if any(paid):
            self.earned = tuple(a + b for a, b in zip(earned, paid, strict=True))
        self.mover = _MOVERS.get(self.fork.mover, self.fork.mover)
        self.returns = list(map(float, self.earned))
        steps = zip(self.earned, before, strict=True)
        self.rewards = self.returns if not any(before) else [float(b - a) for b, a in steps]
        self.near: dict[tuple[int, ...], Place] = {}
        self.texts: dict[int, str] = {}

    def __deepcopy__(self, memo: object) -> "Place":
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _found_again, ()


def _found_again() -> None:
    """Stand in files for a place: OpenSpiel's history leads there."""


class PlayedGame(pyspiel.Game):
    """A game of ours as a Python game of OpenSpiel; see ``to_open_spiel``.

    Attributes:
        walk: The game.
        facts: What holds of all plays.
        recipe: A function and its arguments that make the game again, for ``pickle``.
    """

    def __init__(
        self, walk: Walk, facts: Facts, *, name: str, title: str, recipe: tuple[Any, ...]
    ) -> None:
        self.walk, self.facts, self.recipe = walk, facts, recipe
        self.has_sights = not walk.has_only_infosets
        self.encoder = Encoder(walk, facts)
        super().__init__(_type_of(self, name, title), _info_of(walk, facts), {})
        nothing = (Fraction(0),) * len(walk.players)
        self.start = Place(walk, walk.start, nothing, nothing)
        self.num_kept = 0

    def new_initial_state(self) -> "PlayedState":
        """Return the state in which nothing has happened."""
        return PlayedState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return how often chance draws at most in one play."""
        return self.facts.draws

    def make_py_observer(
        self, iig_obs_type: Any = None, params: object = None
    ) -> "Observer | None":
        """Return what writes down information states, or last sights; None for other parts."""
        if params:
            raise InvalidArgument(
                needs="no parameters of observers", found=f"got {params!r}", where=str(self)
            )
        recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        whole = iig_obs_type is None or (
            iig_obs_type.public_info
            and iig_obs_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        )
        if not whole or not (recall or self.has_sights):
            return None
        return Observer(self.encoder, recall=recall)

    def place_after(self, place: Place, choices: tuple[int, ...]) -> Place:
        """Return the place to which choices lead, of one or of all players."""
        found = place.near.get(choices)
        if found is not None:
            return found
        labels = place.fork.labels
        if len(labels) != len(choices) or any(
            not 0 <= choice < len(own) for choice, own in zip(choices, labels, strict=True)
        ):
            raise InvalidArgument(
                needs="legal actions",
                found=f"got {list(choices)} where there are {[len(own) for own in labels]}",
                remedy="Choose from legal_actions().",
                where=str(self),
            )
        before = place.before if place.fork.mover == CHANCE else place.earned
        found = Place(self.walk, self.walk.after(place.here, choices), place.earned, before)
        if self.num_kept < KEPT_PLACES:
            self.num_kept += 1
            place.near[choices] = found
        return found

    def place_of(self, state: "PlayedState") -> Place:
        """Return the place to which a state's history leads."""
        place, waiting = self.start, [item.action for item in state.full_history()]
        while waiting:
            count = len(place.fork.labels)
            place = self.place_after(place, tuple(waiting[:count]))
            waiting = waiting[count:]
        return place

    def __reduce__(self) -> tuple[object, ...]:
        return self.recipe


class PlayedState(pyspiel.State):
    """A state of a game of ours, as OpenSpiel asks and moves it."""

    def __init__(self, game: PlayedGame) -> None:
        super().__init__(game)
        self.place: Place | None = game.start

    def at(self) -> Place:
        """Return where play stands."""
        place = self.place
        if place is None:
            place = self.place = cast("PlayedGame", self.get_game()).place_of(self)
        return place

    def current_player(self) -> int:
        """Return who moves."""
        return self.at().mover

    def is_terminal(self) -> bool:
        """Tell whether play has ended."""
        return self.at().fork.mover == TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self._words(player))))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return chance's outcomes and their probabilities."""
        return [(k, float(w) or SMALLEST) for k, w in enumerate(self.at().fork.weights)]

    def _apply_action(self, action: int) -> None:
        self.place = self.get_game().place_after(self.at(), (action,))

    def _apply_actions(self, actions: Sequence[int]) -> None:
        self.place = self.get_game().place_after(self.at(), tuple(actions))

    def _action_to_string(self, player: int, action: int) -> str:
        return self._words(player)[action]

    def _words(self, player: int) -> tuple[str, ...]:
        fork = self.at().fork
        return fork.labels[player if fork.mover == ALL else 0]

    def returns(self) -> list[float]:
        """Return what each player has earned so far."""
        return self.at().returns

    def rewards(self) -> list[float]:
        """Return what each player was paid since players last acted."""
        return self.at().rewards

    def __str__(self) -> str:
        return " ".join(map(str, self.history())) or "start"

    def __reduce__(self) -> tuple[object, ...]:
        return state_after, (self.get_game(), [item.action for item in self.full_history()])


def state_after(game: PlayedGame, history: Sequence[int]) -> PlayedState:
    """Return the state after a history, with a number for each player where all act at once."""
    state = game.new_initial_state()
    waiting = list(history)
    while waiting:
        count = len(state.at().fork.labels)
        if state.is_simultaneous_node():
            state.apply_actions(waiting[:count])
        else:
            state.apply_action(waiting[0])
        waiting = waiting[count:]
    return state


def _type_of(game: PlayedGame, name: str, title: str) -> Any:
    facts, count = game.facts, len(game.walk.players)
    has_tensor = Observer(game.encoder, recall=True).tensor is not None
    return _Kind(
        short_name=name,
        long_name=title,
        dynamics=_Kind.Dynamics.SIMULTANEOUS if game.walk.at_once else _Kind.Dynamics.SEQUENTIAL,
        chance_mode=_Kind.ChanceMode.EXPLICIT_STOCHASTIC
        if facts.num_outcomes
        else _Kind.ChanceMode.DETERMINISTIC,
        information=_Kind.Information.PERFECT_INFORMATION
        if facts.has_perfect_information
        else _Kind.Information.IMPERFECT_INFORMATION,
        utility=_utility(facts),
        reward_model=_Kind.RewardModel.REWARDS if facts.pays_early else _Kind.RewardModel.TERMINAL,
        max_num_players=count,
        min_num_players=count,
        provides_information_state_string=True,
        provides_information_state_tensor=has_tensor,
        provides_observation_string=game.has_sights,
        provides_observation_tensor=game.has_sights,
    )


def _utility(facts: Facts) -> Any:
    if facts.least_sum == facts.most_sum:
        is_zero = facts.least_sum == 0
        return _Kind.Utility.ZERO_SUM if is_zero else _Kind.Utility.CONSTANT_SUM
    return _Kind.Utility.IDENTICAL if facts.has_equal_payoffs else _Kind.Utility.GENERAL_SUM


def _info_of(walk: Walk, facts: Facts) -> Any:
    low, high, total = as_float(exact_array([facts.low, facts.high, facts.least_sum])).tolist()
    return pyspiel.GameInfo(
        num_distinct_actions=facts.num_actions,
        max_chance_outcomes=facts.num_outcomes,
        num_players=len(walk.players),
        min_utility=low,
        max_utility=high if low < high else low + max(1.0, abs(low)),
        utility_sum=total if facts.least_sum == facts.most_sum else None,
        max_game_length=facts.moves,
    )


def played(
    walk: Walk, *, title: str, name: str, max_positions: int, recipe: tuple[Any, ...]
) -> PlayedGame:
    """Return the game of a walk, looked over first.

    Raises:
        UnsupportedGame: If no player ever moves, or there are too many positions.
    """
    facts = Survey(walk, title=title, max_positions=max_positions).facts()
    if not facts.moves:
        raise UnsupportedGame(
            needs="a move of a player",
            found=f"in {title} nobody ever moves",
            remedy="OpenSpiel has no games without actions.",
        )
    return PlayedGame(walk, facts, name=name, title=title, recipe=recipe)
