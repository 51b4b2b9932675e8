"""Tables of POSGs and AEC games as JSON records, lossless, every number as ``"p/q"``."""

import math
from dataclasses import fields
from typing import Any, TypeAlias

import numpy as np

from gametheory_core.conversions.tabular import aec_to_tabular, posg_to_tabular
from gametheory_core.errors import InvalidGame, MalformedFile
from gametheory_core.formats.checked_json import Checked
from gametheory_core.formats.label_records import label_record
from gametheory_core.formats.schema import GAME_SCHEMA, Record
from gametheory_core.formats.table_records import (
    array_from,
    check_count,
    encoded,
    integers_from,
    kernel_from,
    labels_from,
    rewards_from,
)
from gametheory_core.games.rules import HorizonAEC, HorizonPOSG
from gametheory_core.games.table_content import spread
from gametheory_core.games.tables import TabularAEC, TabularPOSG

Table: TypeAlias = TabularPOSG | TabularAEC

RULE_KINDS = ("posg", "aec")
WHOLE = 2**62  # no budget: the table is in memory already


def rules_record(game: Table) -> Record:
    """Write a table as a record: its fields, by the names and with the meaning they have there.

    Raises:
        UnsupportedGame: If a label would not read back as the same label.
    """
    kind = "posg" if isinstance(game, TabularPOSG) else "aec"
    record: Record = {
        "schema": GAME_SCHEMA,
        "title": game.title,
        "players": list(game.players),
        "kind": kind,
        "states": [label_record(label, kind="state") for label in game.states],
    }
    for name in ("actions", "observations"):
        record[name] = [
            [label_record(label, kind=f"{name[:-1]} of {player!r}") for label in own]
            for player, own in zip(game.players, getattr(game, name), strict=True)
        ]
    for field in fields(game):
        if field.name not in record:
            record[field.name] = encoded(getattr(game, field.name))
    return record


def rules_from(record: Checked) -> Table:
    """Read a table from its record.

    Raises:
        MalformedFile: Names the path of the offending value, or the question that the table leaves
            open.
    """
    record["schema"].one_of(GAME_SCHEMA)
    kind = record["kind"].one_of(*RULE_KINDS)
    if not any(True for _ in record["players"].items()):
        record["players"].fail("at least one player")
    try:
        return _posg(record) if kind == "posg" else _aec(record)
    except InvalidGame as error:
        where = f" at {record.path}" if record.path else ""
        raise MalformedFile(f"{record.name}{where}: {error}") from None


def _posg(record: Checked) -> TabularPOSG:
    common = _common(record)
    _check_codes(record, len(common["states"]) * math.prod(map(len, common["actions"])))
    game = TabularPOSG(
        **common,
        signals=_signals(record["signals"], len(common["players"])),
        initial_kernel=kernel_from(record["initial_kernel"]),
        initial_signal_row=array_from(record["initial_signal_row"]),
        entry_reward=array_from(record["entry_reward"]),
        entry_signal_row=array_from(record["entry_signal_row"]),
        signal_kernel=kernel_from(record["signal_kernel"]),
    )
    if game.initial_kernel.num_rows != 1:
        record["initial_kernel"].fail("one row", found=f"{game.initial_kernel.num_rows}")
    entries = np.flatnonzero(~game.terminal[game.transition_kernel.outcome])
    _check_signals(record["entry_signal_row"], game, entries)
    posg_to_tabular(HorizonPOSG(game, game.horizon), max_states=WHOLE)  # asks all that play may ask
    return game


def _aec(record: Checked) -> TabularAEC:
    common = _common(record)
    most = max(1, *map(len, common["actions"]))
    _check_codes(record, len(common["states"]) * (len(common["players"]) + 1) * most)
    game = TabularAEC(
        **common,
        initial_index=record["initial_index"].integer(),
        observation_key=array_from(record["observation_key"], bits=62),
        observation_kernel=kernel_from(record["observation_kernel"]),
        entry_reward_row=array_from(record["entry_reward_row"]),
        entry_turn_row=array_from(record["entry_turn_row"]),
        reward_kernel=kernel_from(record["reward_kernel"]),
        turn_kernel=kernel_from(record["turn_kernel"]),
    )
    aec_to_tabular(HorizonAEC(game, game.horizon), max_states=WHOLE)  # asks all that play may ask
    return game


def _check_signals(record: Checked, game: TabularPOSG, entries: Any) -> None:
    """Refuse observations that depend on the state before, which rules cannot say."""
    row, _ = spread(game.transition_kernel.sizes)
    codes = (game.row_key % game.num_joint_actions)[row]
    keys = zip(codes.tolist(), game.transition_kernel.outcome.tolist(), strict=True)
    known: dict[tuple[int, int], int] = {}
    rows = game.entry_signal_row.tolist()
    pairs = list(keys)
    for entry in entries.tolist():
        if known.setdefault(pairs[entry], rows[entry]) != rows[entry]:
            record.fail(
                "one law of observations for each action and state that follows",
                found=f"{rows[entry]} at position {entry} beside {known[pairs[entry]]}",
            )


def _common(record: Checked) -> dict[str, Any]:
    players = tuple(player.text() for player in record["players"].items())
    horizon = record["horizon"]
    common: dict[str, Any] = {"players": players}
    for name in ("actions", "observations"):
        common[name] = tuple(labels_from(own) for own in record[name].items())
        check_count(record[name], common[name], len(players))
    common |= {
        "states": labels_from(record["states"]),
        "legal": tuple(
            tuple(tuple(integers_from(actions)) for actions in own.items())
            for own in record["legal"].items()
        ),
        "terminal": np.array([end.boolean() for end in record["terminal"].items()], dtype=bool),
        "row_key": array_from(record["row_key"], bits=62),
        "transition_kernel": kernel_from(record["transition_kernel"]),
        "reward_vectors": rewards_from(record["reward_vectors"], len(players)),
        "discount": record["discount"].rational(),
        "horizon": None if horizon.value is None else horizon.integer(),
        "title": record["title"].text(),
    }
    if common["horizon"] is not None and common["horizon"] < 0:
        horizon.fail("null or an integer of at least 0")
    return common


def _signals(record: Checked, num_players: int) -> Any:
    signals: list[list[int]] = []
    for entry in record.items():
        signals.append(integers_from(entry))
        check_count(entry, signals[-1], num_players)
    return np.array(signals, dtype=np.int32).reshape(-1, num_players)


def _check_codes(record: Checked, size: int) -> None:
    if size >= 2**62:
        record["actions"].fail(
            "fewer than 2^62 combinations of state and actions", found=f"{size:,}"
        )
