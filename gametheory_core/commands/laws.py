"""The laws that ``check`` runs, for each kind of game."""

import math
import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from gametheory_core.conversions.aec_extensive import aec_to_extensive
from gametheory_core.conversions.aec_posg import aec_to_posg
from gametheory_core.conversions.canonical_tree import canonical_tree
from gametheory_core.conversions.extensive_aec import extensive_to_aec
from gametheory_core.conversions.extensive_normal import extensive_to_normal
from gametheory_core.conversions.normal_posg import normal_to_extensive
from gametheory_core.conversions.posg_aec import posg_to_aec
from gametheory_core.conversions.posg_extensive import posg_to_extensive
from gametheory_core.conversions.security_bayesian import security_to_bayesian
from gametheory_core.conversions.text_labels import label_by_text
from gametheory_core.errors import LawBroken, UnsupportedGame
from gametheory_core.extensions import kind_of_game
from gametheory_core.formats.checked_json import parse_json
from gametheory_core.formats.files import game_text
from gametheory_core.formats.game_records import game_from
from gametheory_core.games.tabular_aec import TabularAEC
from gametheory_core.games.tabular_posg import TabularPOSG
from gametheory_core.testing.bayesian_laws import check_bayesian
from gametheory_core.testing.laws import check_conversion, check_normal_form, check_tree
from gametheory_core.testing.rule_laws import check_aec, check_posg

MAX_PROFILES = 2_000  # joint plans of a normal form that is compared with its tree
MAX_TREE = 1_000  # nodes of a tree whose profiles are carried to an AEC game and back
NUM_PROFILES = 3
MOST_STEPS = 100  # for which plays of rules are followed
ANSWERS = "answers are steady and well formed; plays and returns add up"

Check: TypeAlias = Callable[[Any], None]  # of a random generator


@dataclass(frozen=True)
class Law:
    """A law: what it says, and a function that raises if it is broken."""

    name: str
    check: Check


def _common_laws(game: Any) -> Iterator[Law]:
    yield Law("a file reads back as the same game", lambda _: _reads_back(game))
    yield Law("a pickle is the same game", lambda _: _unpickles(game))


def _reads_back(game: Any) -> None:
    is_table = isinstance(game, TabularPOSG | TabularAEC)
    written = label_by_text(game).target if is_table else game
    record = parse_json(game_text(written, ".json", name="file"), name="file")
    back = game_from(record)
    if back.digest != written.digest:
        raise LawBroken(f"{game!r}: must read back the same, but is {back!r}.")


def _unpickles(game: Any) -> None:
    copy = pickle.loads(pickle.dumps(game))  # noqa: S301  (our own bytes)
    if copy != game or copy.digest != game.digest:
        raise LawBroken(f"{game!r}: must equal its pickled copy, but does not.")


def _conversion_law(name: str, convert: Callable[[], Any]) -> Law:
    """Make a law of what a conversion claims to preserve."""
    return Law(name, lambda rng: check_conversion(convert(), rng=rng, num_profiles=NUM_PROFILES))


def _matrix_laws(game: Any, _rules: Any, _max_nodes: int) -> Iterator[Law]:
    yield Law(
        "payoffs are averages; best responses lose nothing",
        lambda rng: check_normal_form(game, rng=rng, num_profiles=NUM_PROFILES),
    )
    yield from _common_laws(game)
    yield _conversion_law("the tree is the same game", lambda: _small_tree(game))


def _small_tree(game: Any) -> Any:
    size = math.prod(game.num_actions)
    if size > MAX_PROFILES:
        raise UnsupportedGame(f"the tree has {size:,} ends of play, more than {MAX_PROFILES:,}")
    return normal_to_extensive(game)


