"""Matches of a learned policy against a population, many at once."""

from collections.abc import Mapping

import numpy as np

from gametheory_core.arguments import require_integer
from learners.frozen import FrozenPolicy
from learners.roshambo.learning.opponents import Maker
from learners.roshambo.learning.policy_bots import PolicyAtPlay
from learners.roshambo.learning.population_play import PopulationPlay
from learners.roshambo.matches.recall import Recall
from learners.roshambo.tournaments.scores import PopulationScores
from learners.streams import named_stream

AT_ONCE = 1024  # matches


def evaluate_policy(
    policy: FrozenPolicy,
    population: Mapping[str, Maker],
    *,
    recall: Recall,
    matches: int,
    seed: int,
    throws: int = 1000,
    greedy: bool = False,
) -> PopulationScores:
    """Let a policy play matches against each bot; as ``evaluate_bot``, in batches.

    Args:
        policy: As ``learners.frozen.frozen`` returns it.
        population: Makes the bots, by name.
        recall: What the policy sees.
        matches: Against each bot, at least 2.
        seed: Of all that is random.
        throws: In a match.
        greedy: Whether the policy always makes the likeliest throw.

    Raises:
        InvalidArgument: If an option makes no sense.

    >>> from learners.roshambo import embedded_population
    >>> from learners.roshambo.matches.recall import Shows
    >>> always_paper = np.array([[0.0, 1.0, 0.0]] * 10)
    >>> bots = {name: embedded_population()[name] for name in ("cycle_up", "yield")}
    >>> window = Recall(1, Shows.NUMBER)
    >>> scores = evaluate_policy(always_paper, bots, recall=window, matches=2, seed=1, throws=9)
    >>> scores.means.tolist()
    [0.0, 7.0]
    """
    require_integer(matches, name="matches", low=2)
    bots = tuple(population)
    places = np.tile(np.arange(len(bots)), matches)
    rng = named_stream(seed, "evaluated policy")
    returns = [
        _returns(policy, population, own, recall, rng, throws=throws, greedy=greedy)
        for own in np.array_split(places, -(-len(places) // AT_ONCE))
    ]
    return PopulationScores(bots, np.concatenate(returns).reshape(matches, len(bots)).T)


def _returns(
    policy: FrozenPolicy,
    population: Mapping[str, Maker],
    places: "np.ndarray[tuple[int], np.dtype[np.int64]]",
    recall: Recall,
    rng: np.random.Generator,
    *,
    throws: int,
    greedy: bool,
) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """Play a match against each of some bots; return what they paid."""
    count = len(places)
    play = PopulationPlay(
        population, episodes=count, seed=int(rng.integers(2**63)), recall=recall, throws=throws
    )
    own = PolicyAtPlay(policy, recall, matches=count, greedy=greedy)
    turn = play.reset_against(places)
    paid = np.zeros(count)
    for _ in range(throws):
        turn = play.step(own.throws(turn.observations[:, 0], rng)[:, None])
        paid += turn.rewards[:, 0]
    return np.rint(paid).astype(np.int64)
