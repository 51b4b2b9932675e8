"""Time and turns in AEC games: clocks that idle players can read, and dispatch steps.

In the POSG of an AEC game each player is present at every move, so a player knows at which moves
the own turns came. That is news exactly if some own history of observations and actions can come
about with the turns at different moves. The search walks over pairs of plays that one player cannot
tell apart; it is finite on finite games, whatever their horizon.

Dispatch steps: who moves next, made a function of the state before and the action alone.

The paper's ``nu(s, i, a, j)`` cannot tie the next mover to what chance has just drawn. Nothing is
lost: after each move of chance let chance move once more, trivially, from the state drawn; that
state then decides who is next. Contracting the trivial steps gives the game back.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from gametheory_core.arrays import ZERO
from gametheory_core.conversions.conversion import Conversion, Identity, Preserved
from gametheory_core.distributions import Distribution, point_mass, push_forward
from gametheory_core.errors import InvalidStrategy, UnsupportedGame, named
from gametheory_core.games import AEC, CHANCE, IDLE, NULL, AecPlay, Verdict
from gametheory_core.games.checked_rules import checked_aec
from gametheory_core.games.rules import InformationState, Rewards, from_inner, written_as
from gametheory_core.strategies.policies import PolicyProfile

CLOCK_STATES = 20_000
MAX_PAIRS = 2_000_000
NO_LEAK = Verdict(False)

Position: TypeAlias = tuple[Any, int]  # state, mover


class _Situation(NamedTuple):
    """A position on the player's own turn, or between two of them."""

    views: dict[Any, tuple[Any, ...]]  # observation -> legal actions; empty on others' turns
    after: dict[Any, tuple[int, ...]]  # own action (None on others' turns) -> situations


def clock_leak(game: AEC, *, max_states: int = CLOCK_STATES) -> Verdict:
    """Decide whether some player can learn the time from idle moves.

    Args:
        game: Finite; if it has a horizon, only plays within it count.
        max_states: The largest number of (state, mover) positions to look at.

    Returns:
        True, with the player and the information state that comes about at different times in
        ``reason``, if the clock leaks. If false, ``aec_to_posg`` is an equivalence.

    Raises:
        UnsupportedGame: If the game has more positions, or too many pairs of them.

    >>> from gametheory_core.catalog import RandomOrderTeam
    >>> clock_leak(RandomOrderTeam()).reason
    "player '1' reaches information state (NULL,) after 1 move and also after 2 moves"
    """
    game = checked_aec(game, "clock_leak")
    reached = positions(game, max_states)
    numbers = {position: k for k, position in enumerate(reached)}
    for player in range(len(game.players)):
        situations = [_situation(game, player, numbers, position) for position in reached]
        if _turns_are_fixed(situations, game.horizon):
            continue
        found = _search(situations, game.horizon)
        if found is not None:
            seen, early, late = found
            moves = "1 move" if early == 1 else f"{early} moves"
            return Verdict(
                True,
                f"player {game.players[player]!r} reaches information state {seen!r} after "
                f"{moves} and also after {late} moves",
                (player, early, late),
            )
    return NO_LEAK


def own_turns(game: AEC, player: int, seen: InformationState) -> InformationState:
    """Return the POSG's information state for one of the AEC game, where no clock leaks.

    Raises:
        InvalidStrategy: If the information state cannot be reached.
    """
    current: set[Position] = {(game.initial_state, CHANCE)}
    padded: list[Any] = []
    met: set[frozenset[Position]] = set()
    k = depth = 0
    while current and frozenset(current) not in met and depth != game.horizon:
        met.add(frozenset(current))
        depth += 1
        mine = [
            (state, mover)
            for state, mover in current
            if mover == player and game.observation(player, state)[seen[k]]
        ]
        if mine and k == len(seen) - 1:
            return (*padded, seen[k])
        if mine:
            padded.extend(seen[k : k + 2])
            current = {q for s, j in mine for q in followers(game, s, j, seen[k + 1])}
            met.clear()
            k += 2
        else:
            padded.extend((IDLE, IDLE))
            others = [p for p in current if p[1] != player]
            current = {
                q for s, j in others for a in choices(game, s, j) for q in followers(game, s, j, a)
            }
    raise InvalidStrategy(
        needs="information states that play can reach",
        found=f"was asked for {seen!r}",
        where=f"policy of {game.players[player]!r}",
    )


def choices(game: AEC, state: Any, mover: int) -> tuple[Any, ...]:
    """Return what the mover may do in a state, whatever is seen."""
    if mover == CHANCE:
        return (NULL,)
    views = game.observation(mover, state)
    return tuple(dict.fromkeys(a for o, _ in views for a in game.legal_actions(mover, o)))


