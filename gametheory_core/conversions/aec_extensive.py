"""AEC games to trees: every move becomes a node, and everything random after it one chance node.

After a move, rewards, the next mover and what that mover sees may be random; they are drawn
together. Where nothing is random there is no chance node, and what was paid hangs on the next node.
An information set is a player's information state.
"""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias, cast

from gametheory_core.arguments import distinct_texts
from gametheory_core.arrays import ONE, ZERO
from gametheory_core.conversions.conversion import Conversion, Preserved, TreeOfPlays, TreePolicies
from gametheory_core.errors import UnsupportedGame, named
from gametheory_core.games import AEC, CHANCE, NULL, AecPlay, ExtensiveFormGame, Move, stop_aec
from gametheory_core.games.checked_rules import checked_aec
from gametheory_core.games.extensive_form import choices_to
from gametheory_core.games.rules import InformationState, information_state_text
from gametheory_core.games.tree_draft import Chance, Decision, Node, Terminal, lay_out
from gametheory_core.memory import LOOK_EVERY, growth_limit
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.policies import PolicyProfile

MAX_NODES = 2_000_000
MAX_POSITIONS = 2_000  # that wait to be expanded: where counting stops once there are too many
MAX_DEPTH = 20_000  # of plays of games without a horizon


class Situation(NamedTuple):
    """Where play stands at a node.

    Attributes:
        state, mover (hashable, int)
        seen (hashable): What the mover, a player, has just seen.
        pasts: What each player saw and did, in turn; not kept for counting.
        events, cycles: Moves made, and chance moves completed, the first not counted.
        paid: Discounted rewards paid since the node above.
        moves: Made since the node above.
        lottery: If chance draws here: (label, probability, situation) of each outcome.
    """

    state: Any
    mover: int
    seen: Any
    pasts: tuple[tuple[Any, ...], ...]
    events: int
    cycles: int
    paid: tuple[Fraction, ...]
    moves: tuple[Move, ...]
    lottery: tuple[Any, ...] = ()


def root(game: AEC, *, remember: bool) -> Situation:
    """Return where play stands at the root, chance having moved; without pasts for counting."""
    pasts: tuple[tuple[Any, ...], ...] = ((),) * len(game.players) if remember else ()
    nothing = (ZERO,) * len(game.players)
    start = Situation(game.initial_state, CHANCE, NULL, pasts, 0, -1, nothing, ())
    return start if is_over(game, start) else _settled(game, _after_chance(game, start))


def is_over(game: AEC, here: Situation) -> bool:
    """Tell whether play stops here."""
    return game.is_terminal(here.state) or here.events == game.horizon


def _refuse_endless(game: AEC, moves: int) -> None:
    if game.horizon is None and moves > MAX_DEPTH:
        raise UnsupportedGame(
            needs="plays that end",
            found=f"one has {moves:,} moves and continues",
            remedy=f"Give {named('a horizon')}, a number of moves.",
        )


def _settled(game: AEC, outcomes: list[Any]) -> Situation:
    """Return the one situation that follows, or one in which chance draws which."""
    while len(outcomes) == 1:
        _, _, only = outcomes[0]
        if only.mover != CHANCE or is_over(game, only):
            return only
        _refuse_endless(game, only.events)
        outcomes = _after_chance(game, only)
    first = outcomes[0][2]
    nothing = (ZERO,) * len(game.players)
    return first._replace(paid=nothing, moves=(), mover=CHANCE, lottery=tuple(outcomes))


def _after_chance(game: AEC, here: Situation) -> list[Any]:
    out: list[Any] = []
    for after, odds in game.chance(here.state):
        out.extend(_after_move(game, here, NULL, after, odds))
    return out


def _after_move(game: AEC, here: Situation, action: Any, after: Any, odds: Fraction) -> list[Any]:
    """Draw rewards, the next mover and what is seen: (label, probability, situation) of each."""
    state, mover = here.state, here.mover
    factor = ONE if game.discount == 1 else game.discount ** max(0, here.cycles)
    cycles = here.cycles + (mover == CHANCE)
    pasts = here.pasts
    if mover != CHANCE and pasts:
        pasts = (*pasts[:mover], (*pasts[mover], here.seen, action), *pasts[mover + 1 :])
    ends = game.is_terminal(after) or here.events + 1 == game.horizon
    turns = [(CHANCE, ONE)] if ends else list(game.next_player(state, mover, action, after))
    out: list[Any] = []
    for rewards, chance in game.reward(state, mover, action, after):
        exact = cast("tuple[Fraction, ...]", rewards)  # the rules are checked
        paid = here.paid
        if any(exact):
            paid = tuple(p + factor * r for p, r in zip(paid, exact, strict=True))
        moves = (*here.moves, Move(state, mover, here.seen, action, exact))
        for turn, share in turns:
            views = [(NULL, ONE)] if turn == CHANCE else list(game.observation(turn, after))
            for seen, view in views:
                label = (after, exact, turn, seen)
                there = Situation(after, turn, seen, pasts, here.events + 1, cycles, paid, moves)
                out.append((label, _product(odds, chance, share, view), there))
    return out


