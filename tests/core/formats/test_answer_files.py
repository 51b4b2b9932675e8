"""Answer files show what their certificates prove: every other word or number is refused."""

import json
from copy import deepcopy

import pytest

from gametheory_core import (
    CertificateRejected,
    GameTheoryError,
    MalformedFile,
    extensive_to_normal,
    load_game,
)
from gametheory_core.certificates import certify_nash, certify_pure_completeness
from gametheory_core.formats import (
    certificate_record,
    claim_record,
    game_record,
    parse_json,
    verified_certificates,
)
from gametheory_core.formats.certificate_records import SOLUTION_SCHEMA, answer_record
from gametheory_core.formats.checked_json import rational_text


def answer_file(name):
    """All pure equilibria of a game, or of a tree through its reduced normal form."""
    game = load_game(name)
    table, profiles = game, None
    if hasattr(game, "infosets"):
        conversion = extensive_to_normal(game)
        table, to_source = conversion.target, conversion.correspondence.to_source
    proof = certify_pure_completeness(table)
    profiles = proof.profiles if table is game else list(map(to_source, proof.profiles))
    found = [certify_nash(game, profile) for profile in profiles]
    return json.loads(
        json.dumps(
            {
                "schema": SOLUTION_SCHEMA,
                "game": {
                    "title": game.title,
                    "digest": game.digest,
                    "players": list(game.players),
                    "record": game_record(game),
                },
                "concept": "pure-nash",
                "complete": True,
                "completeness": certificate_record(proof),
                "solutions": [shown(certificate, game) for certificate in found],
            }
        )
    )


def shown(certificate, game):
    """What a file shows of a solution."""
    return {
        "profile": answer_record(certificate.answer, game),
        "payoffs": list(map(rational_text, certificate.payoffs)),
        "certificate": {
            "kind": certificate.kind,
            "epsilon": rational_text(certificate.epsilon),
            "statement": certificate.statement,
            "record": claim_record(certificate),
        },
    }


def verified(record):
    return verified_certificates(parse_json(json.dumps(record), name="answer"))


def leaves(value, path=()):
    """Paths to the words and numbers of a record, but for what certificates themselves hold."""
    if isinstance(value, dict):
        inner = value.items()
    elif isinstance(value, list):
        inner = enumerate(value)
    else:
        yield path
        return
    for key, entry in inner:
        if key not in ("record", "completeness"):
            yield from leaves(entry, (*path, key))


def holder_of(record, path):
    for key in path[:-1]:
        record = record[key]
    return record


ANSWERS = {name: answer_file(name) for name in ("battle_of_the_sexes", "centipede:rounds=2")}
BOTH = pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)


@BOTH
def test_true_answers_verify_with_their_proof(answer):
    *solutions, proof = verified(answer)
    assert [c.kind for c in solutions] == ["nash"] * len(answer["solutions"])
    assert proof.kind == "pure-completeness"


@BOTH
def test_no_word_or_number_may_be_another_one(answer):
    paths = list(leaves(answer))
    assert len(paths) > 20
    for path in paths:
        for other in ("other", "1/7", 1, None, [], {"a": 1}):
            forged = deepcopy(answer)
            if holder_of(forged, path)[path[-1]] == other:
                continue
            holder_of(forged, path)[path[-1]] = other
            if path == ("complete",) and other is None:  # nothing is claimed then
                verified(forged)
                continue
            with pytest.raises((CertificateRejected, MalformedFile), match="needs|claims"):
                verified(forged)


@BOTH
def test_solutions_are_neither_left_out_nor_listed_twice(answer):
    first = answer["solutions"][0]
    for solutions, words in (
        (answer["solutions"][1:], "the list that is proved complete is another one"),
        ([first, *answer["solutions"]], "one of the answers is listed twice"),
    ):
        with pytest.raises(CertificateRejected, match=words):
            verified(answer | {"solutions": solutions})
        if solutions:
            assert verified(answer | {"solutions": solutions, "complete": None})


def test_proofs_are_about_the_game_that_is_shown():
    sexes, stag = answer_file("battle_of_the_sexes"), answer_file("stag_hunt")
    with pytest.raises(CertificateRejected, match="this is about another game"):
        verified(sexes | {"completeness": stag["completeness"]})
    with pytest.raises(GameTheoryError, match="needs|claims"):
        verified(sexes | {"solutions": stag["solutions"]})


def test_what_was_asked_for_is_something_that_certificates_prove():
    record = ANSWERS["battle_of_the_sexes"]
    with pytest.raises(
        MalformedFile, match=r"'pure-nash'.* but found 'justice', .*has 'nash', who"
    ):
        verified(record | {"concept": "justice"})
    with pytest.raises(MalformedFile, match="the file has no certificate, whose"):
        verified(record | {"concept": "justice", "solutions": []})
    with pytest.raises(CertificateRejected, match="only correlated proves what was asked for"):
        verified(record | {"concept": "correlated"})
    with pytest.raises(CertificateRejected, match="proves that all answers to nash are listed"):
        verified(record | {"concept": "nash"})


@pytest.mark.parametrize("complete", [None, True])
def test_single_equilibria_are_a_part_of_components(complete):
    part = ANSWERS["battle_of_the_sexes"] | {"concept": "nash-components", "completeness": None}
    assert verified(part | {"complete": False})
    with pytest.raises(CertificateRejected, match="without their components are a part of the ans"):
        verified(part | {"complete": complete})
