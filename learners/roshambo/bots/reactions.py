"""Bots that answer the last throws: copying, beating, staying after wins and shifting after losses.

Outcomes are named by ``own - other`` mod 3: 0 is a tie, 1 a win, 2 a loss. Shifting up by 1 leads
to the throw that beats the one before.
"""

from fractions import Fraction

import numpy as np

from learners.roshambo.bots.automata import Automaton, Distribution, from_recall, point
from learners.roshambo.bots.compiled_bot import Recipe
from learners.roshambo.bots.finite_state import finite_state

EVEN = (Fraction(1, 3),) * 3
Shifts = tuple[Fraction | int, Fraction | int, Fraction | int]


def relative(*, own: int, other: int, plus: int, lag: int = 1) -> Automaton:
    """Return that of throwing ``own * x + other * y + plus`` mod 3, of throws so long ago."""

    def rule(mine: tuple[int, ...], theirs: tuple[int, ...]) -> Distribution:
        x = mine[lag - 1] if own and len(mine) >= lag else 0
        y = theirs[lag - 1] if other and len(theirs) >= lag else 0
        return point(own * x + other * y + plus)

    return from_recall(lag, rule, own=own != 0, other=other != 0)


def by_outcome(*, tie: Shifts, win: Shifts, loss: Shifts) -> Automaton:
    """Return that of shifting the own last throw by chance: by 0, 1 or 2 after each outcome."""
    shifts = tie, win, loss

    def rule(mine: tuple[int, ...], theirs: tuple[int, ...]) -> Distribution:
        if not mine:
            return EVEN
        chances = shifts[(mine[0] - theirs[0]) % 3]
        return [chances[(throw - mine[0]) % 3] for throw in range(3)]

    return from_recall(1, rule)


def against_repeats(*, recall: int, share: Fraction) -> Automaton:
    """Return that of throws that are less likely by a factor for each of the last that were one."""

    def rule(mine: tuple[int, ...], theirs: tuple[int, ...]) -> Distribution:
        weights = [share ** mine.count(throw) for throw in range(3)]
        return [weight / sum(weights) for weight in weights]

    return from_recall(recall, rule, other=False)


def latest_majority(*, window: int, turn: int, own: bool = False) -> Automaton:
    """Return that of the best reply to the most common of few last throws, turned; ties are even.

    Args:
        window: How many are looked at.
        turn: Added to the reply.
        own: Whether the own throws are looked at.
    """

    def rule(mine: tuple[int, ...], theirs: tuple[int, ...]) -> Distribution:
        seen = mine if own else theirs
        counts = [seen.count(throw) for throw in range(3)]
        top = [count == max(counts) for count in counts]
        return [Fraction(top[(throw - 1 - turn) % 3], sum(top)) for throw in range(3)]

    return from_recall(window, rule, own=own, other=not own)


def drawn_table(*, seed: int, recall: int, sharpness: int) -> Automaton:
    """Return an automaton whose distributions were drawn, one for each window of last throws.

    Args:
        seed: Of what is drawn.
        recall: How many throws of each are remembered.
        sharpness: Chances are in proportion to whole numbers from 0 to 9 to this power.
    """
    rng = np.random.Generator(np.random.PCG64(seed))

    def rule(mine: tuple[int, ...], theirs: tuple[int, ...]) -> Distribution:
        weights = [int(weight) ** sharpness for weight in rng.integers(0, 10, size=3)]
        total = sum(weights)
        return [Fraction(weight, total) for weight in weights] if total else EVEN

    return from_recall(recall, rule)


def drawn_automaton(*, seed: int, states: int) -> Automaton:
    """Return an automaton whose pure throws and successors were drawn."""
    rng = np.random.Generator(np.random.PCG64(seed))
    strategies = [point(int(throw)) for throw in rng.integers(3, size=states)]
    return Automaton(np.array(strategies, dtype=object), rng.integers(states, size=(states, 3, 3)))


RELATIVE = finite_state("relative to the last throws", relative)
BY_OUTCOME = finite_state("shift by outcome", by_outcome)
AGAINST_REPEATS = finite_state("against repeats", against_repeats)
LATEST_MAJORITY = finite_state("latest majority", latest_majority)
DRAWN_TABLE = finite_state("drawn table", drawn_table)
DRAWN_AUTOMATON = finite_state("drawn automaton", drawn_automaton)

STAY, UP, DOWN = (1, 0, 0), (0, 1, 0), (0, 0, 1)
TENTH = Fraction(1, 10)
HUMAN = ("wang2014social",)

