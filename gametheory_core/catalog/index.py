"""The catalogue: names of games and how to build them; parameters as ``name:key=value,...``."""

import difflib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from gametheory_core.catalog import (
    bidding,
    cleanup,
    counterexamples,
    iterated,
    markov,
    matrix,
    poker,
    repeated,
    textbook_trees,
    turn_orders,
)
from gametheory_core.catalog import grids as pursuit
from gametheory_core.catalog import grids as soccer
from gametheory_core.catalog import hidden_information as liars_dice
from gametheory_core.catalog import hidden_information as phantom_tic_tac_toe
from gametheory_core.catalog import markov as tiger
from gametheory_core.catalog import matrix as security
from gametheory_core.catalog import repeated as rir_rps
from gametheory_core.errors import InvalidArgument
from gametheory_core.extensions import RegisteredGame, builders
from gametheory_core.games.bayesian import BayesianGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.rules import AEC, POSG
from gametheory_core.games.security import SecurityGame

Form: TypeAlias = NormalFormGame | ExtensiveFormGame | BayesianGame | SecurityGame
Game: TypeAlias = Form | POSG | AEC | RegisteredGame


@dataclass(frozen=True)
class CatalogEntry:
    """A game of the catalogue.

    Attributes:
        name: How to ask for it.
        build: Makes the game; keyword-only integer parameters with defaults.
    """

    name: str
    build: Callable[..., Game]

    @property
    def summary(self) -> str:
        """What the game is, in one line."""
        return (inspect.getdoc(self.build) or self.name).splitlines()[0]

    @property
    def source(self) -> str:
        """Where the game comes from; empty for a folk game."""
        _, _, source = (inspect.getdoc(self.build) or "").partition("Source: ")
        return " ".join(source.partition("\n\n")[0].split())

    @property
    def parameters(self) -> Mapping[str, int]:
        """Name and default of each parameter."""
        signature = inspect.signature(self.build)
        return {name: parameter.default for name, parameter in signature.parameters.items()}


_BUILDERS: tuple[Callable[..., Game], ...] = (
    matrix.matching_pennies,
    matrix.rock_paper_scissors,
    matrix.prisoners_dilemma,
    matrix.battle_of_the_sexes,
    matrix.chicken,
    matrix.stag_hunt,
    matrix.coordination,
    matrix.indifference,
    matrix.shapley_cycle,
    matrix.shapley_lemke_howson,
    matrix.degenerate,
    matrix.von_stengel,
    matrix.commitment_example,
    matrix.nine_equilibria,
    matrix.irrational_equilibrium,
    textbook_trees.one_card_poker,
    textbook_trees.selten_horse,
    textbook_trees.beer_quiche,
    textbook_trees.school_signalling,
    textbook_trees.guess_the_ace,
    textbook_trees.absent_minded_driver,
    textbook_trees.forgetful_bit,
    textbook_trees.centipede,
    poker.kuhn_poker,
    poker.leduc_poker,
    poker.leduc_poker_by_ranks,
    liars_dice.liars_dice,
    bidding.goofspiel,
    bidding.goofspiel_points,
    bidding.goofspiel_random_prizes,
    bidding.oshi_zumo,
    phantom_tic_tac_toe.phantom_tic_tac_toe,
    repeated.repeated_matching_pennies,
    repeated.repeated_rock_paper_scissors,
    repeated.repeated_prisoners_dilemma,
    repeated.repeated_battle_of_the_sexes,
    iterated.iterated_prisoners_dilemma,
    iterated.iterated_stag_hunt,
    iterated.iterated_assurance,
    iterated.iterated_coordination,
    iterated.iterated_mixedharmony,
    iterated.iterated_harmony,
    iterated.iterated_noconflict,
    iterated.iterated_deadlock,
    iterated.iterated_prisoners_delight,
    iterated.iterated_hero,
    iterated.iterated_battle,
    iterated.iterated_chicken,
    iterated.iterated_modified_prisoners_dilemma,
    iterated.iterated_battle_of_the_sexes,
    rir_rps.rir_rps,
    tiger.tiger,
    cleanup.cleanup_fixed_order,
    cleanup.cleanup_random_order,
    cleanup.cleanup_simultaneous,
    turn_orders.random_order_team,
    turn_orders.reversing_order,
    pursuit.pursuit_paid_before,
    pursuit.pursuit_paid_after,
    turn_orders.take_away,
    counterexamples.listen_wait_guess,
    counterexamples.seen_choice,
    counterexamples.public_coin,
    counterexamples.private_coins,
    counterexamples.fair_payment,
    counterexamples.sure_payment,
    counterexamples.steady_pay,
    security.house_patrol,
    security.guarded_targets,
    markov.big_match,
    markov.stopping_pennies,
    markov.fish_war,
    soccer.soccer,
)

_OWN: Mapping[str, CatalogEntry] = MappingProxyType(
    {build.__name__: CatalogEntry(build.__name__, build) for build in _BUILDERS}
)


def catalog() -> Mapping[str, CatalogEntry]:
    """Return the games of the catalogue by name, those of rooms of their own at the end."""
    return {**_OWN, **{name: CatalogEntry(name, build) for name, build in builders().items()}}


def load(specification: str) -> Game:
    """Build a game of the catalogue from ``name`` or ``name:key=value,...``.

    Raises:
        InvalidArgument: If the name or a parameter is unknown, or a value is no integer or out of
            range.

    >>> load("liars_dice:sides=2").title
    "Liar's dice, one die of 2 sides each"
    """
    name, colon, text = specification.partition(":")
    entry = _OWN.get(name) or catalog().get(name)
    if entry is None:
        close = difflib.get_close_matches(name, catalog(), n=3)
        hint = f"Did you mean {' or '.join(close)}? " if close else ""
        raise InvalidArgument(
            needs="the name of a game",
            found=f"{name!r} is not one",
            remedy=f"{hint}List the names with: python -m gametheory_core list",
            where="catalogue",
        )
    return entry.build(**_parameters(entry, text) if colon else {})


def _parameters(entry: CatalogEntry, text: str) -> dict[str, int]:
    known = entry.parameters
    shown = ", ".join(f"{key}={value}" for key, value in known.items()) or "none"
    given: dict[str, int] = {}
    for part in text.split(","):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if key not in known or not equals or key in given:
            problem = "is given twice" if key in given else "is not one of them"
            raise InvalidArgument(
                f"{entry.name}: takes parameters KEY=VALUE ({shown}), but {part!r} {problem}."
            )
        try:
            given[key] = int(value)
        except ValueError:
            raise InvalidArgument(
                needs=f"an integer for {key}", found=f"got {value!r}", where=entry.name
            ) from None
    return given
