"""Every play of a sampler, by answering its draws in all ways: its exact law."""

from collections import defaultdict
from fractions import Fraction
from math import prod


class ScriptedIntegers:
    """Stands in for a numpy Generator: answers as scripted, then 0, and remembers the bounds."""

    def __init__(self, script):
        self.answers = list(script)
        self.bounds = []

    def integers(self, bound):
        place = len(self.bounds)
        self.bounds.append(int(bound))
        if place == len(self.answers):
            self.answers.append(0)
        return self.answers[place]


def exact_law(sample):
    """Return {outcome: weight} of ``sample(rng)``, over all that ``rng.integers`` may answer."""
    law = defaultdict(Fraction)
    script = []
    while True:
        rng = ScriptedIntegers(script)
        law[sample(rng)] += Fraction(1, prod(rng.bounds))
        script, bounds = rng.answers[: len(rng.bounds)], rng.bounds
        while script and script[-1] + 1 == bounds[len(script) - 1]:
            script.pop()
        if not script:
            return dict(law)
        script[-1] += 1
