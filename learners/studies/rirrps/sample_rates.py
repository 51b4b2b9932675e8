"""Figure 1: how often each policy is met, drawn and expected.

In episode ``t = 0, 1, ..., T - 1`` the candidates are the policies ``0 ... t``, the last of which
is live; each is kept after its episode. Policy ``e`` is expected to be met ``sum_t p_t(e)`` times:
uniformly ``1/(e + 1) + ... + 1/T = H_T - H_e``, the difference of two harmonic numbers. All of them
together are met ``T`` times.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import FloatArray
from learners.self_play.menagerie import Menagerie
from learners.self_play.sampling import Independent, LooksAt
from learners.streams import named_stream
from learners.studies.files import csv_bytes, png_bytes
from learners.studies.registry import Files, Request
from learners.studies.rirrps.settings import sampling_of, seeds_of, settings

COLUMNS = ("scheme", "policy", "expected", "met in the first seed", "met on average")


@dataclass(frozen=True, eq=False)
class SampleRates:
    """How often each policy is met.

    Attributes:
        expected (episodes,)
        met (seeds, episodes): Drawn.
    """

    scheme: str
    expected: FloatArray
    met: NDArray[np.int64]


def candidates(sampling: Independent, episode: int) -> tuple[Fraction, ...]:
    """Return how likely each policy is met in an episode, the live one last.

    >>> from learners.self_play import DeltaUniform
    >>> [str(p) for p in candidates(DeltaUniform(0), 2)]
    ['1/3', '1/3', '1/3']
    """
    if not episode:  # nobody but the first policy
        return (Fraction(1),)
    return sampling.weights(Menagerie(tuple(range(episode))))


def sample_rates(
    scheme: str, sampling: Independent, *, episodes: int, seeds: tuple[int, ...]
) -> SampleRates:
    """Draw an opponent in each episode, and count.

    Args:
        seeds: One draw of all episodes each.
    """
    streams = [named_stream(seed, "sample rates", scheme) for seed in seeds]
    expected = np.zeros(episodes)
    met = np.zeros((len(seeds), episodes), dtype=np.int64)
    for episode in range(episodes):
        weights = np.array([float(weight) for weight in candidates(sampling, episode)])
        expected[: episode + 1] += weights
        cumulative = weights.cumsum()
        for number, stream in enumerate(streams):
            drawn = np.searchsorted(cumulative, stream.random() * cumulative[-1], side="right")
            met[number, min(int(drawn), episode)] += 1
    return SampleRates(scheme, expected, met)


def make_figure(request: Request) -> Files:
    """Make figure 1; schemes that draw by results are left out, as they need training."""
    from learners.studies.rirrps.pictures import draw_sample_rates  # noqa: PLC0415 matplotlib

    episodes = request.scaled(settings().sample_rates.episodes)
    laws = {name: sampling_of(name) for name in settings().schemes}
    chosen = {name: law for name, law in laws.items() if law.looks_at is LooksAt.NOTHING}
    found: list[SampleRates] = []
    for name, law in chosen.items():
        request.on_progress(f"figure 1: {name}", len(found), len(chosen))
        found.append(sample_rates(name, law, episodes=episodes, seeds=seeds_of(request)))
    rows = [
        (own.scheme, policy, float(own.expected[policy]), int(own.met[0, policy]), float(mean))
        for own in found
        for policy, mean in enumerate(own.met.mean(axis=0).tolist())
    ]
    return {
        "figure-1.csv": csv_bytes(COLUMNS, rows),
        "figure-1.png": png_bytes(draw_sample_rates(found)),
    }
