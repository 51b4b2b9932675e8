"""Games and profiles as JSON records: versioned, lossless, every number as ``"p/q"``."""

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias, cast

import numpy as np

from gametheory_core.arrays import exact_array
from gametheory_core.errors import InvalidGame, InvalidStrategy, UnsupportedGame
from gametheory_core.extensions import RegisteredGame, game_kinds, kind_of_game
from gametheory_core.formats.checked_json import (
    GAME_SCHEMA,
    Checked,
    Record,
    integers_text,
    rational_text,
)
from gametheory_core.formats.gambit import MOST_PLAYERS
from gametheory_core.formats.rule_records import rules_from, rules_record
from gametheory_core.games.bayesian import BayesianGame, SecurityGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.kinds import has_mixed_profiles
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.public_states import PublicStateGame
from gametheory_core.games.tables import TabularAEC, TabularPOSG
from gametheory_core.games.tree_table import CHANCE, InformationSet, Outcome
from gametheory_core.strategies.behavioral import BehavioralProfile, check_behavioral_profile
from gametheory_core.strategies.mixed import MixedProfile, check_mixed_profile
from gametheory_core.strategies.public_plans import PublicProfile

PLAYERS = 2


def bayesian_fields(game: BayesianGame) -> dict[str, Any]:
    """Write types, prior, actions and payoffs.

    For each type, payoffs are flat: the leader's, then the follower's; the follower's action
    fastest.
    """
    return {
        "types": list(game.types),
        "prior": list(map(rational_text, game.prior)),
        "leader_actions": list(game.leader_actions),
        "follower_actions": [list(own) for own in game.follower_actions],
        "payoffs": [[rational_text(p) for p in one.exact_payoffs.ravel()] for one in game.games],
    }


def bayesian_from(record: Checked) -> BayesianGame:
    """Read a Bayesian game from its record.

    Raises:
        MalformedFile: Names the path of the offending value.
        InvalidGame: If the parts do not make a game.
    """
    players = _texts(record["players"])
    types, leader_actions = _texts(record["types"]), _texts(record["leader_actions"])
    if len(players) != PLAYERS:
        record["players"].fail("two players, leader and follower", found=f"{len(players)}")
    follower_actions = [_texts(own) for own in record["follower_actions"].items()]
    tables = list(record["payoffs"].items())
    for name, found in (("follower_actions", follower_actions), ("payoffs", tables)):
        if len(found) != len(types):
            record[name].fail(f"one entry for each of {len(types)} types", found=f"{len(found)}")
    payoffs: list[Any] = []
    for own, table in zip(follower_actions, tables, strict=True):
        shape = (PLAYERS, len(leader_actions), len(own))
        numbers = [payoff.rational() for payoff in table.items()]
        if len(numbers) != PLAYERS * shape[1] * shape[2]:
            table.fail(f"payoffs of shape {shape}", found=f"{len(numbers)} of them")
        payoffs.append(exact_array(numbers).reshape(shape))
    return BayesianGame.from_payoffs(
        [table[0] for table in payoffs],
        [table[1] for table in payoffs],
        prior=cast("Any", [p.rational() for p in record["prior"].items()]),
        players=players,
        types=types,
        leader_actions=leader_actions,
        follower_actions=follower_actions,
        title=record["title"].text(),
    )


def _texts(record: Checked) -> list[str]:
    return [item.text() for item in record.items()]


def security_fields(game: SecurityGame) -> dict[str, Any]:
    """Write targets, resources, types, prior and payoffs.

    Payoffs are flat: by type, then defender and attacker, then uncovered and covered; targets
    fastest.
    """
    return {
        "targets": list(game.targets),
        "resources": game.resources,
        "types": list(game.types),
        "prior": list(map(rational_text, game.prior)),
        "payoffs": [rational_text(payoff) for payoff in game.exact_payoffs.ravel()],
    }


def security_from(record: Checked) -> SecurityGame:
    """Read a security game from its record.

    Raises:
        MalformedFile: Names the path of the offending value.
        InvalidGame: If the parts do not make a game.
    """
    targets = tuple(target.text() for target in record["targets"].items())
    types = tuple(label.text() for label in record["types"].items())
    players = [player.text() for player in record["players"].items()]
    if players != ["Defender", "Attacker"]:
        record["players"].fail("the players 'Defender' and 'Attacker'")
    payoffs = [payoff.rational() for payoff in record["payoffs"].items()]
    shape = (len(types), 2, 2, len(targets))
    if len(payoffs) != 4 * len(types) * len(targets):
        record["payoffs"].fail(f"payoffs of shape {shape}", found=f"{len(payoffs)} of them")
    return SecurityGame(
        targets=targets,
        resources=record["resources"].integer(),
        given_payoffs=exact_array(payoffs).reshape(shape),
        types=types,
        prior=cast("Any", [p.rational() for p in record["prior"].items()]),
        title=record["title"].text(),
    )


