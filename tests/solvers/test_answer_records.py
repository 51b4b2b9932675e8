"""Answers as one JSON object: complete, and nothing rounded."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from gametheory_core import (
    CertificateRejected,
    InvalidArgument,
    NormalFormGame,
    NotConverged,
    UnsupportedGame,
)
from gametheory_core.catalog import load
from gametheory_core.formats import Checked, game_from, profile_record, verified_certificates
from solvers import Budget, solve
from solvers.concepts import Concept
from solvers.results.rendering import LONGEST_FRACTION, readable
from tests.solvers.sample_games import games


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(-7, 2), "-7/2"),
        (Fraction(3), "3"),
        (Fraction(10**14, 10**14 - 1), "100000000000000/99999999999999"),
        (Fraction(10**15, 10**14 + 1), "(a fraction of 31 digits)"),
        (Fraction(-(10**15), 10**14 + 1), "(a fraction of 31 digits)"),
        (Fraction(10**40), "(an integer of 41 digits)"),
    ],
)
def test_only_long_numbers_are_left_out(value, text):
    assert readable(value) == text
    assert (len(str(value)) <= LONGEST_FRACTION) == (text == str(value))


def test_longest_text_can_be_chosen():
    assert readable(Fraction(1, 3), longest=3) == "1/3"
    assert readable(Fraction(1, 3), longest=2) == "(a fraction of 2 digits)"


KEYS = ["schema", "game", "concept", "algorithm", "reason", "complete", "evidence"]
KEYS += ["completeness", "seconds", "solutions"]


@pytest.mark.parametrize(
    ("name", "concept"),
    [("battle_of_the_sexes", "all-nash"), ("kuhn_poker", "minimax"), ("beer_quiche", "pure-nash")],
)
def test_record_holds_the_whole_answer_as_text(name, concept):
    answer = solve(load(name), concept)
    record = answer.to_record()
    assert list(record) == KEYS
    assert json.loads(json.dumps(record)) == record
    assert list(record["game"]) == ["title", "digest", "players", "record"]
    assert game_from(Checked(record["game"]["record"], "game", "answer")) == answer.game
    assert (record["concept"], record["algorithm"]) == (concept, answer.algorithm)
    assert (record["complete"], record["evidence"]) == (answer.is_complete, answer.evidence)
    assert (record["completeness"] is None) == (answer.completeness is None)
    assert len(record["solutions"]) == len(answer.solutions) > 0
    for shown, solution in zip(record["solutions"], answer.solutions, strict=True):
        assert list(shown) == ["profile", "payoffs", "certificate"]
        assert shown["profile"] == profile_record(answer.game, solution.profile)
        assert tuple(map(Fraction, shown["payoffs"])) == solution.payoffs
        assert list(shown["certificate"]) == ["kind", "epsilon", "statement", "record"]
        assert shown["certificate"]["statement"] == solution.certificate.statement


@pytest.mark.parametrize("concept", [own.value for own in Concept])
def test_the_file_of_every_answer_about_a_game_is_verified(concept):
    answered = 0
    for game in (own for own in games() if "Leduc" not in repr(own)):
        try:
            answer = solve(game, concept, budget=Budget(seconds=2))
        except (UnsupportedGame, InvalidArgument, NotConverged):
            continue
        answered += 1
        record = json.loads(json.dumps(answer.to_record()))
        if record["solutions"]:
            proofs = verified_certificates(Checked(record, "", "answer"))
            assert len(proofs) == len(answer.solutions) + (record["completeness"] is not None)
    assert answered


def test_completeness_is_claimed_in_files_with_its_certificate():
    answer = solve(load("irrational_equilibrium"), "all-nash")
    record = answer.to_record()
    assert record["complete"] is True
    assert record["completeness"]["kind"] == "all-equilibria"
    assert "all equilibria" in record["evidence"]
    assert len(verified_certificates(Checked(record, "", "answer"))) == 2
    with pytest.raises(CertificateRejected, match="no proof that these are all"):
        verified_certificates(Checked({**record, "completeness": None}, "", "answer"))


def test_completeness_without_a_certificate_is_not_claimed_in_files():
    answer = replace(solve(load("irrational_equilibrium"), "all-nash"), completeness=None)
    record = answer.to_record()
    assert (record["complete"], record["completeness"]) == (None, None)
    assert len(verified_certificates(Checked(record, "", "answer"))) == 1


def test_answers_longer_than_python_writes_are_kept_and_shown():
    long = Fraction(7**9_000, 2**9_001)
    answer = solve(NormalFormGame.from_payoffs([[0, long]]), "nash")
    record = json.loads(json.dumps(answer.to_record()))
    (certificate,) = verified_certificates(Checked(record, "", "answer"))
    assert certificate.payoffs == (long,)
    assert "payoffs (≈" in repr(answer.solutions[0])
    assert readable(long).startswith("(a fraction of 10")