def followers(game: AEC, state: Any, mover: int, action: Any) -> Iterator[Position]:
    """Yield the positions to which a move may lead; none at terminal histories."""
    states = (
        [after for after, _ in game.chance(state)]
        if mover == CHANCE
        else [game.move(mover, state, action)]
    )
    for after in states:
        if not game.is_terminal(after):
            for turn, _ in game.next_player(state, mover, action, after):
                yield after, turn


def positions(game: AEC, max_states: int) -> list[Position]:
    """Return the (state, mover) pairs that play can reach, the first one first."""
    if game.is_terminal(game.initial_state) or game.horizon == 0:
        return []
    seen: dict[Position, None] = {(game.initial_state, CHANCE): None}
    frontier = list(seen)
    depth = 1
    while frontier and (game.horizon is None or depth < game.horizon):
        following: dict[Position, None] = {}
        for state, mover in frontier:
            for action in choices(game, state, mover):
                following.update(dict.fromkeys(followers(game, state, mover, action)))
        frontier = [p for p in following if p not in seen]
        seen.update(dict.fromkeys(frontier))
        if len(seen) > max_states:
            raise UnsupportedGame(
                needs=f"at most {named('max_states')} = {max_states:,} pairs of state and mover",
                argument="max_states",
                found=f"{game.title or game!r} has more than {len(seen):,}",
                remedy=f"Give a shorter horizon ({named('stop_aec')}), or raise "
                f"{named('max_states')}.",
            )
        depth += 1
    return list(seen)


def _situation(
    game: AEC, player: int, numbers: dict[Position, int], position: Position
) -> _Situation:
    state, mover = position

    def led_to(action: Any) -> set[int]:
        reached = followers(game, state, mover, action)
        return {numbers[p] for p in reached if p in numbers}  # others lie beyond the horizon

    if mover != player:
        after: set[int] = set()
        for action in choices(game, state, mover):
            after |= led_to(action)
        return _Situation({}, {None: tuple(sorted(after))})
    views = {o: game.legal_actions(player, o) for o, _ in game.observation(player, state)}
    actions = dict.fromkeys(a for own in views.values() for a in own)
    return _Situation(views, {a: tuple(sorted(led_to(a))) for a in actions})


def _turns_are_fixed(situations: list[_Situation], horizon: int | None) -> bool:
    """Tell whether at each moment the turn is the player's in all plays, or in none."""
    current = frozenset([0]) if situations else frozenset[int]()
    met: set[frozenset[int]] = set()
    depth = 0
    while current and current not in met and (horizon is None or depth < horizon):
        met.add(current)
        if len({bool(situations[x].views) for x in current}) > 1:
            return False
        current = frozenset(y for x in current for own in situations[x].after.values() for y in own)
        depth += 1
    return True


def _search(
    situations: list[_Situation], horizon: int | None
) -> tuple[InformationState, int, int] | None:
    """Find an own history that comes about at two times, by a walk over equal-looking pairs."""
    waits = _waiting_times(situations)
    origin: dict[tuple[int, int], tuple[tuple[int, int], tuple[Any, ...]]] = {}
    queue: deque[tuple[int, int, int]] = deque([(0, 0, 0)])
    seen = {(0, 0)}
    while queue:
        x, y, depth = queue.popleft()
        for mine, other in ((x, y), (y, x)):
            if situations[mine].views and not situations[other].views:
                for o in situations[mine].views:
                    late = depth + waits[other].get(o, -depth)
                    if late > depth and (horizon is None or late < horizon):
                        return (*_history(origin, (x, y)), o), depth, late
        for events, pairs in _common_steps(situations[x], situations[y]):
            for pair in pairs:
                ordered = (min(pair), max(pair))
                if ordered not in seen and (horizon is None or depth + 1 < horizon):
                    seen.add(ordered)
                    origin[ordered] = ((x, y), events)
                    queue.append((*ordered, depth + 1))
        if len(seen) > MAX_PAIRS:
            raise UnsupportedGame(
                needs=f"at most {MAX_PAIRS:,} pairs of plays that look alike",
                found="the game has more",
                remedy=f"Give a shorter horizon ({named('stop_aec')}).",
            )
    return None


def _common_steps(
    x: _Situation, y: _Situation
) -> Iterator[tuple[tuple[Any, ...], list[tuple[int, int]]]]:
    """Yield what both plays may do next and still look alike: what is seen and done, and where."""
    if bool(x.views) != bool(y.views):
        return
    if not x.views:
        yield (), [(a, b) for a in x.after[None] for b in y.after[None]]
        return
    for o, actions in x.views.items():
        if o in y.views:
            for action in actions:
                yield (o, action), [(a, b) for a in x.after[action] for b in y.after[action]]


