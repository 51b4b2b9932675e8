"""Our games as OpenSpiel's, so that its algorithms run on them.

A matrix game becomes OpenSpiel's own, a tree and the rules of an AEC game or a POSG a game in
Python whose states stand at a fork of a ``Walk``. Everything is computed with fractions, and
rounded to floats where OpenSpiel reads it.
"""

import re
from typing import NoReturn, TypeAlias, cast

from gametheory_core.adapters.open_spiel_play import played
from gametheory_core.adapters.open_spiel_rules_walk import RulesWalk
from gametheory_core.adapters.open_spiel_states import SpielGame, pyspiel
from gametheory_core.adapters.open_spiel_walks import TreeWalk, Walk
from gametheory_core.arguments import described, require_instance, require_integer
from gametheory_core.conversions.posg_aec import QueuedActions
from gametheory_core.errors import GameTheoryError, InvalidArgument
from gametheory_core.games.checked_rules import checked_aec, checked_rules
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.kinds import require_tree
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.rules import AEC, POSG, is_posg

MAX_POSITIONS = 200_000
UNNAMED = "gametheory_core"  # begins names of games that are not registered, and of no others

AnyGame: TypeAlias = ExtensiveFormGame | NormalFormGame | POSG | AEC


def to_open_spiel(
    game: AnyGame, *, name: str | None = None, max_positions: int = MAX_POSITIONS
) -> SpielGame:
    """Make a game of OpenSpiel, on which its algorithms run.

    Args:
        game: Matrix games become OpenSpiel's own. Players of a POSG act at once; what is random in
            a step, observations included, chance draws together. So it does after a move of an AEC
            game, and where nothing is random there is no move of chance.
        name: If given, the game is registered, for ``pyspiel.load_game(name)`` in this process.
            Else its name is made of its title.
        max_positions: The largest number of positions (nodes, or what rules can come to) to look at
            for bounds on payoffs and lengths.

    Returns:
        Actions are numbered in the order of the legal ones. Texts of information states are equal
        exactly where information states are. Probabilities and payoffs are the floats nearest to
        ours, rewards are discounted, and outcomes of probability zero are left out.

    Raises:
        InvalidArgument: If it is no game, or the name is taken or no name for OpenSpiel.
        UnsupportedGame: If no player ever moves, plays need not end, or there are more than
            ``max_positions``.
        InvalidGame: If rules answer something malformed, or payoffs are too large for floats.
        MissingDependency: On import, if open_spiel is not installed.

    OpenSpiel's algorithms take it that players forget nothing; they are run on trees of players who
    forget, and say what they say. Time and memory are linear in the number of positions.

    >>> from gametheory_core import load_game
    >>> state = to_open_spiel(load_game("kuhn_poker")).new_initial_state()
    >>> state.apply_action(0)
    >>> state.information_state_string(), state.legal_actions()
    ("p0: 'J'", [0, 1])
    """
    require_integer(max_positions, name="max_positions", low=1)
    if name is not None:
        _require_free(name, game)
    if name in _REGISTERED:
        return _REGISTERED[name].made
    if isinstance(game, NormalFormGame):
        made = _matrix_game(game, name or _name_of(game, "matrix_game"))
    else:
        walk = _walk(game)
        kind = "tree" if isinstance(walk, TreeWalk) else "posg" if walk.at_once else "aec_game"
        made = played(
            walk,
            title=game.title or "game",
            name=name or _name_of(game, kind),
            max_positions=max_positions,
            recipe=(_again, (game, name, max_positions)),
        )
    if name is not None:
        _REGISTERED[name] = _Registration(game, made)
        pyspiel.register_game(made.get_type(), _REGISTERED[name])
    return made


def _name_of(game: AnyGame, kind: str) -> str:
    """Return a name of words of the title; of the kind if there are none that OpenSpiel reads."""
    words = re.findall(r"\w+", str(game.title), re.ASCII)
    return "_".join((UNNAMED, *words)).lower() if words else f"{UNNAMED}_{kind}"


def _again(game: AnyGame, name: str | None, max_positions: int) -> SpielGame:
    return to_open_spiel(game, name=name, max_positions=max_positions)


class _Registration:
    """A game under a name of OpenSpiel's, which asks it for the game."""

    def __init__(self, game: AnyGame, made: SpielGame) -> None:
        self.game, self.made = game, made
        self.itself = self  # OpenSpiel drops it when Python has ended; a cycle is not freed then

    def __call__(self, _parameters: object = None) -> SpielGame:
        return self.made


_REGISTERED: dict[str, _Registration] = {}


def _require_free(name: str, game: AnyGame) -> None:
    require_instance(name, str, name="name")
    if not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) or name.startswith(UNNAMED):
        raise InvalidArgument(
            needs=f"a name of letters, digits and underscores that does not begin with {UNNAMED}",
            found=f"got {name!r}",
            remedy="OpenSpiel reads parentheses and commas as parameters.",
        )
    if name in _REGISTERED:
        if _REGISTERED[name].game == game:
            return
        found = f"{name!r} is another game's, {_REGISTERED[name].made.get_type().long_name!r}"
    elif name in pyspiel.registered_names():
        found = f"{name!r} is a game of OpenSpiel's"
    else:
        return
    raise InvalidArgument(
        needs="a name that is free", found=found, remedy="Names last as long as the process."
    )


def _matrix_game(game: NormalFormGame, name: str) -> SpielGame:
    title, payoffs = game.title or name, game.payoffs
    if game.num_players == 2:
        return pyspiel.create_matrix_game(
            name, title, *map(list, game.actions), *(own.tolist() for own in payoffs)
        )
    return pyspiel.create_tensor_game(
        name, title, [list(own) for own in game.actions], [own.ravel().tolist() for own in payoffs]
    )


def _walk(game: ExtensiveFormGame | POSG | AEC) -> Walk:
    if isinstance(game, ExtensiveFormGame):
        return TreeWalk(game)
    if not hasattr(game, "legal_actions"):
        _refuse(game)
    rules = checked_rules(game, "to_open_spiel")
    if is_posg(rules):
        return RulesWalk(checked_aec(QueuedActions(rules), "to_open_spiel"), at_once=True)
    return RulesWalk(cast("AEC", rules), at_once=False)


def _refuse(game: object) -> NoReturn:
    words = "a tree, a matrix game, a POSG or an AEC game"
    try:
        require_tree(game)
    except GameTheoryError as error:
        raise error.changed(needs=words, where="to_open_spiel") from None
    raise InvalidArgument(needs=words, found=f"got {described(game)}")
