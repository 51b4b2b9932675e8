"""Figures 7 to 9, as one: what two agents are paid who clean at once, by the order of resolution.

If agents are alike, whoever stands in front must be paid alike, whatever its number.
"""

from itertools import permutations

from gametheory_core.catalog.cleanup import CLEAN, DIRTY, Cleanup, Corridor, Resolution, relabel
from gametheory_core.testing.races import find_race
from learners.studies.curves import End, end_files
from learners.studies.registry import Files, Request

PLACES = ("behind", "in front")


def paid(game: Cleanup, positions: tuple[int, ...]) -> tuple[float, ...]:
    """Return what each agent is paid on average if all clean, from where they stand."""
    start, joint = Corridor(positions, DIRTY, (0,) * game.agents), (CLEAN,) * game.agents
    laws = game.transition(start, joint).items
    return tuple(
        float(sum(share * game.reward(start, joint, after)[agent] for after, share in laws))
        for agent in range(game.agents)
    )


def make_figure(request: Request) -> Files:
    """Make figure 9."""
    del request
    ends: list[End] = []
    for resolution in Resolution:
        game = Cleanup(resolution)
        race = "no race" if find_race(game, relabel=relabel) is None else "a race"
        for positions in permutations(range(game.agents)):
            for agent, value in enumerate(paid(game, positions)):
                words = f"agent {agent + 1}, {PLACES[positions[agent]]}"
                ends.append(End(f"{resolution.value}: {race}", words, (value,)))
    return end_files("figure-9", ends, "tiles cleaned")
