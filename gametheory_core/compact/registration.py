"""What this room adds to files, the catalogue and the command line."""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from gametheory_core.arrays import exact_array, object_array
from gametheory_core.certificates.wording import rationals, written
from gametheory_core.compact import catalog, claims
from gametheory_core.compact.anonymous import AnonymousGame, num_count_vectors
from gametheory_core.compact.congestion import CongestionGame
from gametheory_core.compact.conversions import compact_to_normal
from gametheory_core.compact.graphical import GraphicalGame
from gametheory_core.compact.kinds import CompactGame
from gametheory_core.compact.payoffs import action_values, compact_payoffs, pure_payoffs
from gametheory_core.compact.polymatrix import PolymatrixGame
from gametheory_core.compact.properties import is_constant_sum_polymatrix, players_are_alike
from gametheory_core.errors import LawBroken
from gametheory_core.evaluation.payoffs import expected_payoffs, expected_value
from gametheory_core.extensions import GameKind, add_game_kind, add_to_catalog
from gametheory_core.formats.checked_json import Checked, rational_text
from gametheory_core.formats.rule_records import integers_from
from gametheory_core.games.properties import Verdict
from gametheory_core.strategies.mixed import MixedProfile, pure_profile

CLAIMS = (claims,)
MOST_COMPARED = 3_000  # joint actions of a game that is compared with its normal form


def _texts(record: Checked) -> tuple[str, ...]:
    return tuple(item.text() for item in record.items())


def _actions(record: Checked) -> tuple[tuple[str, ...], ...]:
    return tuple(map(_texts, record["actions"].items()))


def _numbers(record: Checked) -> Any:
    return exact_array([value.rational() for value in record.items()])


def _written(numbers: Any) -> list[str]:
    return [rational_text(value) for value in numbers.ravel()]


def polymatrix_fields(game: PolymatrixGame) -> dict[str, Any]:
    """Write actions, edges, and for each edge what both get, flat."""
    return {
        "actions": list(map(list, game.actions)),
        "edges": game.edges.tolist(),
        "payoffs": _written(game.exact_payoffs),
    }


def polymatrix_from(record: Checked) -> PolymatrixGame:
    """Read a polymatrix game from its record.

    Raises:
        MalformedFile: Names the path of the offending value.
        InvalidGame: If the parts do not make a game.
    """
    pairs = [integers_from(pair) for pair in record["edges"].items()]
    for pair, shown in zip(pairs, record["edges"].items(), strict=True):
        if len(pair) != 2:
            shown.fail("two players", found=str(len(pair)))
    return PolymatrixGame(
        _texts(record["players"]),
        _actions(record),
        np.array(pairs, dtype=np.int32).reshape(-1, 2),
        _numbers(record["payoffs"]),
        record["title"].text(),
    )


def graphical_fields(game: GraphicalGame) -> dict[str, Any]:
    """Write actions, neighborhoods, and each player's table, flat."""
    return {
        "actions": list(map(list, game.actions)),
        "neighbors": list(map(list, game.neighbors)),
        "payoffs": _written(game.exact_payoffs),
    }


def graphical_from(record: Checked) -> GraphicalGame:
    """Read a graphical game from its record, as ``polymatrix_from``."""
    return GraphicalGame(
        _texts(record["players"]),
        _actions(record),
        tuple(tuple(integers_from(own)) for own in record["neighbors"].items()),
        _numbers(record["payoffs"]),
        record["title"].text(),
    )


def congestion_fields(game: CongestionGame) -> dict[str, Any]:
    """Write resources, actions, what they use, and a row of delays for each resource."""
    return {
        "resources": list(game.resources),
        "actions": list(map(list, game.actions)),
        "uses": [list(map(list, own)) for own in game.uses],
        "delays": [_written(row) for row in game.exact_delays],
    }


def congestion_from(record: Checked) -> CongestionGame:
    """Read a congestion game from its record, as ``polymatrix_from``."""
    players = _texts(record["players"])
    rows = [[value.rational() for value in row.items()] for row in record["delays"].items()]
    for row, shown in zip(rows, record["delays"].items(), strict=True):
        if len(row) != len(players):
            shown.fail(f"{len(players)} delays, one for each number of users", found=f"{len(row)}")
    return CongestionGame(
        players,
        _texts(record["resources"]),
        _actions(record),
        tuple(
            tuple(tuple(integers_from(one)) for one in own.items())
            for own in record["uses"].items()
        ),
        exact_array([value for row in rows for value in row]).reshape(-1, max(1, len(players))),
        record["title"].text(),
    )


def anonymous_fields(game: AnonymousGame) -> dict[str, Any]:
    """Write actions, and one table for all players or one for each, flat."""
    return {"actions": list(game.labels), "payoffs": list(map(_written, game.exact_payoffs))}


