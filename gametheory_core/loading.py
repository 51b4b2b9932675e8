"""Games by name: a file, or an entry of the catalogue."""

from pathlib import Path

from gametheory_core.catalog.index import Game, load
from gametheory_core.errors import InvalidArgument
from gametheory_core.formats.files import SUFFIXES, read_game
from gametheory_core.formats.gambit_text import DuplicateLabels


def load_game(name: str | Path, *, duplicates: DuplicateLabels = DuplicateLabels.REFUSE) -> Game:
    """Load a game from a file, or from the catalogue.

    Args:
        name: A path that exists or ends in ``.nfg``, ``.efg`` or ``.json``; else ``name`` or
            ``name:key=value,...`` of the catalogue.
        duplicates: What to do when two things in a Gambit file share a label.

    Returns:
        A file has rules as a ``TabularPOSG`` or ``TabularAEC``.

    Raises:
        InvalidArgument: If there is no such file or game, or a parameter is wrong.
        MalformedFile: If the file breaks its format.

    >>> load_game("coordination:size=2").num_actions
    (2, 2)
    """
    if not (isinstance(name, str | Path) and str(name)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidArgument(
            needs="the name of a game or a path",
            found=f"got {name!r} (type {type(name).__name__})",
            remedy="Names: python -m gametheory_core list",
        )
    if Path(name).suffix.lower() in SUFFIXES or Path(name).exists():
        return read_game(name, duplicates=duplicates)
    return load(str(name))
