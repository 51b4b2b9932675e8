"""What this room adds to files, the catalogue and the command line."""

from collections.abc import Callable, Iterator
from typing import Any

from gametheory_core.extensions import GameKind, add_game_kind, add_to_catalog
from gametheory_core.games.properties import Verdict
from gametheory_core.mediation import catalog, led_stages
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.laws import check_mediated
from gametheory_core.mediation.records import mediated_fields, mediated_from


def _sizes(game: MediatedGame) -> Iterator[tuple[str, Any, str]]:
    ends = sum(map(game.is_terminal, range(game.num_states)))
    yield "states", game.num_states, f"{game.num_states}, of which {ends} end the game"
    counts = [len(own) for own in game.actions]
    yield "actions", counts, ", ".join(map(str, counts)) + " as the leader"
    yield "rows", len(game.row_key), f"{len(game.row_key)} of state, leader and action"
    yield "horizon", game.horizon, f"{game.horizon} steps"
    yield "discount", str(game.discount), str(game.discount)


def _properties(game: MediatedGame) -> Iterator[tuple[str, Verdict]]:
    drawn = "" if game.is_deterministic else "the first state or a next one is drawn"
    yield "deterministic", Verdict(not drawn, drawn)


def _laws(game: MediatedGame) -> Iterator[tuple[str, Callable[[Any], None]]]:
    yield "plays pay on average what values say", lambda rng: check_mediated(game, rng=rng)


add_game_kind(
    GameKind(
        name="mediated",
        type=MediatedGame,
        words="mediated game (a mediator picks who leads each step)",
        fields=mediated_fields,
        read=mediated_from,
        sizes=_sizes,
        properties=_properties,
        laws=_laws,
        instead={
            "POSG": "Use jam_value_iteration.",
            "picture": "Solve it with python -m solvers GAME --concept mediated, or in Python draw "
            "how fair its rounds are: draw_fairness_rounds in gametheory_core.mediation.figures",
        },
    )
)
add_to_catalog(
    led_stages.chicken_with_brakes,
    led_stages.resource_agreement,
    catalog.mediated_prisoners_dilemma,
    catalog.mediated_chicken,
    catalog.mediated_battle_of_the_sexes,
    catalog.resource_collection_one_color,
    catalog.resource_collection_two_colors,
    catalog.paid_leadership,
)
