"""Pages of the API reference, from the lists of public names: one for each room."""

import ast
import inspect
from dataclasses import dataclass
from importlib import import_module
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


def summary_of(thing: object) -> str:
    """Return the first paragraph of a docstring, in one line."""
    return " ".join((thing.__doc__ or "").strip().partition("\n\n")[0].split())


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
    modules = {  # nothing is loaded to find out: some names need libraries that may be missing
        home: import_module(home)
        for room in found
        for name, home in room.homes.items()
        if home == f"{room.name}.{name}" and home not in packages
    }
    found += [
        Room(name, summary_of(module), homes_in_module(module)) for name, module in modules.items()
    ]
    order = {package: number for number, package in enumerate(PACKAGES)}
    return sorted(found, key=lambda room: (order[room.name.partition(".")[0]], room.name))


@dataclass(frozen=True)
class Reference:
    """All pages.

    Attributes:
        rooms: In the order of the navigation.
        described: By where something is written, the room whose page describes it: the innermost.
        imported: By where something is written, all paths under which it is public.
    """

    rooms: tuple[Room, ...]
    described: dict[str, Room]
    imported: dict[str, tuple[str, ...]]

    @staticmethod
    def of_packages() -> "Reference":
        """Read the lists of names of all packages."""
        listed = rooms()
        described: dict[str, Room] = {}
        imported: dict[str, tuple[str, ...]] = {}
        for room in sorted(listed, key=lambda room: -room.name.count(".")):
            for name, home in room.homes.items():
                described.setdefault(home, room)
                imported[home] = (*imported.get(home, ()), f"{room.name}.{name}")
        return Reference(tuple(listed), described, imported)

    def page(self, room: Room) -> str:
        """Return a room's page: what it lists, then what no inner room describes."""
        pages = {other.name for other in self.rooms}
        lines = [f"# `{room.name}`\n", f"{room.summary}\n"]
        names = sorted(room.homes.items(), key=lambda item: item[0].lower())
        for name, home in names:
            where = self.described[home].name
            if home in pages:
                lines.append(f"- [`{name}`]({home}.md): {self._room(home).summary}")
            elif where != room.name:
                told = summary_of(getattr(import_module(room.name), name))
                lines.append(f"- [`{name}`][{home}] ([`{where}`]({where}.md)): {told}")
        for name, home in names:
            if home not in pages and self.described[home] is room:
                others = [path for path in self.imported[home] if path != home]
                anchors = "".join(f"[](){{#{path}}}" for path in others)
                options = f"    options:\n      heading: {name}\n      toc_label: {name}\n"
                lines.append(f"\n{anchors}\n\n::: {home}\n{options}")
        return "\n".join(lines) + "\n"

    def _room(self, name: str) -> Room:
        return next(room for room in self.rooms if room.name == name)


def overview(listed: list[Room]) -> str:
    """Return the first page: the rooms, with what they say of themselves."""
    lines = [
        "# API reference\n",
        "A name is public where its room lists it: import it from there. The three packages",
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
