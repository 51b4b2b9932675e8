"""Where plays of AEC games stand: at a player's move, at a draw of chance, or at the end.

Everything random after a move is drawn together: rewards, the next mover and what that mover sees.
Where nothing is random there is no draw, and what was paid is paid on the way to what follows.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple, cast

from gametheory_core.arrays import ONE, ZERO
from gametheory_core.errors import UnsupportedGame, named
from gametheory_core.games import AEC, CHANCE, NULL, Move

MAX_DEPTH = 20_000  # of plays of games without a horizon


class Situation(NamedTuple):
    """Where play stands at a node.

    Attributes:
        state, mover (hashable, int)
        seen (hashable): What the mover, a player, has just seen.
        pasts: What each player saw and did, in turn; not kept for counting.
        events, cycles: Moves made, and chance moves completed, the first not counted.
        paid: Discounted rewards paid since the node above.
        moves: Made since the node above; not kept for counting.
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


def refuse_endless(game: AEC, moves: int) -> None:
    """Refuse a game without a horizon in which some play has so many moves and continues."""
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
        refuse_endless(game, only.events)
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
        moves = (*here.moves, Move(state, mover, here.seen, action, exact)) if pasts else ()
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
    return list(each_child(game, here))


def each_child(game: AEC, here: Situation) -> Iterator[tuple[Any, Fraction, Situation]]:
    """Yield what ``children_of`` lists, each child only when it is asked for."""
    if here.lottery:
        for label, odds, there in here.lottery:
            yield label, odds, _opened(game, there)
        return
    for action in game.legal_actions(here.mover, here.seen):
        yield action, ONE, _after_action(game, here, action)


def child_at(game: AEC, here: Situation, place: int) -> Situation:
    """Return one of ``children_of``, the others unmade."""
    if here.lottery:
        return _opened(game, here.lottery[place][2])
    return _after_action(game, here, game.legal_actions(here.mover, here.seen)[place])


def _after_action(game: AEC, here: Situation, action: Any) -> Situation:
    fresh = here._replace(paid=(ZERO,) * len(game.players), moves=())
    after = game.move(here.mover, here.state, action)
    return _settled(game, _after_move(game, fresh, action, after, ONE))


def _opened(game: AEC, there: Situation) -> Situation:
    """Let chance move on at once where it moves again."""
    if there.mover != CHANCE or is_over(game, there):
        return there
    fresh = there._replace(paid=(ZERO,) * len(game.players), moves=())
    following = _settled(game, _after_chance(game, fresh))
    paid = tuple(a + b for a, b in zip(there.paid, following.paid, strict=True))
    return following._replace(paid=paid, moves=(*there.moves, *following.moves))
