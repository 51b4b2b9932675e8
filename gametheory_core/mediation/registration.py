"""What this room adds to files, the catalogue and the command line."""

from collections.abc import Callable, Iterator
from typing import Any

from gametheory_core.extensions import GameKind, Play, add_game_kind, add_to_catalog
from gametheory_core.formats.checked_json import Checked
from gametheory_core.formats.rule_records import (
    array_from,
    check_count,
    encoded,
    kernel_from,
    label_record,
    labels_from,
    rewards_from,
)
from gametheory_core.games.properties import Verdict
from gametheory_core.mediation import catalog, certificate
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.policies import random_mediated_profile
from gametheory_core.mediation.values import check_mediated, mediated_returns, mediated_trajectories

_ARRAYS = ("initial_kernel", "row_key", "transition_kernel", "rewards", "horizon", "discount")

CLAIMS = (certificate,)


def mediated_fields(game: MediatedGame) -> dict[str, Any]:
    """Write states, actions, rows, rewards, horizon and discount, as the fields of the game.

    Raises:
        UnsupportedGame: If a label would not read back as the same label.
    """
    return {
        "states": [label_record(label, kind="state") for label in game.states],
        "actions": [
            [label_record(label, kind=f"action of {player!r}") for label in own]
            for player, own in zip(game.players, game.actions, strict=True)
        ],
        **{name: encoded(getattr(game, name)) for name in _ARRAYS},
    }


def mediated_from(record: Checked) -> MediatedGame:
    """Read a mediated game from its record.

    Raises:
        MalformedFile: Names the path of the offending value.
        InvalidGame: If the parts do not make a game.
    """
    players = tuple(player.text() for player in record["players"].items())
    if not players:
        record["players"].fail("at least one player")
    actions = tuple(labels_from(own) for own in record["actions"].items())
    check_count(record["actions"], actions, len(players))
    horizon = record["horizon"].integer()
    if horizon < 1:
        record["horizon"].fail("an integer of at least 1")
    initial = kernel_from(record["initial_kernel"])
    if initial.num_rows != 1:
        record["initial_kernel"].fail("one row", found=f"{initial.num_rows}")
    return MediatedGame(
        players=players,
        states=labels_from(record["states"]),
        actions=actions,
        initial_kernel=initial,
        row_key=array_from(record["row_key"], bits=62),
        transition_kernel=kernel_from(record["transition_kernel"]),
        rewards=rewards_from(record["rewards"], len(players)),
        horizon=horizon,
        discount=record["discount"].rational(),
        title=record["title"].text(),
    )


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
        play=Play(
            draw=lambda game, rng: random_mediated_profile(game, rng=rng),
            payoffs=mediated_returns,
            outcomes=mediated_trajectories,
        ),
        instead={
            "POSG": "Use jam_value_iteration.",
            "picture": "Solve it with gametheory solve GAME --concept mediated, or in Python draw "
            "how fair its rounds are: draw_fairness_rounds in gametheory_core.mediation.figures",
        },
    )
)
add_to_catalog(
    catalog.chicken_with_brakes,
    catalog.resource_agreement,
    catalog.mediated_prisoners_dilemma,
    catalog.mediated_chicken,
    catalog.mediated_battle_of_the_sexes,
    catalog.resource_collection_one_color,
    catalog.resource_collection_two_colors,
    catalog.resource_collection_grid,
    catalog.paid_leadership,
)
