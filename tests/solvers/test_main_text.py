"""What people read: nothing is called verified unless it was, and long answers are cut."""

from dataclasses import replace
from fractions import Fraction

import solvers.command_line as command
from gametheory_core.catalog import load
from solvers import solve
from solvers.__main__ import main


def test_a_false_certificate_is_never_called_verified(monkeypatch, capsys):
    def tampering(*arguments, **options):
        answer = solve(*arguments, **options)
        (solution,) = answer.solutions
        false = replace(solution.certificate, lower=Fraction(1), upper=Fraction(1))
        return replace(answer, solutions=(replace(solution, certificate=false),))

    monkeypatch.setattr(command, "solve", tampering)
    assert main(["matching_pennies"]) == 1
    captured = capsys.readouterr()
    assert "verified" not in captured.out
    assert captured.err.startswith("REJECTED: ")


def test_long_lists_are_cut_and_say_so(capsys):
    assert main(["coordination:size=5", "--concept", "all-nash"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("verified:") == 20
    assert "... and 11 more; --format json prints all." in shown
    assert "31 found, complete" in shown


def test_large_profiles_are_cut_and_say_so(capsys):
    assert main(["leduc_poker"]) == 0
    shown = capsys.readouterr().out
    tree = load("leduc_poker")
    total = sum(len(infoset.actions) for infoset in tree.infosets[: tree.num_decision_infosets])
    table = solve(tree, "nash").table(full=True)
    played = sum(bool(row[-1]) for row in table.rows)
    assert len(table.rows) == total
    assert f"\n{played - 60:,} more rows are not shown.\n" in shown
    assert f"\n{total - played} more actions are not played.\n--top {played} shows them.\n" in shown
    assert "-1454920850547486749701863871533/16995463438839962469905132501930" in shown
