"""Read a game from a file, find every equilibrium, and check each proof."""

from pathlib import Path

from gametheory_core import NormalFormGame, read_game
from solvers import vertex_enumeration

game = read_game(Path(__file__).parent / "games" / "entry.nfg")
if not isinstance(game, NormalFormGame):
    raise SystemExit("this example expects a normal form")
found = vertex_enumeration(game)
print(f"{game.title}: {len(found.equilibria)} extreme equilibria, complete: {found.is_complete}")
for equilibrium in found.equilibria:
    equilibrium.certificate.verify()
    for player, actions, strategy in zip(
        game.players, game.actions, equilibrium.profile.strategies, strict=True
    ):
        played = [f"{a} {p}" for a, p in zip(actions, strategy, strict=True) if p]
        print(f"  {player}: {', '.join(played)}")
    print(f"  payoffs: {', '.join(map(str, equilibrium.payoffs))}\n")