def _product(*factors: Fraction) -> Fraction:
    """Multiply probabilities, most of which are one."""
    numerator = denominator = 1
    for factor in factors:
        if factor is not ONE:
            numerator *= factor.numerator
            denominator *= factor.denominator
    return ONE if numerator == denominator else Fraction(numerator, denominator)


def children_of(game: AEC, here: Situation) -> list[tuple[Any, Fraction, Situation]]:
    """Return (label, probability, situation) of each child; of an action the probability is one."""
    return list(_each_child(game, here))


def _each_child(game: AEC, here: Situation) -> Iterator[tuple[Any, Fraction, Situation]]:
    """Make one child after the other, so that many can be counted before all are made."""
    if here.lottery:
        for label, odds, there in here.lottery:
            yield label, odds, _opened(game, there)
        return
    fresh = here._replace(paid=(ZERO,) * len(game.players), moves=())
    for action in game.legal_actions(here.mover, here.seen):
        after = game.move(here.mover, here.state, action)
        yield action, ONE, _settled(game, _after_move(game, fresh, action, after, ONE))


def _opened(game: AEC, there: Situation) -> Situation:
    """Let chance move on at once where it moves again."""
    if there.mover != CHANCE or is_over(game, there):
        return there
    fresh = there._replace(paid=(ZERO,) * len(game.players), moves=())
    following = _settled(game, _after_chance(game, fresh))
    paid = tuple(a + b for a, b in zip(there.paid, following.paid, strict=True))
    return following._replace(paid=paid, moves=(*there.moves, *following.moves))


def count_aec_nodes(game: AEC, *, max_nodes: int = MAX_NODES) -> int:
    """Count the nodes of the tree without building it; stops counting well above ``max_nodes``.

    Situations that differ in the past only are counted together, so this is cheap unless states
    themselves remember the past.

    >>> from gametheory_core import load_game
    >>> count_aec_nodes(load_game("take_away:piles=1,tokens=4"))
    15
    """
    level: dict[Hashable, tuple[Situation, int]] = {}
    _merge(level, root(game, remember=False), 1)
    require_room = growth_limit(what=f"counting the nodes of {game.title or game!r}")
    total = 1
    while level:
        following: dict[Hashable, tuple[Situation, int]] = {}
        waiting = made = below = 0  # situations, outcomes of their lotteries included, and nodes
        for here, number in level.values():
            if is_over(game, here) and not here.lottery:
                continue
            _refuse_endless(game, here.events)
            for _, _, there in _each_child(game, here):
                before = len(following)
                _merge(following, there, number)
                if len(following) > before:
                    waiting += 1 + len(there.lottery)
                total += number
                below += number * len(there.lottery)
                made += 1
                if not made % LOOK_EVERY:
                    require_room()
                if total + below > max_nodes and (
                    waiting > MAX_POSITIONS or total + below > max_nodes**2
                ):
                    return total + below
        level = following
    return total


def _merge(level: dict[Hashable, tuple[Situation, int]], here: Situation, number: int) -> None:
    bare = here._replace(paid=(), moves=(), cycles=0)
    key = (bare.state, bare.mover, bare.seen, bare.events, _drawn_key(bare.lottery))
    kept = here._replace(moves=())
    _, before = level.get(key, (kept, 0))
    level[key] = (kept, before + number)


def _drawn_key(lottery: tuple[Any, ...]) -> Hashable:
    return tuple((label, odds) for label, odds, _ in lottery)


AecToExtensive: TypeAlias = Conversion[AEC, ExtensiveFormGame, PolicyProfile, BehavioralProfile]


def aec_to_extensive(
    game: AEC,
    *,
    horizon: int | None = None,
    max_nodes: int = MAX_NODES,
    on_iteration: Callable[[int], None] | None = None,
) -> AecToExtensive:
    """Carry an AEC game to the tree of its plays.

    Args:
        game: With a horizon, or sure to end.
        horizon: Number of moves, chance's counted, after which play stops.
        max_nodes: The largest tree to build; nodes are counted first.
        on_iteration: Called with the number of nodes made, every 10,000 nodes.

    Returns:
        Its source is the game stopped at the horizon. Preserves everything.

    Raises:
        UnsupportedGame: If there would be more nodes than ``max_nodes``, or play does not end.

    >>> from gametheory_core.catalog import RandomOrderTeam
    >>> aec_to_extensive(RandomOrderTeam()).target.num_nodes
    15
    """
    source = aec_to_unfold(game, horizon=horizon, max_nodes=max_nodes)
    rules = checked_aec(source, "aec_to_extensive")
    unfolded = AecTreeRules(rules)
    target = lay_out(  # breadth first, so that names taken twice go to the first
        unfolded.root,
        expand=unfolded.expand,
        players=source.players,
        title=source.title,
        on_iteration=on_iteration,
    )
    plays = TreeOfPlays(
        source, target, unfolded.policies, lambda node: _replay(source, choices_to(target, node))
    )
    return Conversion(source, target, plays, frozenset(Preserved))