Form: TypeAlias = NormalFormGame | ExtensiveFormGame | BayesianGame | SecurityGame
Game: TypeAlias = Form | TabularPOSG | TabularAEC | RegisteredGame
Profile: TypeAlias = MixedProfile | BehavioralProfile | PublicProfile


def game_record(game: Game) -> Record:
    """Write a game as a record.

    Payoffs of a normal form are flat, player by player, the last player's action fastest. Nodes of
    a tree are in breadth-first order, each with the index of its information set and outcome.
    """
    if isinstance(game, TabularPOSG | TabularAEC):
        return rules_record(game)
    head = {"schema": GAME_SCHEMA, "title": game.title, "players": list(game.players)}
    if isinstance(game, NormalFormGame):
        return {
            **head,
            "kind": "normal-form",
            "actions": [list(own) for own in game.actions],
            "payoffs": [rational_text(payoff) for payoff in game.exact_payoffs.ravel()],
        }
    if isinstance(game, BayesianGame):
        return {**head, "kind": "bayesian", **bayesian_fields(game)}
    if isinstance(game, SecurityGame):
        return {**head, "kind": "security", **security_fields(game)}
    if not isinstance(game, ExtensiveFormGame):
        kind = kind_of_game(game)
        if kind is None:
            raise UnsupportedGame(
                needs="a game of a registered kind",
                found=f"got {game!r}",
                remedy="Call add_game_kind(GameKind(...)).",
            )
        return {**head, "kind": kind.name, **kind.fields(game)}
    return {
        **head,
        "kind": "extensive-form",
        "infosets": [_infoset_record(infoset) for infoset in game.infosets],
        "outcomes": [
            {"label": outcome.label, "payoffs": list(map(rational_text, outcome.payoffs))}
            for outcome in game.outcomes
        ],
        "node_infoset": game.node_infoset.tolist(),
        "node_outcome": game.node_outcome.tolist(),
        "node_labels": list(game.node_labels),
    }


def _infoset_record(infoset: InformationSet) -> Record:
    record: Record = {
        "player": 0 if infoset.player == CHANCE else infoset.player + 1,
        "number": infoset.number,
        "label": infoset.label,
        "actions": list(infoset.actions),
    }
    if infoset.probabilities is not None:
        record["probabilities"] = list(map(rational_text, infoset.probabilities))
    return record


def game_from(record: Checked) -> Game:
    """Read a game from its record.

    Raises:
        MalformedFile: Names the path of the offending value.
    """
    record["schema"].one_of(GAME_SCHEMA)
    kind = record["kind"].text()
    with record.made(InvalidGame):
        if kind in _READERS:
            return _READERS[kind](record)
        return game_kinds()[record["kind"].one_of(*_READERS, *game_kinds())].read(record)


def _normal_form(record: Checked) -> NormalFormGame:
    players = tuple(player.text() for player in record["players"].items())
    actions = tuple(
        tuple(label.text() for label in own.items()) for own in record["actions"].items()
    )
    shape = (len(players), *map(len, actions))
    if len(shape) > MOST_PLAYERS + 1:
        record["actions"].fail(f"at most {MOST_PLAYERS} players", found=str(len(actions)))
    payoffs = [payoff.rational() for payoff in record["payoffs"].items()]
    if len(payoffs) != int(np.prod(shape, dtype=object)):
        record["payoffs"].fail(
            f"{int(np.prod(shape, dtype=object))} payoffs for shape {shape}",
            found=f"{len(payoffs)} payoffs",
        )
    table = exact_array(payoffs).reshape(shape)
    return NormalFormGame(players, actions, table, record["title"].text())


def _extensive_form(record: Checked) -> ExtensiveFormGame:
    if not any(True for _ in record["players"].items()):
        record["players"].fail("at least one player")
    return ExtensiveFormGame(
        players=tuple(player.text() for player in record["players"].items()),
        infosets=tuple(_infoset(entry) for entry in record["infosets"].items()),
        node_infoset=_indices(record["node_infoset"]),
        outcomes=tuple(
            Outcome(tuple(p.rational() for p in o["payoffs"].items()), o["label"].text())
            for o in record["outcomes"].items()
        ),
        node_outcome=_indices(record["node_outcome"]),
        node_labels=tuple(label.text() for label in record["node_labels"].items()),
        title=record["title"].text(),
    )


