"""A live learner that does as it is told, so that what self-play makes of it is known."""

import numpy as np


class Scripted:
    """In iteration ``k`` it plays action ``k``, counted in a circle, everywhere."""

    name = "scripted"

    def __init__(self, play, *, rng, steps=4):
        del rng
        self.play, self.steps, self.made = play, steps, 0
        self.turn = None

    @property
    def action(self):
        return self.made % self.play.num_actions[0]

    def frozen(self):
        table = np.zeros((self.play.num_observations[0], self.play.num_actions[0]))
        table[:, self.action] = 1.0
        return table

    def policies(self):
        return ({},)

    def improve(self):
        if self.turn is None:
            self.turn = self.play.reset()
        for _ in range(self.steps):
            self.turn = self.play.step(np.full((self.play.num_episodes, 1), self.action))
        self.made += 1
        return {"made": float(self.made)}

    def snapshot(self):
        return {"made": self.made}

    def restore(self, snapshot):
        self.made = snapshot["made"]


def noted(learner):
    """Have a learner of self-play write down the results that it takes note of; return the list."""
    taken, results = [], learner.play.results

    def note():
        taken.append(results())
        return taken[-1]

    learner.play.results = note
    return taken
