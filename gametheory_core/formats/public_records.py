"""Public-state games as records, and what files and commands know of this kind of game.

A record holds situations, each with the number of its deal. Vectors of integers stand in one text
each; strengths of hands stand once, and showdowns name them by number.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from gametheory_core.certificates.equilibrium import certify_minimax
from gametheory_core.certificates.public_minimax import certify_public_minimax
from gametheory_core.conversions.public_extensive import plans_to_profile, public_to_extensive
from gametheory_core.errors import LawBroken
from gametheory_core.extensions import GameKind, add_game_kind
from gametheory_core.formats.checked_json import Checked, Record, integers_text, rational_text
from gametheory_core.games.extensive_form import TERMINAL
from gametheory_core.games.properties import HOLDS, Verdict
from gametheory_core.games.public_deals import Deal
from gametheory_core.games.public_histories import play_bytes
from gametheory_core.games.public_states import (
    Paid,
    PayoffTable,
    PublicStateGame,
    Showdown,
    Situation,
    end_payoffs,
)
from gametheory_core.games.table_content import Numbering
from gametheory_core.memory import in_units
from gametheory_core.strategies.public_plans import random_public_profile

MOST_COMPARED = 10_000  # nodes of a tree that is laid out to check the game


def public_fields(game: PublicStateGame) -> dict[str, Any]:
    """Write hands, deals, situations, and the strengths of hands that showdowns compare."""
    strengths = Numbering()
    situations = [_situation_record(one, strengths) for one in game.situations]
    return {
        "hands": list(map(list, game.hands)),
        "deals": [_deal_record(deal) for deal in game.deals],
        "strengths": [integers_text(np.array(own)) for own in strengths.things],
        "situations": situations,
    }


def _deal_record(deal: Deal) -> Record:
    rows = {name: list(map(integers_text, getattr(deal, name))) for name in ("first", "second")}
    return {**rows, "same": integers_text(deal.same)}


def _situation_record(one: Situation, strengths: Numbering) -> Record:
    record: Record = {"deal": one.deal}
    if one.end is None:
        moves = {"labels": list(one.labels), "children": integers_text(np.array(one.children))}
        return {**record, "player": one.mover + 1, **moves}
    paid = list(map(rational_text, end_payoffs(one.end)))
    match one.end:
        case Paid():
            return {**record, "paid": paid[0]}
        case Showdown():
            compared = list(map(strengths.number, one.end.strengths))
            return {**record, "strengths": compared, "paid": paid}
        case PayoffTable():
            return {**record, "table": paid}


def public_from(record: Checked) -> PublicStateGame:
    """Read a public-state game from its record.

    Raises:
        MalformedFile: Names the path of the offending value.
        InvalidGame: If the parts do not make a game.
    """
    hands = tuple(tuple(hand.text() for hand in own.items()) for own in record["hands"].items())
    if len(hands) != 2:
        record["hands"].fail("the hands of two players", found=f"{len(hands)}")
    strengths = [tuple(own.integers().tolist()) for own in record["strengths"].items()]
    return PublicStateGame(
        tuple(player.text() for player in record["players"].items()),
        hands,
        tuple(map(_deal_from, record["deals"].items())),
        tuple(
            _situation_from(one, strengths, len(hands[1])) for one in record["situations"].items()
        ),
        record["title"].text(),
    )


def _deal_from(record: Checked) -> Deal:
    first, second = (_matrix(record[name]) for name in ("first", "second"))
    return Deal(first, second, record["same"].integers())


def _matrix(record: Checked) -> Any:
    rows = [row.integers() for row in record.items()]
    if len({len(row) for row in rows}) != 1:
        record.fail("rows of one length, at least one")
    return np.array(rows)


def _situation_from(record: Checked, strengths: list[Any], others: int) -> Situation:
    deal = record["deal"].integer()
    if record.has("labels"):
        labels = tuple(label.text() for label in record["labels"].items())
        children = tuple(record["children"].integers().tolist())
        return Situation(record["player"].integer() - 1, deal, labels, children)
    if record.has("table"):
        flat = _rationals(record["table"])
        rows = tuple(tuple(flat[k : k + others]) for k in range(0, len(flat), max(1, others)))
        return Situation(TERMINAL, deal, end=PayoffTable(rows))
    if not record.has("strengths"):
        return Situation(TERMINAL, deal, end=Paid(record["paid"].rational()))
    numbers = [number.integer() for number in record["strengths"].items()]
    paid = _rationals(record["paid"])
    if len(numbers) != 2 or not all(0 <= k < len(strengths) for k in numbers):
        record["strengths"].fail(f"two numbers from 0 to {len(strengths) - 1}")
    if len(paid) != 3:
        record["paid"].fail("three payoffs: above, equal and below")
    first, second = (strengths[k] for k in numbers)
    return Situation(TERMINAL, deal, end=Showdown((first, second), *paid))


def _rationals(record: Checked) -> list[Fraction]:
    return [payoff.rational() for payoff in record.items()]


def _sizes(game: PublicStateGame) -> Iterator[tuple[str, Any, str]]:
    yield "hands", list(game.num_hands), ", ".join(f"{count:,}" for count in game.num_hands)
    histories, situations = game.num_histories, len(game.situations)
    yield "public states", histories, f"{histories:,} histories, of {situations:,} situations"
    yield "nodes", game.num_nodes, f"{game.num_nodes:,} in the tree that is never built"
    sequences = list(game.num_sequences)
    yield "sequences", sequences, ", ".join(f"{count:,}" for count in sequences)
    needed = play_bytes(game)
    yield "memory", needed, f"{in_units(needed)} to play over ranges and prove"


def _properties(_game: PublicStateGame) -> Iterator[tuple[str, Verdict]]:
    yield "zero-sum", HOLDS
    yield "perfect recall", HOLDS


def _laws(game: PublicStateGame) -> Iterator[tuple[str, Callable[[Any], None]]]:
    if game.num_nodes <= MOST_COMPARED:
        yield "plans guarantee the same in the tree", partial(_check_tree, game)


def _check_tree(game: PublicStateGame, rng: Any) -> None:
    """Compare what plans drawn at random guarantee over ranges and in the tree."""
    profile, tree = random_public_profile(game, rng=rng), public_to_extensive(game)
    ours = certify_public_minimax(game, profile)
    theirs = certify_minimax(tree, plans_to_profile(game, tree, profile))
    if (ours.lower, ours.upper) != (theirs.lower, theirs.upper):
        raise LawBroken(
            found=f"over ranges {ours.statement}, in the tree {theirs.statement}", where=repr(game)
        )


_TREE = "gametheory convert GAME FILE.efg, in Python public_to_extensive(game)"

add_game_kind(
    GameKind(
        name="public-state",
        type=PublicStateGame,
        words="public-state game (whole ranges of hands play against each other)",
        fields=public_fields,
        read=public_from,
        sizes=_sizes,
        properties=_properties,
        laws=_laws,
        instead={
            "ExtensiveFormGame": "Use range_counterfactual_regret, or public_to_extensive(game).",
            "NormalFormGame": "Small ones have a tree: public_to_extensive(game).",
            "solve": f"If it is small, its tree may be asked for more: {_TREE}.",
            "picture": f"Draw its tree, if it is small: first {_TREE}",
        },
        to_extensive=lambda game, most: public_to_extensive(game, max_nodes=most),
    )
)
