"""The file of a tournament's matches: what has been played is written down, and read again.

JSON lines. The first says what all matches share. Then come lines for who takes part, told by what
made them, and lines for matches of a pair, a run of them each. Lines come as matches end.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from time import monotonic
from typing import Any

from gametheory_core.arguments import shown
from gametheory_core.errors import InvalidArgument, MalformedFile
from gametheory_core.formats.checked_json import Checked, parse_json
from learners.roshambo.matches.guarded_matches import NOBODY, Outcome, forfeit

SCHEMA = "gametheory-core/roshambo-tournament/2"
SIDES = ("agent", "bot")
LONGEST_WAIT = 5.0  # seconds until a match is written at the latest

Member = tuple[str, str]  # side, "agent" or "bot", and name
Pair = tuple[Member, Member]  # the first is asked first
Key = tuple[Pair, int]  # and the number of the match


class MatchRecords:
    """Matches by pair and number, in memory and in a file if there is one.

    Args:
        file: JSON lines, or None.
        shared: What all matches have in common, ``throws`` among it.
        sources: What makes whom: side and name -> text.

    Raises:
        InvalidArgument: If the file is of another tournament, or someone in it was made otherwise.
        MalformedFile: If a line is no record.
    """

    def __init__(
        self, file: Path | None, shared: Mapping[str, Any], sources: Mapping[Member, str]
    ) -> None:
        self.played: dict[Key, Outcome] = {}
        self._file = file
        self._throws: int = shared["throws"]
        self._sources: dict[Member, str] = {}
        self._waiting: dict[Pair, list[tuple[int, Outcome]]] = {}
        self._since = monotonic()
        if file is None:
            return
        header = {"schema": SCHEMA, **shared}
        try:
            content = file.read_bytes() if file.exists() else b""
            whole = content[: content.rfind(b"\n") + 1]  # the last line may be half there
            if len(whole) < len(content):
                with file.open("r+b") as opened:
                    opened.truncate(len(whole))
            if not whole:
                file.write_text(json.dumps(header) + "\n", encoding="utf-8")
            for number, line in enumerate(whole.decode("utf-8", "replace").splitlines(), start=1):
                self._read(parsed_line(line, file=file, number=number), number, header)
            for (side, name), source in sources.items():
                self._meet(side, name, source)
        except OSError as error:
            needs = f"a file that can be written, but: {error.strerror}"
            raise InvalidArgument(needs=needs, where=file) from None

    def _read(self, line: Checked, number: int, header: dict[str, Any]) -> None:
        if number == 1:
            if line.value != header:
                raise InvalidArgument(
                    needs=f"matches of the same tournament, {shown(header)}",
                    found=f"they are of {shown(line.value)}",
                    remedy="Give another folder, or the same seed, throws and seconds.",
                    where=self._file,
                )
        elif line.has("source"):
            source = line["source"].text()
            if self._sources.setdefault(_member(line), source) != source:
                line["source"].fail(f"{self._sources[_member(line)]!r}, as in a line before")
        else:
            pair = (_member(line["first"]), _member(line["second"]))
            begin, paid = integer_within(line["match"], 0), list(line["returns"].items())
            forfeits = self._forfeits(line["forfeits"], range(begin, begin + len(paid)))
            for match, own in enumerate(paid, start=begin):
                found = integer_within(own, -self._throws, self._throws)
                outcome = forfeits.get(match, Outcome(found))
                if outcome.paid != found:
                    own.fail(f"{outcome.paid}, as match {match} was forfeited")
                if self.played.setdefault((pair, match), outcome) != outcome:
                    own.fail(f"match {match} as in a line before")

    def _forfeits(self, listed: Checked, matches: range) -> dict[int, Outcome]:
        """Read the forfeits among matches, by their numbers."""
        found: dict[int, Outcome] = {}
        for own in listed.items():
            match = integer_within(own["match"], matches.start, matches.stop - 1)
            loser, why = integer_within(own["loser"], 0, NOBODY), own["why"].text()
            if match in found or not why:
                own.fail("a reason for each, and each once")
            is_lost = loser != NOBODY
            found[match] = (
                forfeit(loser, why, throws=self._throws) if is_lost else Outcome(0, NOBODY, why)
            )
        return found

    def _meet(self, side: str, name: str, source: str) -> None:
        known = self._sources.get((side, name))
        if known is None:
            self._write({"side": side, "name": name, "source": source})
        elif known != source:
            raise InvalidArgument(
                needs=f"the {side} {name!r} as its matches were played, {known}",
                found=f"it is {source} now",
                remedy="Give another folder, or another name to the changed one.",
                where=self._file,
            )

    def _write(self, *records: Mapping[str, Any]) -> None:
        if self._file is None:
            return
        with self._file.open("a", encoding="utf-8") as opened:
            opened.writelines(json.dumps(record) + "\n" for record in records)

    def add(self, key: Key, outcome: Outcome) -> None:
        """Keep how a match ended; it is written soon."""
        self.played[key] = outcome
        if not self._waiting:
            self._since = monotonic()
        self._waiting.setdefault(key[0], []).append((key[1], outcome))
        if monotonic() - self._since > LONGEST_WAIT:
            self.write()

    def write(self) -> None:
        """Write what waits to be written."""
        waiting, self._waiting = self._waiting, {}
        self._write(*(line for pair, own in waiting.items() for line in _lines(pair, own)))


def parsed_line(text: str, *, file: Path, number: int) -> Checked:
    """Parse a line of a file of JSON lines.

    Raises:
        MalformedFile: Names the file and the line.

    >>> parsed_line("[1, 2]", file=Path("matches.jsonl"), number=8).name
    'matches.jsonl, line 8'
    """
    name = f"{file}, line {number}"
    try:
        return parse_json(text, name=name)
    except MalformedFile as error:
        raise error.changed(where=name, line=number) from None


def integer_within(entry: Checked, low: int, high: int | None = None) -> int:
    """Return an integer within limits.

    Raises:
        MalformedFile: Names the line and the field.

    >>> integer_within(parsed_line("7", file=Path("matches.jsonl"), number=8), 0, 9)
    7
    """
    value = entry.integer()
    if value < low or (high is not None and value > high):
        entry.fail(f"an integer of at least {low}" + ("" if high is None else f", at most {high}"))
    return value


def _member(line: Checked) -> Member:
    return line["side"].one_of(*SIDES), line["name"].text()


def _lines(pair: Pair, ended: list[tuple[int, Outcome]]) -> Iterable[dict[str, Any]]:
    """Write matches of a pair, a line for each run of numbers without a gap."""
    ended.sort(key=lambda own: own[0])
    begins = [i for i in range(len(ended)) if i == 0 or ended[i][0] > ended[i - 1][0] + 1]
    first, second = ({"side": side, "name": name} for side, name in pair)
    for begin, end in zip(begins, [*begins[1:], len(ended)], strict=True):
        run = ended[begin:end]
        yield {
            "first": first,
            "second": second,
            "match": run[0][0],
            "returns": [outcome.paid for _, outcome in run],
            "forfeits": [
                {"match": match, "loser": outcome.loser, "why": outcome.why}
                for match, outcome in run
                if outcome.why
            ],
        }
