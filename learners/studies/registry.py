"""Studies by name: which figures and tables of a paper can be made again, and how.

A study is a declaration: its figures and tables by number, each with a function that makes its
files. Another paper's study is such a declaration and one line in ``declare_studies``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import TypeAlias

from gametheory_core.arguments import require_integer, require_number, shown
from gametheory_core.errors import InvalidArgument, MissingDependency
from learners.experiments.runs import ITERATIONS
from learners.experiments.typed_values import nearest
from learners.protocol import defined_at
from learners.studies.files import require_folder, write_all

STUDIES: dict[str, str] = {}  # name -> "module:name" of a Study
MOST_SCALE = 1000.0  # of a study's default amount

OnProgress: TypeAlias = Callable[[str, int, int], None]  # what is made, how much, of how much
Files: TypeAlias = Mapping[str, bytes]  # by their names in the folder


def _unseen(_what: str, _done: int, _total: int) -> None:
    """Watch nothing."""


class Kind(Enum):
    """What a piece of a study is; the value is the word for it."""

    FIGURE = "figure"
    TABLE = "table"


@dataclass(frozen=True)
class Request:
    """How a study is to be made.

    Attributes:
        folder: Where runs are kept and files go.
        scale: Of the study's default amount; above 0.
        seeds: One run of each scheme each; None for the study's own.
        jobs: Runs at once; -1 for as many as there are processors.
        on_progress: Called with what is made, how much is done, and of how much.
        models: Folders of language models, for a study that reads some.
    """

    folder: Path
    scale: float = 1.0
    seeds: tuple[int, ...] | None = None
    jobs: int = 1
    on_progress: OnProgress = _unseen
    models: tuple[Path, ...] = ()

    def __post_init__(self) -> None:
        require_number(self.scale, name="scale", above=0, high=MOST_SCALE, where="reproduce")
        require_integer(self.jobs, name="jobs", low=-1, where="reproduce")
        if not self.jobs:
            raise InvalidArgument(needs="at least one job, or -1", found="got 0", where="reproduce")
        if self.seeds is not None and (not self.seeds or len(set(self.seeds)) < len(self.seeds)):
            raise InvalidArgument(
                needs="at least one seed, each once",
                found=f"got {shown(self.seeds)}",
                where="reproduce",
            )
        for folder in self.models:
            if not folder.is_dir():
                raise InvalidArgument(
                    needs="a folder with a model", found=f"{folder} is none", where="--model"
                )

    def scaled(self, amount: int, *, least: int = 1) -> int:
        """Return a default amount at the scale asked for.

        >>> Request(Path(), scale=0.5).scaled(100)
        50
        """
        return max(least, round(amount * self.scale))


@dataclass(frozen=True)
class Piece:
    """A figure or a table.

    Attributes:
        number: In the paper, or after its last where the paper has none.
        words: What it shows.
        make: Makes its files, pictures and data.
    """

    kind: Kind
    number: int
    words: str
    make: Callable[[Request], Files]

    @property
    def name(self) -> str:
        """``"figure 1"``."""
        return f"{self.kind.value} {self.number}"


@dataclass(frozen=True)
class Study:
    """A paper's figures and tables.

    Attributes:
        source: Of the paper.
        pieces: In the order in which they are made.
        takes: How long its default amount takes, for people.
        absent: ``"figure 4"`` -> what it would take; figures and tables that are not made.
        reads_models: Whether language models may be given.
    """

    name: str
    title: str
    source: str
    takes: str
    pieces: tuple[Piece, ...]
    absent: Mapping[str, str] = field(default_factory=dict[str, str])
    reads_models: bool = False

    def chosen(self, figures: Sequence[int] = (), tables: Sequence[int] = ()) -> tuple[Piece, ...]:
        """Return figures and tables by their numbers; all if none is asked for.

        Raises:
            InvalidArgument: Names the one that is not there, and says why or which are.
        """
        asked = [(Kind.FIGURE, number) for number in figures]
        asked += [(Kind.TABLE, number) for number in tables]
        known = {(piece.kind, piece.number): piece for piece in self.pieces}
        for kind, number in asked:
            if (kind, number) not in known:
                name = f"{kind.value} {number}"
                why = self.absent.get(name)
                raise InvalidArgument(
                    found=f"{self.name} does not make {name}: {why}"
                    if why
                    else f"{self.name} has no {name}",
                    remedy=f"It has {', '.join(piece.name for piece in self.pieces)}.",
                    where="reproduce",
                )
        wanted = set(asked) or set(known)
        return tuple(piece for key, piece in known.items() if key in wanted)


def declare_studies(package: str, places: Mapping[str, str]) -> None:
    """Make studies known by name, without importing them.

    Args:
        package: In which they are defined.
        places: Name -> ``module:name`` in the package.

    >>> "rirrps" in STUDIES
    True
    """
    STUDIES.update({name: f"{package}.{place}" for name, place in places.items()})


def study_named(name: str) -> Study:
    """Return a study.

    Raises:
        InvalidArgument: If there is no such study; names the nearest, and all.

    >>> study_named("rirrps").chosen(figures=[1])[0].name
    'figure 1'
    """
    if name not in STUDIES:
        raise InvalidArgument(
            found=f"no study {shown(name)}",
            remedy=f"{nearest(name, STUDIES)}Studies are {', '.join(sorted(STUDIES))}.",
            where="reproduce",
        )
    return defined_at(STUDIES[name])


def reproduce(
    pieces: Sequence[Piece],
    request: Request,
    *,
    on_missing: Callable[[Piece, MissingDependency], None] | None = None,
) -> dict[str, tuple[Path, ...]]:
    """Make figures and tables, and write them into a folder, each whole or not at all.

    Args:
        pieces: Of a study.
        on_missing: Called with a piece that is left out, since a library is not installed, and the
            error that says which; by default that is raised.

    Returns:
        The files of each that was made, by its name.

    Raises:
        InvalidArgument: If the folder cannot be written.
        MissingDependency: If a library is not installed, and nobody asked to be told of it.
        GameTheoryError: As runs do.

    >>> import tempfile
    >>> table = study_named("rirrps").chosen(tables=[1])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = reproduce(table, Request(Path(folder)))
    >>> [path.name for path in made["table 1"]]
    ['table-1.csv']
    """
    require_folder(request.folder)
    made: dict[str, tuple[Path, ...]] = {}
    for piece in pieces:
        try:
            made[piece.name] = write_all(piece.make(request), request.folder)
        except InvalidArgument as error:
            if error.argument != ITERATIONS:
                raise
            raise error.changed(
                needs=f"a --scale of at least that of the runs in {request.folder}",
                found=f"{request.scale:g} asks for less than was made already",
                remedy="Give that scale, or a larger one, or another --out.",
            ) from error
        except MissingDependency as error:
            if on_missing is None:
                raise
            on_missing(piece, error)
    return made
