"""Bayesian games as JSON records: the fields of the record, without schema, title and players."""

from typing import Any, cast

from gametheory_core.arrays import exact_array
from gametheory_core.formats.checked_json import Checked
from gametheory_core.games.bayesian import BayesianGame

PLAYERS = 2


def bayesian_fields(game: BayesianGame) -> dict[str, Any]:
    """Write types, prior, actions and payoffs.

    For each type, payoffs are flat: the leader's, then the follower's; the follower's action
    fastest.
    """
    return {
        "types": list(game.types),
        "prior": list(map(str, game.prior)),
        "leader_actions": list(game.leader_actions),
        "follower_actions": [list(own) for own in game.follower_actions],
        "payoffs": [[str(p) for p in one.exact_payoffs.ravel()] for one in game.games],
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
