"""Pages of the API reference, from the lists of public names: one for each room.

Files are read and nothing is imported, since some rooms need libraries that may be missing.
"""

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("gametheory_core", "solvers", "learners")


@dataclass(frozen=True)
class Room:
    """A package, or a module that one makes public, and what it makes public.

    Attributes:
        name: Where users import from: ``solvers.dynamics``.
        summary: First paragraph of its docstring.
        homes: By public name, the dotted path where it is written.
    """

    name: str
    summary: str
    homes: dict[str, str]

    @property
    def uri(self) -> str:
        """Its page."""
        return f"api/{self.name}.md"


@cache
def parsed(module: str) -> ast.Module:
    """Read a module, or the ``__init__.py`` of a package."""
    path = ROOT / module.replace(".", "/")
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.parse(file.read_text(encoding="utf-8"))


def summary_of(module: str, name: str | None = None) -> str:
    """Return the first paragraph of the docstring of a module, or of what it defines."""
    found: ast.AST | None = parsed(module)
    if name is not None:
        kinds = ast.FunctionDef | ast.ClassDef
        defined = (node for node in parsed(module).body if isinstance(node, kinds))
        found = next((node for node in defined if node.name == name), None)
    text = ast.get_docstring(found) if found is not None else ""
    return " ".join((text or "").partition("\n\n")[0].split())


def homes_in_stub(stub: Path) -> dict[str, str]:
    """Return where each name of a package's stub is written, modules as themselves."""
    return {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in ast.parse(stub.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def homes_in_module(module: str) -> dict[str, str]:
    """Return the functions and classes without a leading underscore that a module defines."""
    return {
        node.name: f"{module}.{node.name}"
        for node in parsed(module).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
    }


def rooms() -> list[Room]:
    """Return all rooms, those of a package after it, in alphabetical order."""
    found: dict[str, Room] = {}
    for package in PACKAGES:
        for stub in sorted((ROOT / package).rglob("__init__.pyi")):
            name = stub.parent.relative_to(ROOT).as_posix().replace("/", ".")
            found[name] = Room(name, summary_of(name), homes_in_stub(stub))
    modules = {
        home
        for room in found.values()
        for name, home in room.homes.items()
        if home == f"{room.name}.{name}" and home not in found
    }
    found |= {name: Room(name, summary_of(name), homes_in_module(name)) for name in modules}
    order = {package: number for number, package in enumerate(PACKAGES)}
    return sorted(found.values(), key=lambda room: (order[room.name.partition(".")[0]], room.name))


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
                told = summary_of(*home.rsplit(".", 1))
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
