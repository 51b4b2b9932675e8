"""Mediated games as JSON records: the fields of the record, without schema and title."""

from typing import Any

from gametheory_core.formats.checked_json import Checked
from gametheory_core.formats.table_records import (
    array_from,
    check_count,
    encoded,
    kernel_from,
    label_record,
    labels_from,
    rewards_from,
)
from gametheory_core.games.mediated import MediatedGame

_ARRAYS = ("initial_kernel", "row_key", "transition_kernel", "rewards", "horizon", "discount")


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
