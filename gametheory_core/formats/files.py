"""Games in files: the suffix names the format. Writing is all or nothing."""

import json
import os
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from gametheory_core.arguments import require_instance
from gametheory_core.arrays import reading_floats
from gametheory_core.errors import InvalidArgument, MalformedFile, UnsupportedGame
from gametheory_core.extensions import kind_of_game
from gametheory_core.formats.checked_json import parse_json
from gametheory_core.formats.gambit import format_efg, format_nfg, parse_efg, parse_nfg
from gametheory_core.formats.gambit_text import DuplicateLabels
from gametheory_core.formats.game_records import Game, game_from, game_record
from gametheory_core.formats.spreadsheets import format_csv, parse_csv
from gametheory_core.games.bayesian import BayesianGame, SecurityGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.tables import TabularAEC, TabularPOSG
from gametheory_core.interrupts import interrupts_later

SUFFIXES = (".nfg", ".efg", ".csv", ".json")
_HOLDS: Mapping[str, tuple[type[Any], ...]] = MappingProxyType(
    {
        ".nfg": (NormalFormGame,),
        ".efg": (ExtensiveFormGame,),
        ".csv": (NormalFormGame,),
        ".json": (
            NormalFormGame,
            ExtensiveFormGame,
            BayesianGame,
            SecurityGame,
            TabularPOSG,
            TabularAEC,
        ),
    }
)
_MENDS: Mapping[str, str] = MappingProxyType(
    {
        ".nfg": "a normal form",
        ".efg": "a tree",
        ".csv": "a normal form of two players",
        ".json": "a normal form, a tree, a Bayesian or security game, a table or a registered kind",
    }
)


def read_game(
    path: str | os.PathLike[str],
    *,
    duplicates: DuplicateLabels = DuplicateLabels.REFUSE,
    recover: bool = False,
    decimals: bool = False,
) -> Any:
    """Read a game from a ``.nfg``, ``.efg``, ``.csv`` or ``.json`` file.

    Args:
        duplicates: What to do when two things in a Gambit file share a label.
        recover: Whether probabilities of chance in an ``.efg`` file that are rounded decimals
            become the simple fractions that sum to one, as ``parse_efg`` says.
        decimals: Whether ``.json`` files may have numbers, read as the decimals that stand there,
            where they need rationals as text. The other formats read decimals exactly anyway.

    Raises:
        MalformedFile: If the file breaks its format; names line and column.
        InvalidArgument: If there is no such file, it cannot be read, or its suffix is unknown.

    >>> read_game("docs/examples/games/one_card_poker.efg").num_nodes
    11
    """
    suffix, name = _suffix(path), str(path)
    require_instance(recover, bool, name="recover")
    content = read_text(path)
    if suffix == ".json":
        with reading_floats(decimals=decimals):
            return game_from(parse_json(content, name=name))
    if suffix == ".csv":
        return parse_csv(content, name=name)
    if suffix == ".nfg":
        return parse_nfg(content, name=name, duplicates=duplicates)
    return parse_efg(content, name=name, duplicates=duplicates, recover=recover)


def write_game(game: Game, path: str | os.PathLike[str]) -> None:
    """Write a game to a ``.nfg``, ``.efg``, ``.csv`` or ``.json`` file, replacing what was there.

    Args:
        path: Ends so; ``.csv`` holds two players, and tables need ``.json``.

    Raises:
        UnsupportedGame: If the format holds another kind of game.
        InvalidArgument: If the file cannot be written or its suffix is unknown; the old file is
            then untouched.

    >>> import tempfile
    >>> from gametheory_core import load_game
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_game(load_game("kuhn_poker"), f"{folder}/kuhn.efg")
    ...     read_game(f"{folder}/kuhn.efg") == load_game("kuhn_poker")
    True
    """
    write_text(game_text(game, _suffix(path), name=str(path)), path)


def game_text(game: Game, suffix: str, *, name: str) -> str:
    """Return what a file with a suffix says about a game.

    Args:
        suffix: One of ``SUFFIXES``.
        name: What messages call the file.

    Raises:
        UnsupportedGame: If the format holds another kind of game, or a label cannot be written.
    """
    if not (isinstance(game, _HOLDS[suffix]) or (suffix == ".json" and kind_of_game(game))):
        raise UnsupportedGame(
            needs=f"{_MENDS[suffix]} for {name!r}", found=f"got {game!r}", remedy=_mend(game)
        )
    return _FORMATS[suffix](game)


def _mend(game: object) -> str:
    """Say how to write a game that the format does not hold."""
    if isinstance(game, ExtensiveFormGame):
        return "Write extensive_to_normal(game).target, or use the suffix .efg."
    if isinstance(game, NormalFormGame):
        return "Use the suffix .nfg."
    if isinstance(game, BayesianGame):
        return "Use the suffix .json, or write harsanyi_transform(game).target."
    if isinstance(game, SecurityGame):
        return "Use the suffix .json, or write security_to_normal(game)."
    if isinstance(game, TabularPOSG | TabularAEC) or kind_of_game(game):
        return "Use the suffix .json."
    return "Write posg_to_tabular(game).target or aec_to_tabular(game).target."


def read_text(path: str | os.PathLike[str]) -> str:
    """Read a UTF-8 text file.

    Raises:
        InvalidArgument: If there is no such file or it cannot be read.
        MalformedFile: If it is not UTF-8.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InvalidArgument(
            needs=f"a file that can be read, but: {error.strerror}", where=path
        ) from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        raise MalformedFile(
            needs="UTF-8 text",
            found=f"found the byte 0x{data[error.start]:02x}",
            remedy="Save the file as UTF-8.",
            line=line,
            column=column,
            where=f"{path}, line {line}, column {column}",
        ) from None


def write_text(content: str, path: str | os.PathLike[str]) -> None:
    """Write a text file by way of a temporary one, so that it is whole or untouched."""
    write_bytes(utf8(content, name=str(path)), path)


def write_bytes(data: bytes, path: str | os.PathLike[str]) -> None:
    """Write a file by way of a temporary one, so that it is whole or untouched.

    Raises:
        InvalidArgument: If it cannot be written.
    """
    target = Path(path)
    temporary = target.with_name(f".{uuid.uuid4().hex}.tmp")
    with interrupts_later():
        try:
            with temporary.open("xb") as file:
                file.write(data)
            temporary.replace(target)
        except OSError as error:
            raise InvalidArgument(
                needs=f"a file that can be written, but: {error.strerror}", where=path
            ) from None
        finally:
            temporary.unlink(missing_ok=True)


def utf8(content: str, *, name: str) -> bytes:
    """Encode what goes into a file; ``name`` is what messages call it.

    Raises:
        InvalidArgument: If it has half a surrogate pair, which is no character.
    """
    try:
        return content.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidArgument(
            needs="labels that UTF-8 can hold",
            found=f"one has {error.object[error.start]!r}",
            remedy="Rename it.",
            where=name,
        ) from None


def _json_game(game: Game) -> str:
    return json.dumps(game_record(game), ensure_ascii=False) + "\n"


_FORMATS: Mapping[str, Callable[..., str]] = MappingProxyType(
    {".nfg": format_nfg, ".efg": format_efg, ".csv": format_csv, ".json": _json_game}
)


def _suffix(path: str | os.PathLike[str]) -> str:
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise InvalidArgument(
            needs=f"a file name that ends in {', '.join(SUFFIXES)}",
            found=f"it ends in {suffix!r}",
            where=path,
        )
    return suffix
