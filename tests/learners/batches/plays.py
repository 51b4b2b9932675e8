"""Sampled plays and exact laws in the same words, for comparison."""

from collections import Counter

from gametheory_core.evaluation import aec_trajectories, posg_trajectories
from gametheory_core.games import CHANCE
from gametheory_core.games.rules import is_posg
from gametheory_core.testing import binomial_tail
from learners.batches import Rollouts, rollouts


def rounded(rewards):
    return tuple(round(float(r), 9) + 0.0 for r in rewards)


def sampled_play(plays: Rollouts, k: int):
    """Return episode ``k``: steps of (state, who saw what and did what, rewards); and the end."""
    game = plays.game
    steps = []
    for t in range(plays.lengths[k]):
        done = tuple(
            None
            if plays.actions[k, t, i] < 0
            else (
                game.observation_labels[i][plays.observations[k, t, i]],
                game.action_labels[i][plays.actions[k, t, i]],
            )
            for i in range(len(game.players))
        )
        state = game.states[plays.states[k, t]]
        steps.append((state, done, rounded(plays.rewards[k, t])))
    return tuple(steps), game.states[plays.states[k, plays.lengths[k]]]


def exact_law(game, profile):
    """Return the exact probability of every play, in the same words; histories are observations."""
    law = {}
    if is_posg(game):
        for play, weight in posg_trajectories(game, profile):
            law[_posg_words(play)] = law.get(_posg_words(play), 0) + weight
    else:
        for play, weight in aec_trajectories(game, profile):
            words = _aec_words(play, len(game.players), game.discount)
            law[words] = law.get(words, 0) + weight
    return law


def _posg_words(play):
    steps, pasts = [], None
    for step in play.steps:
        pasts = (
            [(o,) for o in step.observations]
            if pasts is None
            else [(*p, o) for p, o in zip(pasts, step.observations, strict=True)]
        )
        steps.append(
            (step.state, tuple(zip(pasts, step.actions, strict=True)), rounded(step.rewards))
        )
        pasts = [(*p, a) for p, a in zip(pasts, step.actions, strict=True)]
    return _ended(steps, play.final_state, len(play.steps[0].actions) if play.steps else 0)


def _aec_words(play, players, discount):
    """Add what chance's moves pay to the step before, or to the first."""
    steps, pasts = [], [()] * players
    pending, chances = [0] * players, -1
    for move in play.moves:
        weight = discount ** max(0, chances)
        paid = [weight * r for r in move.rewards]
        if move.mover == CHANCE:
            chances += 1
        else:
            pasts[move.mover] = (*pasts[move.mover], move.observation)
            done = [None] * players
            done[move.mover] = (pasts[move.mover], move.action)
            pasts[move.mover] = (*pasts[move.mover], move.action)
            steps.append([move.state, tuple(done), list(pending)])
            pending = [0] * players
        into = steps[-1][2] if steps else pending
        into[:] = [a + b for a, b in zip(into, paid, strict=True)]
    if not steps:
        return (((play.final_state, (None,) * players, rounded(pending)),), play.final_state)
    return tuple((s, d, rounded(r)) for s, d, r in steps), play.final_state


def _ended(steps, final_state, players):
    if steps:
        return tuple(steps), final_state
    return None, final_state  # filled in by the caller, who knows the number of players


def require_same_law(game, source, profile, *, episodes, seed, level, **options):
    """Fail if sampled plays are not of the exact law; a right law fails with at most ``level``."""
    law = exact_law(game, profile)
    nobody = (None,) * len(game.players)
    law = {
        (((end, nobody, (0.0,) * len(nobody)),), end) if steps is None else (steps, end): w
        for (steps, end), w in law.items()
    }
    plays = rollouts(source, profile, episodes=episodes, seed=seed, **options)
    counts = Counter(sampled_play(plays, k) for k in range(episodes))
    strays = [play for play in counts if play not in law]
    assert not strays, f"impossible play {strays[0]}"
    for play, weight in law.items():
        tail = binomial_tail(counts[play], episodes, float(weight))
        assert tail * len(law) > level, (play, float(weight), counts[play])
