"""The laws that ``check`` runs, for each kind of game."""

import math
import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from gametheory_core.conversions.aec_extensive import aec_to_extensive
from gametheory_core.conversions.aec_posg import aec_to_posg
from gametheory_core.conversions.canonical_tree import canonical_tree
from gametheory_core.conversions.conversion import Preserved
from gametheory_core.conversions.extensive_aec import extensive_to_aec
from gametheory_core.conversions.extensive_normal import extensive_to_normal
from gametheory_core.conversions.normal_posg import normal_to_extensive
from gametheory_core.conversions.posg_aec import posg_to_aec
from gametheory_core.conversions.posg_extensive import posg_to_extensive
from gametheory_core.conversions.text_labels import label_by_text
from gametheory_core.errors import LawBroken, UnsupportedGame
from gametheory_core.evaluation.deviations import deviation_gains
from gametheory_core.evaluation.payoffs import expected_payoffs
from gametheory_core.evaluation.returns import expected_returns, return_gains
from gametheory_core.formats.checked_json import parse_json
from gametheory_core.formats.files import game_text
from gametheory_core.formats.game_records import game_from
from gametheory_core.formats.rule_records import rules_from
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.tabular_aec import TabularAEC
from gametheory_core.games.tabular_posg import TabularPOSG
from gametheory_core.testing.laws import (
    check_conversion,
    check_normal_form,
    check_tree,
    random_profile,
)

MAX_PROFILES = 2_000  # joint plans of a normal form that is compared with its tree
MAX_TREE = 20_000  # nodes of a tree that is carried to an AEC game and back
NUM_PROFILES = 3

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
    back = rules_from(record) if is_table else game_from(record)
    if back.digest != written.digest:
        raise LawBroken(f"{game!r}: must read back the same, but is {back!r}.")


def _unpickles(game: Any) -> None:
    copy = pickle.loads(pickle.dumps(game))  # noqa: S301  (our own bytes)
    if copy != game or copy.digest != game.digest:
        raise LawBroken(f"{game!r}: must equal its pickled copy, but does not.")


def _conversion_law(name: str, convert: Callable[[], Any]) -> Law:
    """Make a law of what a conversion between matrices and trees claims to preserve."""
    return Law(name, lambda rng: check_conversion(convert(), rng=rng, num_profiles=NUM_PROFILES))


def _returns_law(name: str, tree: Any, convert: Callable[[], Any]) -> Law:
    """Make a law of the returns and best responses of rules and of what they are carried to."""
    return Law(name, lambda rng: _compare_returns(tree, convert(), rng))


def _compare_returns(tree: Any, conversion: Any, rng: np.random.Generator) -> None:
    """Compare at random profiles; drawn on the tree, they depend on all that a player has seen."""
    for _ in range(NUM_PROFILES):
        policies = tree.correspondence.to_source(random_profile(tree.target, rng=rng))
        image = conversion.correspondence.to_target(policies)
        _require_equal(conversion, "returns", _returns, policies, image)
        if Preserved.BEST_RESPONSES in conversion.preserves:
            _require_equal(conversion, "best responses", _best_responses, policies, image)


def _require_equal(
    conversion: Any, what: str, measure: Callable[[Any, Any], Any], policies: Any, image: Any
) -> None:
    source, target = measure(conversion.source, policies), measure(conversion.target, image)
    if source != target:
        raise LawBroken(
            f"{conversion.source!r}: {what} are {_numbers(source)}, but {_numbers(target)} in "
            f"{conversion.target!r}, of which the conversion says: "
            f"{', '.join(sorted(claim.value for claim in conversion.preserves))}."
        )


def _returns(game: Any, profile: Any) -> list[Fraction]:
    if isinstance(game, ExtensiveFormGame):
        return expected_payoffs(game, profile).tolist()
    return expected_returns(game, profile).tolist()


def _best_responses(game: Any, profile: Any) -> list[Fraction]:
    if isinstance(game, ExtensiveFormGame):
        return deviation_gains(game, profile).tolist()
    return return_gains(game, profile).tolist()


def _numbers(values: list[Fraction]) -> str:
    return "(" + ", ".join(map(str, values)) + ")"


def _matrix_laws(game: Any, _max_nodes: int) -> Iterator[Law]:
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


def _tree_laws(game: Any, _max_nodes: int) -> Iterator[Law]:
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


def _posg_laws(game: Any, max_nodes: int) -> Iterator[Law]:
    yield from _common_laws(game)
    tree = posg_to_extensive(game, max_nodes=max_nodes)
    yield from _rule_laws(tree, ("AEC game", lambda: posg_to_aec(game)))


def _aec_laws(game: Any, max_nodes: int) -> Iterator[Law]:
    yield from _common_laws(game)
    tree = aec_to_extensive(game, max_nodes=max_nodes)
    yield from _rule_laws(tree, ("POSG", lambda: aec_to_posg(game)))


def _rule_laws(tree: Any, other: tuple[str, Callable[[], Any]]) -> Iterator[Law]:
    kind, convert = other
    yield Law(
        "the tree of plays obeys the laws of trees",
        lambda rng: check_tree(tree.target, rng=rng, num_profiles=NUM_PROFILES),
    )
    same = "has the same returns and best responses"
    yield _returns_law(f"the tree of plays {same}", tree, lambda: tree)
    yield _returns_law(f"the {kind} {same}, as far as it claims", tree, convert)


LAWS = {"nfg": _matrix_laws, "efg": _tree_laws, "posg": _posg_laws, "aec": _aec_laws}
