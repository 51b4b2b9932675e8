"""What every record of a game begins with."""

from typing import Any, TypeAlias

Record: TypeAlias = dict[str, Any]

GAME_SCHEMA = "gametheory-core/game/1"