def _waiting_times(situations: list[_Situation]) -> list[dict[Any, int]]:
    """Return, for each situation, how soon each observation can come on the next own turn."""
    before: list[list[int]] = [[] for _ in situations]
    for x, situation in enumerate(situations):
        if not situation.views:
            for y in situation.after[None]:
                before[y].append(x)
    waits: list[dict[Any, int]] = [dict.fromkeys(s.views, 0) for s in situations]
    queue = deque((x, o, 0) for x, s in enumerate(situations) for o in s.views)
    while queue:
        y, o, wait = queue.popleft()
        for x in before[y]:
            if o not in waits[x]:
                waits[x][o] = wait + 1
                queue.append((x, o, wait + 1))
    return waits


def _history(
    origin: dict[tuple[int, int], tuple[tuple[int, int], tuple[Any, ...]]], pair: tuple[int, int]
) -> tuple[Any, ...]:
    events: list[tuple[Any, ...]] = []
    while pair in origin:
        pair, event = origin[pair]
        events.append(event)
    return tuple(entry for event in reversed(events) for entry in event)


AecToAec: TypeAlias = Conversion[AEC, AEC, PolicyProfile, PolicyProfile]
DISPATCH = "dispatch"


def add_dispatch(game: AEC) -> AecToAec:
    """Carry an AEC game to one whose next mover depends on state and action before the move only.

    Args:
        game: Without a discount and a horizon of its own: both count moves, and there are more now.

    Returns:
        Preserves everything; policies pass unchanged.

    Raises:
        UnsupportedGame: If the game has a discount other than 1, or a horizon.

    >>> from gametheory_core.catalog import RandomOrderTeam
    >>> add_dispatch(RandomOrderTeam()).target.initial_state
    ('play', 'start')
    """
    rules = checked_aec(game, "add_dispatch")
    if rules.discount != 1 or rules.horizon is not None:
        raise UnsupportedGame(
            needs="discount 1 and no horizon, because it adds moves of chance",
            found=f"{game.title or game!r} has discount {game.discount} and horizon {game.horizon}",
            remedy="Let states end the game, and rewards carry the discount.",
        )
    return Conversion(game, Dispatched(game), Identity(_contracted), frozenset(Preserved))


@dataclass(frozen=True)
class Dispatched:
    """The AEC game with a trivial chance move after each move of chance.

    States are ``("play", s)``, and ``("dispatch", s)`` where the trivial move is due.
    """

    game: AEC
    __repr__ = written_as("add_dispatch({0.game!r}).target")
    title = from_inner("title")
    players = from_inner("players")
    discount = from_inner("discount")
    horizon = None

    @property
    def initial_state(self) -> Any:
        """The game's first state."""
        return ("play", self.game.initial_state)

    def observation(self, player: int, state: Any) -> Distribution[Any]:
        """Return what the mover sees."""
        return self.game.observation(player, state[-1])

    def legal_actions(self, player: int, observation: Any) -> tuple[Any, ...]:
        """Return what a player may do."""
        return self.game.legal_actions(player, observation)

    def is_terminal(self, state: Any) -> bool:
        """Tell whether play has ended."""
        return self.game.is_terminal(state[-1])

    def move(self, player: int, state: Any, action: Any) -> Any:
        """Move."""
        return ("play", self.game.move(player, state[-1], action))

    def chance(self, state: Any) -> Distribution[Any]:
        """Draw, and remember from where; or, at a dispatch step, continue."""
        if state[0] == DISPATCH:
            return point_mass(("play", state[-1]))
        before = state[-1]
        return push_forward(self.game.chance(before), lambda after: (DISPATCH, before, after))

    def reward(self, state: Any, mover: int, action: Any, next_state: Any) -> Distribution[Rewards]:
        """Pay for the move; a dispatch step pays nothing."""
        if state[0] == DISPATCH:
            return point_mass((ZERO,) * len(self.players))
        return self.game.reward(state[-1], mover, action, next_state[-1])

    def next_player(
        self, state: Any, mover: int, action: Any, next_state: Any
    ) -> Distribution[int]:
        """Say who moves next without looking at ``next_state``."""
        if state[0] == DISPATCH:
            _, before, after = state
            return self.game.next_player(before, CHANCE, NULL, after)
        if mover == CHANCE:
            return point_mass(CHANCE)
        after = self.game.move(mover, state[-1], action)
        return self.game.next_player(state[-1], mover, action, after)


def _contracted(play: AecPlay) -> AecPlay:
    kept = (move for move in play.moves if move.state[0] != DISPATCH)
    moves = tuple(move._replace(state=move.state[-1]) for move in kept)
    return AecPlay(moves, play.final_state[-1])