def _replay(game: AEC, choices: list[tuple[int, int]]) -> AecPlay:
    position = root(game, remember=True)
    moves = position.moves
    for _, child in choices:
        position = children_of(game, position)[child][2]
        moves = (*moves, *position.moves)
    return AecPlay(moves, position.state)


def aec_to_unfold(game: AEC, *, horizon: int | None, max_nodes: int) -> AEC:
    """Return a game stopped at its horizon, where its tree is small enough.

    Cheap unless states remember the past: nodes are counted, not made.
    """
    _ = checked_aec(game, "aec_to_extensive")  # refuses what is no AEC game
    source = game if horizon is None else stop_aec(game, moves=horizon)
    rules = checked_aec(source, "aec_to_extensive")
    size = count_aec_nodes(rules, max_nodes=max_nodes)
    if size > max_nodes:
        raise UnsupportedGame(
            needs=f"at most {named('max_nodes')} = {max_nodes:,} nodes",
            found=f"{game.title or game!r} has {size:,} or more",
            remedy=f"Give {named('a horizon')}, a number of moves, or raise {named('max_nodes')}.",
        )
    return source


def aec_tree_rules(game: AEC, *, horizon: int | None = None) -> "AecTreeRules":
    """Read an AEC game as rules of its tree, to be sampled without being built.

    Args:
        game: Its plays need not be few, nor short.
        horizon: Number of moves, chance's counted, after which play stops.

    Returns:
        Its tree is that of ``aec_to_extensive``. It remembers the names of the information sets it
        has met, so that two of them never share one.

    Raises:
        UnsupportedGame: If it is no AEC game.
        InvalidGame: Later, where the rules answer something malformed.
    """
    _ = checked_aec(game, "aec_tree_rules")  # refuses what is no AEC game
    source = game if horizon is None else stop_aec(game, moves=horizon)
    return AecTreeRules(checked_aec(source, "aec_tree_rules"))


@dataclass(frozen=True)
class _Known:
    """An information state as the key of an information set, with its name."""

    state: InformationState
    name: str = field(compare=False)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class AecTreeRules:
    """An AEC game as rules of its tree; see ``aec_tree_rules``."""

    game: AEC
    keys: tuple[dict[InformationState, tuple[Any, ...]], ...] = field(
        init=False, repr=False, compare=False
    )
    names: tuple[dict[str, InformationState], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "keys", tuple({} for _ in self.game.players))
        object.__setattr__(self, "names", tuple({} for _ in self.game.players))

    @property
    def title(self) -> str:
        """Title of the game."""
        return self.game.title

    @property
    def players(self) -> tuple[str, ...]:
        """Labels of the players."""
        return self.game.players

    @property
    def root(self) -> Situation:
        """Where play stands once chance has begun."""
        return root(self.game, remember=True)

    def expand(self, here: Situation) -> Node[Situation]:
        """Say what happens at a node: a move, a distribution, or the end."""
        if is_over(self.game, here) and not here.lottery:
            return Terminal(here.paid)
        children = children_of(self.game, here)
        labels = distinct_texts([label for label, _, _ in children])
        paid = here.paid if any(here.paid) else ()
        if here.lottery:
            drawn = zip(labels, children, strict=True)
            return Chance({x: (odds, there) for x, (_, odds, there) in drawn}, paid)
        known = (*here.pasts[here.mover], here.seen)
        actions = tuple(action for action, _, _ in children)
        self.keys[here.mover].setdefault(known, actions)
        moved = zip(labels, children, strict=True)
        key = _Known(known, self._name(here.mover, known))
        return Decision(here.mover, key, {x: there for x, (_, _, there) in moved}, paid)

    def _name(self, player: int, known: InformationState) -> str:
        """Name an information state as people read it; as Python does if the name is taken."""
        name = information_state_text(known)
        owner = self.names[player].setdefault(name, known)
        return name if owner == known else repr(known)

    def policies(self) -> TreePolicies:
        """Return what each information set is called in the rules."""
        pairs = [
            ((player, known), actions)
            for player, own in enumerate(self.keys)
            for known, actions in own.items()
        ]
        return TreePolicies(tuple(key for key, _ in pairs), tuple(a for _, a in pairs))