def anonymous_from(record: Checked) -> AnonymousGame:
    """Read an anonymous game from its record, as ``polymatrix_from``."""
    labels, players = _texts(record["actions"]), _texts(record["players"])
    if not labels or not players:
        record.fail("at least one player and one action", found="none")
    size = len(labels) * num_count_vectors(len(players) - 1, len(labels))
    tables = [[value.rational() for value in own.items()] for own in record["payoffs"].items()]
    for table, shown in zip(tables, record["payoffs"].items(), strict=True):
        if len(table) != size:
            shown.fail(f"{size:,} payoffs", found=f"{len(table):,}")
    if not tables:
        record["payoffs"].fail("one table for all players, or one for each", found="none")
    numbers = exact_array([value for table in tables for value in table])
    shape = (len(tables), len(labels), size // len(labels))
    return AnonymousGame(players, labels, numbers.reshape(shape), record["title"].text())


Sizes = Iterator[tuple[str, Any, str]]


def _actions_size(game: CompactGame) -> Sizes:
    low, high = min(game.num_actions), max(game.num_actions)
    yield "actions", list(game.num_actions), str(low) if low == high else f"{low} to {high}"


def _polymatrix_sizes(game: PolymatrixGame) -> Sizes:
    yield from _actions_size(game)
    yield "edges", game.num_edges, str(game.num_edges)


def _graphical_sizes(game: GraphicalGame) -> Sizes:
    yield from _actions_size(game)
    most = max(map(len, game.neighbors))
    yield "neighbors", list(map(len, game.neighbors)), f"at most {most}"


def _congestion_sizes(game: CongestionGame) -> Sizes:
    yield from _actions_size(game)
    yield "resources", game.num_resources, str(game.num_resources)


def _anonymous_sizes(game: AnonymousGame) -> Sizes:
    yield from _actions_size(game)
    count = num_count_vectors(game.num_players - 1, len(game.labels))
    yield "counts of the others", count, f"{count:,}"


Properties = Iterator[tuple[str, Verdict]]


def _polymatrix_properties(game: PolymatrixGame) -> Properties:
    yield "constant-sum", is_constant_sum_polymatrix(game)


def _counting_properties(game: AnonymousGame | CongestionGame) -> Properties:
    yield "symmetric", players_are_alike(game)


def _laws(game: CompactGame) -> Iterator[tuple[str, Callable[[Any], None]]]:
    yield "a pure profile pays what its joint action pays", partial(_check_pure, game)
    if math.prod(game.num_actions) <= MOST_COMPARED:
        yield "the normal form pays the same on average", partial(_check_normal, game)


def _check_pure(game: CompactGame, rng: Any) -> None:
    """Compare averages over a pure profile with what is read off for its joint action."""
    joint = [int(rng.integers(n)) for n in game.num_actions]
    profile = pure_profile(game, joint)
    averaged, plain = compact_payoffs(game, profile), pure_payoffs(game, joint)
    values = map(expected_value, action_values(game, profile), profile.strategies)
    if averaged != plain or tuple(values) != plain:
        raise LawBroken(
            found=f"joint action {joint} pays {written(plain)}, but on average {written(averaged)}",
            where=repr(game),
        )


def _check_normal(game: CompactGame, rng: Any) -> None:
    """Compare what a mixed profile pays with what it pays in the normal form."""
    weights = [[int(w) for w in rng.integers(1, 5, size=n)] for n in game.num_actions]
    profile = MixedProfile(
        tuple(object_array([Fraction(w, sum(own)) for w in own]) for own in weights)
    )
    averaged = compact_payoffs(game, profile)
    listed = rationals(expected_payoffs(compact_to_normal(game), profile))
    if averaged != listed:
        raise LawBroken(
            found=f"the profile pays {written(averaged)}, but {written(listed)} in the normal form",
            where=repr(game),
        )


def _kind(name: str, words: str, **given: Any) -> GameKind:
    small = "Small ones have a normal form: compact_to_normal(game)."
    return GameKind(
        name=name,
        words=words,
        laws=_laws,
        is_mixed=True,
        to_normal=lambda game, most: compact_to_normal(game, max_profiles=most),
        instead={"NormalFormGame": small, "picture": small},
        **given,
    )


for kind in (
    _kind(
        "polymatrix",
        "polymatrix game (a bimatrix game on each edge of a graph)",
        type=PolymatrixGame,
        fields=polymatrix_fields,
        read=polymatrix_from,
        sizes=_polymatrix_sizes,
        properties=_polymatrix_properties,
    ),
    _kind(
        "graphical",
        "graphical game (payoffs depend on neighbors)",
        type=GraphicalGame,
        fields=graphical_fields,
        read=graphical_from,
        sizes=_graphical_sizes,
    ),
    _kind(
        "congestion",
        "congestion game (resources cost more, the more players use them)",
        type=CongestionGame,
        fields=congestion_fields,
        read=congestion_from,
        sizes=_congestion_sizes,
        properties=_counting_properties,
    ),
    _kind(
        "anonymous",
        "anonymous game (payoffs depend on how many others take each action)",
        type=AnonymousGame,
        fields=anonymous_fields,
        read=anonymous_from,
        sizes=_anonymous_sizes,
        properties=_counting_properties,
    ),
):
    add_game_kind(kind)
add_to_catalog(
    catalog.ring_of_pennies,
    catalog.security_ring,
    catalog.public_good_on_ring,
    catalog.pigou,
    catalog.braess,
    catalog.affine_triangle,
    catalog.el_farol,
    catalog.volunteers_dilemma,
)
