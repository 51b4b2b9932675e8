"""Trees in which players move in turn and see some of what was done before; recall is perfect."""

import gametheory_core as gt


def layered_tree(rng, *, players=3, levels=3, actions=2):
    """Every player moves once or more, in an order drawn; whether moves are seen is drawn too."""
    order = [int(i) for i in rng.permutation(players)]
    order += [int(rng.integers(players)) for _ in range(levels - players)]
    sees = rng.random((levels, levels + 1)) < 0.4

    def after(level, history, memory):
        if level == levels or (level > 1 and rng.random() < 0.15):
            return gt.Terminal([int(v) for v in rng.integers(-4, 5, players)])
        player = order[level]
        seen = "".join(c for j, c in enumerate(history) if sees[level, j])
        known = f"{memory.get(player, '')} {level}{seen}"
        return gt.Decision(
            player,
            f"{player}:{known}",
            {
                a: after(level + 1, history + a, {**memory, player: known + a})
                for a in "abc"[:actions]
            },
        )

    weather = {name: ("1/2", after(0, name, {})) for name in "xy"}
    return gt.from_sketch(gt.Chance(weather), players=("Ann", "Bob", "Cat", "Dan")[:players])
