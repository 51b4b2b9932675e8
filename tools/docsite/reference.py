"""Pages of the API reference, from the lists of public names: every room of each package has one."""

import ast
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from tests.public_rooms import public_rooms

PACKAGES = ("gametheory_core", "solvers", "learners")


@dataclass(frozen=True)
class Room:
    """A package, or a module that one makes public, and what it makes public.

    Attributes:
        name: Where users import from: ``solvers.dynamics``.
        summary: First line of its docstring.
        homes: By public name, the dotted path where it is written.
    """

    name: str
    summary: str
    homes: dict[str, str]

    @property
    def uri(self) -> str:
        """Its page."""
        return f"api/{self.name}.md"


def summary_of(module: ModuleType) -> str:
    """Return the first paragraph of a module's docstring, in one line."""
    return " ".join((module.__doc__ or "").strip().partition("\n\n")[0].split())


def homes_in_stub(package: ModuleType) -> dict[str, str]:
    """Return where each name of a package's stub is written, modules as themselves."""
    stub = Path(str(package.__file__)).with_suffix(".pyi")
    return {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in ast.parse(stub.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def homes_in_module(module: ModuleType) -> dict[str, str]:
    """Return the functions and classes without a leading underscore that a module defines."""
    return {
        name: f"{module.__name__}.{name}"
        for name, value in vars(module).items()
        if not name.startswith("_")
        and (inspect.isclass(value) or inspect.isfunction(value))
        and value.__module__ == module.__name__
    }


def rooms() -> list[Room]:
    """Return all rooms, those of a package after it, in alphabetical order."""
    packages = {package.__name__: package for package in public_rooms(*PACKAGES)}
    found = [
        Room(name, summary_of(package), homes_in_stub(package))
        for name, package in packages.items()
    ]
    modules = {
        value.__name__: value
        for package in packages.values()
        for name in package.__all__
        if inspect.ismodule(value := getattr(package, name)) and value.__name__ not in packages
    }
    found += [
        Room(name, summary_of(module), homes_in_module(module)) for name, module in modules.items()
    ]
    order = {package: number for number, package in enumerate(PACKAGES)}
    return sorted(found, key=lambda room: (order[room.name.partition(".")[0]], room.name))


def described_in(listed: list[Room]) -> dict[str, Room]:
    """Return by path the room whose page describes what is written there: the innermost."""
    inner = sorted(listed, key=lambda room: -room.name.count("."))
    found: dict[str, Room] = {}
    for room in inner:
        for home in room.homes.values():
            found.setdefault(home, room)
    return found


def page(room: Room, pages: dict[str, Room]) -> str:
    """Return a room's page: what it lists, then descriptions of what no inner room describes."""
    return "\n".join(_lines(room, pages)) + "\n"


def _lines(room: Room, pages: dict[str, Room]) -> Iterator[str]:
    yield f"# `{room.name}`\n\n{room.summary}\n"
    elsewhere = {
        name: home for name, home in sorted(room.homes.items()) if pages[home].name != room.name
    }
    inner = {
        home for home in elsewhere.values() if home in {other.name for other in pages.values()}
    }
    for name, home in elsewhere.items():
        where = pages[home].name
        if home not in inner:
            yield f"- [`{name}`][{home}], on the page of [`{where}`]({where}.md)"
    for name, home in sorted(room.homes.items(), key=lambda item: item[0].lower()):
        if pages[home].name == room.name and home not in {other.name for other in pages.values()}:
            yield f"\n::: {home}\n    options:\n      heading: {name}\n      toc_label: {name}"


def overview(listed: list[Room]) -> str:
    """Return the first page: the rooms, with what they say of themselves."""
    lines = [
        "# API reference\n",
        "A name is public where its room lists it: import it from there. The three packages themselves",
        "list what most programs need; each name is described once, on the page of its room.",
        "The list of names is read from the packages, so that this reference has all of them.",
    ]
    for package in PACKAGES:
        lines += [f"\n## {package}\n", "| import from | what it holds | names |", "|---|---|--:|"]
        lines += [
            f"| [`{room.name}`]({room.name}.md) | {room.summary} | {len(room.homes)} |"
            for room in listed
            if room.name.partition(".")[0] == package
        ]
    return "\n".join(lines) + "\n"
