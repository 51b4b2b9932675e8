"""Try every solver on generated games for a while: ``python -m tests.fuzz --seconds 60``.

What is wrong is made small and kept as a file in a folder: the game, and what happened. The exit
status is 1 where something new was found. A file that is given is tried again.
"""

import argparse
import faulthandler
import json
import resource
import sys
import time
from collections import Counter
from fnmatch import fnmatchcase
from pathlib import Path

from joblib import Parallel, delayed
from joblib.externals.loky.process_executor import TerminatedWorkerError

from gametheory_core import formats
from tests.fuzz.cases import STRATEGIES, case
from tests.fuzz.checks import findings
from tests.fuzz.known import KNOWN
from tests.fuzz.runs import Runs
from tests.fuzz.simpler import simplest

MOST_MEMORY = 8 * 2**30  # bytes of address space of a process
LONGEST_CASE = 900  # seconds; a worker that is stuck inside a library leaves its trace and ends
MOST_OF_A_KIND = 3  # findings that are made small and kept


def tried(seed, index, kinds):
    """Return the case, the calls made on it, and what was found."""
    made = case(seed, index, kinds)
    runs = Runs(made.game, (seed, index))
    return made, runs, list(findings(runs))


def work(seed, first, step, end, kinds, folder):
    """Try cases ``first``, ``first + step``, ... until time is up; return what was counted.

    A file holds what was counted so far, for those who come after a worker that dies.
    """
    sys.set_int_max_str_digits(0)
    counts = no_counts()
    path, index = folder / f"worker-{seed}-{first % step}.txt", first
    with path.open("w") as trace:
        while time.time() < end:
            trace.seek(0)
            trace.truncate()
            print(json.dumps([index, {**counts, **signed(counts)}]), file=trace, flush=True)
            faulthandler.dump_traceback_later(LONGEST_CASE, exit=True, file=trace)
            made, runs, found = tried(seed, index, kinds)
            faulthandler.cancel_dump_traceback_later()
            counts["games"][made.kind] += 1
            counts["calls"] += runs.calls
            for finding in found:
                counted(counts, made, finding, folder, end)
            index += step
    path.unlink()
    return counts


def no_counts():
    """Return what a worker counts, before it begins."""
    return {"games": Counter(), "calls": 0, "found": Counter(), "known": Counter()}


def signed(counts):
    """Return what was counted by signatures, as lists that can be written."""
    return {name: [[*key, n] for key, n in counts[name].items()] for name in ("found", "known")}


def left_by(path):
    """Return which case a dead worker tried, and what it had counted before."""
    index, counts = json.loads(path.read_text().splitlines()[0])
    read = {
        name: Counter({tuple(key): n for *key, n in counts[name]}) for name in ("found", "known")
    }
    return index, {"games": Counter(counts["games"]), "calls": counts["calls"], **read}


def all_work(seed, first, workers, seconds, kinds, folder):
    """Let workers try cases; where one dies, keep its trace, and go on after the case it tried."""
    end, firsts, counts = time.time() + seconds, [first + k for k in range(workers)], []
    while time.time() < end:
        shares = [(seed, own, workers, end, kinds, folder) for own in firsts]
        try:
            return counts + Parallel(n_jobs=workers)(delayed(work)(*share) for share in shares)
        except TerminatedWorkerError:
            for k, own in enumerate(firsts):
                path = folder / f"worker-{seed}-{own % workers}.txt"
                if not path.exists():  # its time was up, and its counts are lost with the pool
                    continue
                index, before = left_by(path)
                counts.append(before)
                firsts[k] = index
                if "Timeout" in path.read_text():
                    path.rename(folder / f"stuck-{seed}-{index}.txt")
                    before["found"]["answers", "a case", "stuck"] += 1
                    firsts[k] = index + workers
    return counts


def counted(counts, made, finding, folder, end):
    """Count a finding, and keep the first ones of those that are new."""
    is_known = any(matches(pattern, finding) for pattern, _ in KNOWN)
    where = counts["known" if is_known else "found"]
    where[finding.signature] += 1
    if not is_known and where[finding.signature] <= MOST_OF_A_KIND:
        seconds = max(5.0, min(60.0, end - time.time()))
        keep(folder, made, finding, shrunk(made, finding, seconds=seconds))


def matches(pattern, finding):
    return all(map(fnmatchcase, finding.signature, pattern))


def shrunk(made, finding, *, seconds):
    """Return the smallest game with the same finding."""

    def fails(game):
        runs = Runs(game, (made.seed, made.index), finding.subject)
        return any(f.signature == finding.signature for f in findings(runs, finding.check))

    return simplest(made.game, fails, seconds=seconds)


def keep(folder, made, finding, smallest):
    """Write a finding as a file."""
    words = "-".join(finding.signature).replace(" ", "_").replace("/", "_")
    path = folder / f"{words}-{made.seed}-{made.index}.json"
    record = {
        "seed": made.seed,
        "index": made.index,
        "kind_of_game": made.kind,
        "check": finding.check,
        "subject": finding.subject,
        "kind": finding.kind,
        "detail": finding.detail,
        "game": recorded(smallest),
        "first_game": recorded(made.game),
    }
    path.write_text(json.dumps(record, indent=1) + "\n")
    print(f"{path.name}\n    {finding.detail[:300]}\n    {smallest!r}", flush=True)


def recorded(game):
    """The record of a game; what can be typed where there is none."""
    return formats.game_record(game) if hasattr(game, "digest") else repr(game)


def again(path):
    """Try the game of a file again."""
    record = json.loads(path.read_text())
    if not isinstance(record["game"], dict):
        game = case(record["seed"], record["index"]).game
    else:
        game = formats.game_from(formats.parse_json(json.dumps(record["game"]), name=path.name))
    runs = Runs(game, (record["seed"], record["index"]), record["subject"])
    found = list(findings(runs, record["check"]))
    for finding in found:
        print(*finding.signature, finding.detail[:2000], sep="\n    ")
    return found


def main(arguments=None):
    """Try games; return 1 where something is wrong."""
    parser = argparse.ArgumentParser(prog="tests.fuzz", description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, help="findings to try again")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--kinds", nargs="+", choices=STRATEGIES, default=[*STRATEGIES])
    parser.add_argument("--folder", type=Path, default=Path("build/fuzz"))
    given = parser.parse_args(arguments)
    sys.set_int_max_str_digits(0)
    if given.files:
        found = [again(path) for path in given.files]
        return int(any(found))
    given.folder.mkdir(parents=True, exist_ok=True)
    counts = all_work(
        given.seed, given.first, given.workers, given.seconds, given.kinds, given.folder
    )
    return told(counts)


def told(counts):
    """Print what was tried and found; return the exit status."""
    games = sum((count["games"] for count in counts), Counter())
    found = sum((count["found"] for count in counts), Counter())
    known = sum((count["known"] for count in counts), Counter())
    calls = sum(count["calls"] for count in counts)
    print(f"{games.total():,} games, {calls:,} calls of solvers")
    print(", ".join(f"{kind}: {number}" for kind, number in sorted(games.items())))
    for title, signatures in (("known", known), ("found", found)):
        for signature, number in signatures.most_common():
            print(f"{title} {number} times: {', '.join(signature)}")
    return int(bool(found))


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))  # for workers too
    sys.exit(main())
