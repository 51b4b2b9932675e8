"""``python -m tests.oracles.open_spiel_sweep`` writes docs/open-spiel.md: which games are read.

Games are examined in a process apart, which tells each history to a file before OpenSpiel is asked
about it: when OpenSpiel ends the process, the finding names the game and the history, and a new
process goes on with the next game.
"""

import importlib
import json
import resource
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from importlib.metadata import version
from mmap import mmap
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyspiel
from open_spiel.python import games as _  # noqa: F401 registers them

from gametheory_core.adapters import open_spiel
from tests.oracles.open_spiel_comparison import (
    LAID_OUT,
    MOST_MOVES,
    MOST_NODES,
    PLAYED,
    Finding,
    examined,
)
from tests.oracles.open_spiel_games import FILES, VARIANTS

PAGE = Path(__file__).parents[2] / "docs" / "open-spiel.md"
SECONDS, BYTES = 900, 4 * 2**30  # that a game, and the process, may take
LONGEST_HISTORY = 2**16  # bytes
HEAD = f"""# OpenSpiel's games

Which games of OpenSpiel {version("open_spiel")} our [adapters](bridges.md#openspiels-games)
read, each compared with OpenSpiel's own states in a process apart. Written by
`python -m tests.oracles.open_spiel_sweep`; `make test` looks at a few of them anew, `make test-all`
at all.

"""
WHOLE = f"""## Laid out whole

Games of up to {MOST_NODES:,} nodes are walked beside OpenSpiel's states node by node: who moves,
actions, probabilities, payoffs, and which nodes a player can tell apart; whether players have
perfect recall; and what a random profile is worth by OpenSpiel's `expected_game_score`. Where
OpenSpiel computes them, its NashConv of that profile and its minimax value are ours. `.efg`: the
tree comes back from a file. AEC and back: it comes back from an AEC game. The columns AEC and POSG
say whether the AEC game and the POSG were laid out, and are worth the same, or random plays were
compared.

| game | nodes | information sets | recall | AEC | POSG | also equal |
|---|---|---|---|---|---|---|
"""
LARGE = f"""## Played

These have more than {MOST_NODES:,} nodes, at which `open_spiel_tree` refuses them. Random plays of
their rules, of up to {MOST_MOVES} moves, are OpenSpiel's.

| game | AEC | POSG |
|---|---|---|
"""
REFUSED = """## Refused

| game | as a tree | as an AEC game |
|---|---|---|
"""


def game_names() -> list[str]:
    """Return every registered game, with default parameters where it has them, and its variants."""
    names: list[str] = []
    for kind in pyspiel.registered_games():
        if kind.short_name.startswith(("crooked", "ours_")):  # of our tests
            continue
        if kind.default_loadable:
            names.append(kind.short_name)
        names += [f"{kind.short_name}({given})" for given in VARIANTS.get(kind.short_name, ())]
    return names


def sweep(games: Sequence[str], *, imports: Sequence[str] = ()) -> list[Finding]:
    """Examine games in processes apart.

    Args:
        games: Names, in which ``{folder}`` stands for where ``FILES`` lie.
        imports: Modules that register games.
    """
    findings: list[Finding] = []
    with TemporaryDirectory() as folder:
        for file, text in FILES.items():
            Path(folder, file).write_text(text(), encoding="utf-8")
        while len(findings) < len(games):
            left = games[len(findings) :]
            command = [sys.executable, "-m", "tests.oracles.open_spiel_sweep", folder]
            asked = json.dumps({"games": left, "imports": list(imports)})
            ended = subprocess.run(
                command, input=asked, capture_output=True, text=True, check=False
            )
            told = Path(folder, "findings").read_text(encoding="utf-8").splitlines()
            findings += [Finding(**json.loads(line)) for line in told]
            if ended.returncode:
                history = Path(folder, "history").read_bytes().partition(b"\n")[0].decode()
                findings.append(_ending(games[len(findings)], ended, history))
    return findings


def _ending(game: str, ended: Any, history: str) -> Finding:
    if ended.returncode == -signal.SIGALRM:
        how = f"takes more than {SECONDS} s"
    elif ended.returncode < 0:
        how = f"OpenSpiel ends the process with {signal.Signals(-ended.returncode).name}"
    else:
        how = ended.stderr.strip().splitlines()[-1]
    return Finding(game, fault=f"{how}, after {history or '[]'}")


def examine_here(folder: Path, games: Sequence[str]) -> None:
    """Examine games one after the other, telling findings and histories to files."""
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    sys.setrecursionlimit(10 * MOST_NODES)
    reached, expand = open_spiel.state_after, open_spiel.OpenSpielTreeRules.expand
    with (
        Path(folder, "findings").open("w", encoding="utf-8") as findings,
        Path(folder, "history").open("w+b") as file,
    ):
        file.truncate(LONGEST_HISTORY)
        told = mmap(file.fileno(), LONGEST_HISTORY)  # is written even when the process is ended

        def say(history: Sequence[int]) -> None:
            text = f"{list(history)}".encode()[: LONGEST_HISTORY - 1]
            told[: len(text) + 1] = text + b"\n"

        def reached_and_said(name: str, events: tuple[int, ...]) -> Any:
            say(events)
            return reached(name, events)

        def expanded_and_said(rules: Any, position: Any) -> Any:
            say(position.events)
            return expand(rules, position)

        open_spiel.state_after = reached_and_said
        open_spiel.OpenSpielTreeRules.expand = expanded_and_said
        for game in games:
            signal.alarm(SECONDS)
            say(())
            finding = examined(game, game.replace("{folder}", str(folder)), say)
            findings.write(json.dumps(asdict(finding)) + "\n")
            findings.flush()


def shown(game: str) -> str:
    """Return a name as the page has it."""
    return f"`{game}`".replace("\n", "\\n")


def row(finding: Finding) -> str:
    """Return one line of the page."""
    whole, large = finding.tree == LAID_OUT, finding.tree == PLAYED
    size = (f"{finding.nodes:,}", f"{finding.infosets:,}", finding.recall)
    cells = {
        (True, False): (*size, finding.aec, finding.posg, ", ".join(finding.compared)),
        (False, True): (finding.aec, finding.posg),
        (False, False): (finding.tree or finding.fault, finding.aec),
    }[whole, large]
    texts = [shown(finding.game), *cells]
    return f"| {' | '.join(text.replace('|', chr(92) + '|') for text in texts)} |"


def page(findings: Sequence[Finding]) -> str:
    """Return the page."""
    families = {finding.game.partition("(")[0] for finding in findings}
    read = {f.game.partition("(")[0] for f in findings if PLAYED in (f.tree, f.aec)}
    read |= {f.game.partition("(")[0] for f in findings if f.tree == LAID_OUT}
    count = (
        f"Of the {len(families)} names that OpenSpiel registers {len(read)} are read, "
        f"with default parameters or those below.\n\n"
    )
    parts = {LAID_OUT: WHOLE, PLAYED: LARGE, "": REFUSED}
    for finding in findings:
        kind = finding.tree if finding.tree in parts else ""
        parts[kind] += row(finding) + "\n"
    return HEAD + count + "\n".join(parts.values())


if __name__ == "__main__":
    if sys.argv[1:]:
        asked = json.load(sys.stdin)
        for module in asked["imports"]:
            importlib.import_module(module)
        examine_here(Path(sys.argv[1]), asked["games"])
    else:
        PAGE.write_text(page(sweep(game_names())), encoding="utf-8")