_READERS: Mapping[str, Callable[[Checked], Game]] = MappingProxyType(
    {
        "normal-form": _normal_form,
        "extensive-form": _extensive_form,
        "bayesian": bayesian_from,
        "security": security_from,
        "posg": rules_from,
        "aec": rules_from,
    }
)


def _indices(record: Checked) -> Any:
    values = [value.integer() for value in record.items()]
    limit = 2**31
    if any(not -limit <= value < limit for value in values):
        record.fail("indices below 2^31", found="larger ones")
    return np.array(values, dtype=np.int32)


def _infoset(entry: Checked) -> InformationSet:
    probabilities = None
    if entry.has("probabilities"):
        probabilities = tuple(p.rational() for p in entry["probabilities"].items())
    number = entry["player"].integer()
    return InformationSet(
        CHANCE if number == 0 else number - 1,
        entry["number"].integer(),
        entry["label"].text(),
        tuple(action.text() for action in entry["actions"].items()),
        probabilities,
    )


# Profiles


def profile_record(game: Game, profile: Profile) -> Record:
    """Write a profile as a record; information sets carry their player's and own number."""
    if isinstance(profile, PublicProfile):
        return {"kind": "plans", "plans": list(map(integers_text, profile.plans))}
    exact = profile.to_exact()
    if isinstance(exact, MixedProfile):
        return {
            "kind": "mixed",
            "strategies": [list(map(rational_text, strategy)) for strategy in exact.strategies],
        }
    tree = game if isinstance(game, ExtensiveFormGame) else None
    infosets = tree.infosets[: tree.num_decision_infosets] if tree else ()
    return {
        "kind": "behavioral",
        "infosets": [
            {**_infoset_record(infoset), "probabilities": list(map(rational_text, probabilities))}
            for infoset, probabilities in zip(infosets, exact.probabilities, strict=True)
        ],
    }


def profile_from(record: Checked, game: Game) -> Profile:
    """Read a profile of a game from its record.

    Raises:
        MalformedFile: If it is malformed or does not fit the game; names the path.
    """
    kind = record["kind"].one_of("mixed", "behavioral", "plans")
    with record.made(InvalidStrategy):
        if kind == "mixed" and has_mixed_profiles(game):
            return _mixed(record, cast("NormalFormGame", game))
        if kind == "behavioral" and isinstance(game, ExtensiveFormGame):
            return _behavioral(record, game)
        if kind == "plans" and isinstance(game, PublicStateGame):
            return PublicProfile(cast("Any", tuple(map(Checked.integers, record["plans"].items()))))
    return record.fail(f"a profile of {game!r}", found=f"a {kind} one")


def _mixed(record: Checked, game: NormalFormGame) -> MixedProfile:
    profile = MixedProfile(tuple(exact_array(_rationals(s)) for s in record["strategies"].items()))
    check_mixed_profile(game, profile)
    return profile


def _rationals(record: Checked) -> list[Any]:
    return [value.rational() for value in record.items()]


def _require_shown(entry: Checked, infoset: InformationSet) -> None:
    """Refuse names other than the game's: probabilities would be read as those of other actions."""
    shown = {"label": infoset.label, "actions": list(infoset.actions)}
    for key, value in shown.items():
        if entry.has(key) and entry[key].value != value:
            entry[key].fail(f"{json.dumps(value, ensure_ascii=False)}, as in the game")


def _behavioral(record: Checked, game: ExtensiveFormGame) -> BehavioralProfile:
    given: dict[tuple[int, int], Checked] = {}
    for entry in record["infosets"].items():
        key = (entry["player"].integer() - 1, entry["number"].integer())
        if given.setdefault(key, entry) is not entry:
            entry.fail("each information set once", found=f"number {key[1]} again")
    vectors: list[Any] = []
    for infoset in game.infosets[: game.num_decision_infosets]:
        entry = given.get((infoset.player, infoset.number))
        if entry is None:
            record["infosets"].fail(
                f"information set {infoset.number} of player {infoset.player + 1}",
                found=f"{len(given)} others",
            )
        _require_shown(entry, infoset)
        vectors.append(exact_array(_rationals(entry["probabilities"])))
    if len(given) > len(vectors):
        record["infosets"].fail(f"{len(vectors)} information sets", found=f"{len(given)}")
    profile = BehavioralProfile(tuple(vectors))
    check_behavioral_profile(game, profile)
    return profile
