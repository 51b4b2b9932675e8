"""Tables of POSGs and AEC games as JSON records, lossless, every number as ``"p/q"``.

What records of tables have in common: kernels, arrays, labels and rewards, read with checks.

Labels of rules in JSON: text, integers, truth values, null and arrays as they are; rest tagged.

A rational is ``{"fraction": "1/3"}``; blanks such as ``NULL`` are ``{"blank": "null"}``; a tuple is
an array.
"""

import math
from collections.abc import Hashable
from dataclasses import fields
from fractions import Fraction
from typing import Any, TypeAlias, cast

import numpy as np

from gametheory_core.conversions.simpler_forms import DEEPEST, strange_part
from gametheory_core.conversions.tabular import aec_to_tabular, posg_to_tabular
from gametheory_core.errors import InvalidGame, UnsupportedGame
from gametheory_core.formats.checked_json import GAME_SCHEMA, Checked, Record, rational_text
from gametheory_core.games.rules import Blank, HorizonAEC, HorizonPOSG
from gametheory_core.games.table_content import Kernel, spread
from gametheory_core.games.tables import TabularAEC, TabularPOSG


def label_record(label: Hashable, *, kind: str) -> Any:
    """Write a label.

    Args:
        kind: For the message, such as ``"state"``.

    Raises:
        UnsupportedGame: If it would not read back as the same label; names the part.
    """
    strange = strange_part(label)
    if strange:
        shown = repr(strange[0])
        blanks = ", ".join(blank.name for blank in Blank)
        raise UnsupportedGame(
            needs=f"labels of text, integers, truth values, None, rationals, {blanks} and tuples "
            "of "
            f"these, nested at most {DEEPEST} deep",
            found=f"a {kind} has {shown if len(shown) <= 100 else shown[:100] + '...'} "
            f"({type(strange[0]).__name__})",
            remedy="Write label_by_text(game).target, which names such things by texts.",
        )
    return _encoded(label)


def _encoded(label: Hashable) -> Any:
    if isinstance(label, tuple):
        return [_encoded(part) for part in cast("tuple[Hashable, ...]", label)]
    if isinstance(label, Fraction):
        return {"fraction": rational_text(label)}
    return {"blank": label.value} if isinstance(label, Blank) else label


def label_from(record: Checked, *, depth: int = 0) -> Hashable:
    """Read a label.

    Raises:
        MalformedFile: Names the path of the offending value.
    """
    value = record.value
    if isinstance(value, list):
        if depth >= DEEPEST:
            record.fail(f"labels nested at most {DEEPEST} deep", found="deeper ones")
        return tuple(label_from(part, depth=depth + 1) for part in record.items())
    if isinstance(value, dict):
        entries = cast("dict[str, Any]", value)
        if set(entries) == {"fraction"}:
            return record["fraction"].rational()
        if set(entries) == {"blank"}:
            return Blank(record["blank"].one_of(*(blank.value for blank in Blank)))
        blanks = " or ".join(f'"{blank.value}"' for blank in Blank)
        record.fail(f'{{"fraction": "p/q"}} or {{"blank": {blanks}}}')
    if isinstance(value, float):
        record.fail("a label: text, an integer, true, false, null, or an array of labels")
    return record.text() if isinstance(value, str) else value


def encoded(value: Any) -> Any:
    """Write a kernel, array, sequence or number of a table; rationals become text."""
    if isinstance(value, Kernel):
        return {name: encoded(getattr(value, name)) for name in ("start", "outcome", "weight")}
    if isinstance(value, np.ndarray):
        array = cast("np.ndarray[Any, Any]", value)
        return encoded(array.tolist())
    if isinstance(value, list | tuple):
        return [encoded(item) for item in cast("list[Any]", value)]
    return rational_text(value) if isinstance(value, Fraction) else value


def labels_from(record: Checked) -> tuple[Hashable, ...]:
    """Read an array of labels."""
    return tuple(label_from(label) for label in record.items())


def rewards_from(record: Checked, num_players: int) -> Any:
    """Read vectors of rewards, one number a player, as an exact array."""
    vectors: list[list[Fraction]] = []
    for entry in record.items():
        vectors.append([reward.rational() for reward in entry.items()])
        check_count(entry, vectors[-1], num_players)
    array = np.empty((len(vectors), num_players), dtype=object)
    if vectors:
        array[:] = vectors
    return array


def kernel_from(record: Checked) -> Kernel:
    """Read a kernel.

    Raises:
        MalformedFile: If its parts do not make one; names the path.
    """
    start, outcome = array_from(record["start"]), array_from(record["outcome"])
    weights = [w.rational() for w in record["weight"].items()]
    weight = np.empty(len(weights), dtype=object)
    weight[:] = weights
    with record.made(InvalidGame):
        return Kernel(start, outcome, weight)


def array_from(record: Checked, *, bits: int = 31) -> Any:
    """Read integers below ``2**bits`` in size, as an array of 32 bits if that is enough."""
    return np.array(integers_from(record, bits=bits), dtype=np.int32 if bits < 32 else np.int64)


def integers_from(record: Checked, *, bits: int = 31) -> list[int]:
    """Read integers below ``2**bits`` in size."""
    values = [value.integer() for value in record.items()]
    limit = 2**bits
    if any(not -limit <= value < limit for value in values):
        record.fail(f"integers below 2^{bits}", found="larger ones")
    return values


def check_count(record: Checked, items: Any, num_players: int) -> None:
    """Refuse an array that has not one entry for each player."""
    if len(items) != num_players:
        record.fail(f"{num_players} entries, one a player", found=f"{len(items)}")


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
    with record.made(InvalidGame):
        return _posg(record) if kind == "posg" else _aec(record)


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
