"""Security games as JSON records: the fields of the record, without schema and title."""

from typing import Any, cast

from gametheory_core.arrays import exact_array
from gametheory_core.formats.checked_json import Checked
from gametheory_core.games.security import SecurityGame


def security_fields(game: SecurityGame) -> dict[str, Any]:
    """Write targets, resources, types, prior and payoffs.

    Payoffs are flat: by type, then defender and attacker, then uncovered and covered; targets
    fastest.
    """
    return {
        "targets": list(game.targets),
        "resources": game.resources,
        "types": list(game.types),
        "prior": list(map(str, game.prior)),
        "payoffs": [str(payoff) for payoff in game.exact_payoffs.ravel()],
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