def _tree_laws(game: Any, _rules: Any, _max_nodes: int) -> Iterator[Law]:
    yield Law(
        "probability is conserved; payoffs are averages; best responses lose nothing",
        lambda rng: check_tree(game, rng=rng, num_profiles=NUM_PROFILES),
    )
    yield from _common_laws(game)
    yield Law("as an AEC game and back, the same tree", lambda _: _walks_back(game))
    yield _conversion_law("as an AEC game and back, the same profiles", lambda: _around(game))
    yield _conversion_law(
        "the normal form is the same game",
        lambda: extensive_to_normal(game, max_profiles=MAX_PROFILES),
    )


def _around(game: Any) -> Any:
    if game.num_nodes > MAX_TREE:
        raise UnsupportedGame(f"the tree has {game.num_nodes:,} nodes, more than {MAX_TREE:,}")
    walk = extensive_to_aec(game)
    return walk.then(aec_to_extensive(walk.target))


def _walks_back(game: Any) -> None:
    walk = extensive_to_aec(game).target
    returned = canonical_tree(aec_to_extensive(walk).target).target
    original = canonical_tree(game).target
    if returned != original:
        raise LawBroken(f"{game!r}: must come back as {original!r}, but is {returned!r}.")


def _posg_laws(game: Any, rules: Any, max_nodes: int) -> Iterator[Law]:
    yield Law(
        ANSWERS,
        lambda rng: check_posg(
            rules, rng=rng, num_profiles=NUM_PROFILES, steps=game.horizon, max_states=max_nodes
        ),
    )
    yield from _common_laws(game)
    yield _conversion_law("the AEC game is the same game", lambda: posg_to_aec(game))
    tree = posg_to_extensive(game, max_nodes=max_nodes)
    yield from _plays_laws(tree)


def _aec_laws(game: Any, rules: Any, max_nodes: int) -> Iterator[Law]:
    moves = MOST_STEPS if game.horizon is None else game.horizon
    yield Law(
        ANSWERS,
        lambda rng: check_aec(
            rules, rng=rng, num_profiles=NUM_PROFILES, moves=moves, max_states=max_nodes
        ),
    )
    yield from _common_laws(game)
    yield _conversion_law("the POSG is what it claims to be", lambda: aec_to_posg(game))
    tree = aec_to_extensive(game, max_nodes=max_nodes)
    yield from _plays_laws(tree)


def _plays_laws(tree: Any) -> Iterator[Law]:
    yield _conversion_law("the tree of plays is the same game", lambda: tree)
    yield Law(
        "the tree of plays obeys the laws of trees",
        lambda rng: check_tree(tree.target, rng=rng, num_profiles=NUM_PROFILES),
    )


def _bayesian_laws(game: Any, _rules: Any, _max_nodes: int) -> Iterator[Law]:
    yield Law(
        "the Harsanyi transform pays the same",
        lambda rng: check_bayesian(game, rng=rng, num_profiles=NUM_PROFILES),
    )
    yield from _common_laws(game)


def _security_laws(game: Any, _rules: Any, _max_nodes: int) -> Iterator[Law]:
    yield Law(
        "the Harsanyi transform of the game with all coverages pays the same",
        lambda rng: check_bayesian(security_to_bayesian(game), rng=rng, num_profiles=NUM_PROFILES),
    )
    yield from _common_laws(game)


def _registered_laws(game: Any, _rules: Any, _max_nodes: int) -> Iterator[Law]:
    kind = kind_of_game(game)
    yield from (Law(*law) for law in (kind.laws(game) if kind else ()))
    yield from _common_laws(game)


_LAWS = {
    "nfg": _matrix_laws,
    "efg": _tree_laws,
    "posg": _posg_laws,
    "aec": _aec_laws,
    "bayesian": _bayesian_laws,
    "security": _security_laws,
}


def laws_of(kind: str, game: Any, rules: Any, max_nodes: int) -> Iterator[Law]:
    """Yield the laws of a kind of game."""
    yield from _LAWS.get(kind, _registered_laws)(game, rules, max_nodes)
