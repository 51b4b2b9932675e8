"""Numbers that files may hold: as long as exact answers are, not as long as memory."""

import json
import sys
from fractions import Fraction

import pytest

from gametheory_core import MalformedFile, NormalFormGame, certify_nash, uniform_profile
from gametheory_core.formats import (
    MOST_DIGITS,
    certificate_from,
    certificate_record,
    game_from,
    game_record,
    parse_json,
)


@pytest.fixture
def any_length():
    """Lift Python's own limit, as the command line does."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    yield
    sys.set_int_max_str_digits(before)


@pytest.mark.usefixtures("any_length")
def test_long_numbers_are_read():
    digits = "7" * 10_000
    assert parse_json("7" * MOST_DIGITS, name="file").value > 10 ** (MOST_DIGITS - 1)
    assert parse_json(f"[{digits}]", name="file").value == [int(digits)]
    assert parse_json(f'"1/{digits}"', name="file").rational().denominator == int(digits)


@pytest.mark.usefixtures("any_length")
def test_endless_numbers_are_refused_at_once():
    endless = "7" * (5 * MOST_DIGITS)
    with pytest.raises(MalformedFile, match=r"an integer has 1,000,000 digits, more than 200,000"):
        parse_json(f"[{endless}]", name="file")
    with pytest.raises(MalformedFile, match="a rational as text of at most 200,000 digits"):
        parse_json(f'"1/{endless}"', name="file").rational()


def test_a_number_where_a_rational_is_text_is_refused_with_an_example():
    with pytest.raises(MalformedFile, match=r'needs a rational as text .*"1/3", but found 0\.5'):
        parse_json("0.5", name="file").rational()


@pytest.mark.parametrize("content", ["", '{"a', "[1,"])
def test_what_is_no_json_is_refused_in_a_sentence(content):
    with pytest.raises(MalformedFile, match="needs JSON, but it is not well formed: [a-z]"):
        parse_json(content, name="file")


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_constants_that_are_no_json_are_refused(constant):
    with pytest.raises(MalformedFile, match=f"needs JSON, but it has no {constant}"):
        parse_json(f'{{"unread": [{constant}]}}', name="file")


LONG = Fraction(-(7**9_000), 2**9_001)  # more digits than Python writes or reads by itself


@pytest.mark.parametrize("value", [LONG, 1 / LONG, Fraction(LONG.numerator), Fraction(10**599)])
def test_rationals_of_any_length_are_written_and_read(value):
    game = NormalFormGame.from_payoffs([[0, value]])
    record = game_record(game)
    assert game_from(parse_json(json.dumps(record), name="game")) == game
    text = record["payoffs"][1]
    assert parse_json(f"[{text.partition('/')[0]}]", name="file").value == [value.numerator]
    sys.set_int_max_str_digits(0)
    assert text == str(value)


def test_certificates_with_long_numbers_are_written_and_read():
    game = NormalFormGame.from_payoffs([[0, LONG]])
    certificate = certify_nash(game, uniform_profile(game).to_exact())
    assert certificate.payoffs == (LONG / 2,)
    record = json.dumps(certificate_record(certificate))
    assert certificate_from(parse_json(record, name="proof")) == certificate