BOTS = (
    Recipe("copy", RELATIVE, {"own": 0, "other": 1, "plus": 0}, "the other's last throw"),
    Recipe("beat", RELATIVE, {"own": 0, "other": 1, "plus": 1}, "what beats the other's last"),
    Recipe("yield", RELATIVE, {"own": 0, "other": 1, "plus": 2}, "what loses to the other's last"),
    Recipe("sum", RELATIVE, {"own": 1, "other": 1, "plus": 0}, "both last throws, added"),
    Recipe("mirror", RELATIVE, {"own": 1, "other": 2, "plus": 0}, "their difference"),
    Recipe(
        "late_copy",
        RELATIVE,
        {"own": 0, "other": 1, "plus": 0, "lag": 4},
        "the other's throw of four ago",
    ),
    Recipe(
        "win_stay_lose_shift",
        BY_OUTCOME,
        {"tie": UP, "win": STAY, "loss": UP},
        "stays after a win, and goes up otherwise",
        ("nowak1993win",),
    ),
    Recipe(
        "win_shift_lose_stay",
        BY_OUTCOME,
        {"tie": DOWN, "win": DOWN, "loss": STAY},
        "the reverse: leaves what won",
        ("nowak1993win",),
    ),
    Recipe(
        "win_stay_lose_either",
        BY_OUTCOME,
        {"tie": EVEN, "win": STAY, "loss": (0, Fraction(1, 2), Fraction(1, 2))},
        "stays after a win, leaves after a loss, anything after a tie",
        ("nowak1993win",),
    ),
    Recipe(
        "never_twice",
        BY_OUTCOME,
        {key: (0, Fraction(1, 2), Fraction(1, 2)) for key in ("tie", "win", "loss")},
        "one of the two others than the last",
        ("rapoport1992generation",),
    ),
    Recipe(
        "conditional_response",
        BY_OUTCOME,
        {
            "tie": (Fraction(10, 25), Fraction(8, 25), Fraction(7, 25)),
            "win": (Fraction(13, 25), Fraction(6, 25), Fraction(6, 25)),
            "loss": (Fraction(8, 25), Fraction(10, 25), Fraction(7, 25)),
        },
        "people on average: win, stay; lose, go up; of this form, with round numbers",
        HUMAN,
    ),
    Recipe(
        "outcome_cycler",
        BY_OUTCOME,
        {
            "tie": (8 * TENTH, TENTH, TENTH),
            "win": (8 * TENTH, TENTH, TENTH),
            "loss": (TENTH, 8 * TENTH, TENTH),
        },
        "the same tendencies, strong",
        HUMAN,
    ),
    Recipe(
        "loser_shifts",
        BY_OUTCOME,
        {
            "tie": (3 * TENTH, 5 * TENTH, 2 * TENTH),
            "win": EVEN,
            "loss": (2 * TENTH, 2 * TENTH, 6 * TENTH),
        },
        "goes down after a loss and up after a tie, and has no habit after a win",
        ("dyson2016negative",),
    ),
    Recipe(
        "negative_recency",
        AGAINST_REPEATS,
        {"recall": 3, "share": Fraction(1, 2)},
        "equilibrium as people make it: what was thrown lately is avoided",
        ("rapoport1992generation",),
    ),
    Recipe(
        "positive_recency",
        AGAINST_REPEATS,
        {"recall": 4, "share": Fraction(8, 5)},
        "what was thrown lately is likely",
    ),
    Recipe(
        "majority_of_five",
        LATEST_MAJORITY,
        {"window": 5, "turn": 0},
        "best reply to the most common of the last five",
    ),
    Recipe(
        "second_guess_of_four",
        LATEST_MAJORITY,
        {"window": 4, "turn": 1, "own": True},
        "expects a reply to its own most common of four, and beats it",
    ),
    Recipe(
        "drawn_table_1",
        DRAWN_TABLE,
        {"seed": 11, "recall": 1, "sharpness": 2},
        "distributions by the last throws, drawn once for all",
    ),
    Recipe(
        "drawn_table_2",
        DRAWN_TABLE,
        {"seed": 12, "recall": 2, "sharpness": 3},
        "the same by the last two",
    ),
    Recipe(
        "drawn_automaton",
        DRAWN_AUTOMATON,
        {"seed": 13, "states": 12},
        "an automaton of twelve states, drawn once for all",
    ),
)
