"""A table of what agents are paid on average by each bot of a population, and its rankings.

An agent *dominates* another if it is paid more by every bot. Measured means may deceive, so there
is dominance at an error rate too: each of the differences is above 0 by a Welch test at that rate.
All of them must be, so the claim is wrong at most that often, however many bots there are.

Source: :cite:`lanctot2023population`.
"""

import csv
import io
import json
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.special import stdtrit

from gametheory_core.arguments import as_tuple, require_integer, require_number, shown
from gametheory_core.arrays import FloatArray, freeze
from gametheory_core.errors import InvalidArgument, MalformedFile
from gametheory_core.formats.checked_json import Checked, parse_json
from learners.roshambo.tournaments.scores import (
    as_numbers,
    cross_fitted,
    largest_mean_bias,
    mean_over_halves,
    require_names,
)

SCHEMA = "gametheory-core/payoff-table/1"
ROUNDING = 1e-9  # of the largest mean: how far halves may be off


class Standing(NamedTuple):
    """What an agent is worth.

    Attributes:
        population_return: The mean of its means, with its standard error; None if not known.
        exploitability: What its nemesis is paid, as published; biased upward.
        cross_fitted: The same without that bias; None if not known.
        bias: Of ``exploitability``, at most: were all bots paid alike; None if not known.
        aggregate_score: ``population_return`` less ``exploitability``.
    """

    agent: str
    population_return: float
    standard_error: float | None
    exploitability: float
    cross_fitted: float | None
    bias: float | None
    aggregate_score: float
    nemesis: str


@dataclass(frozen=True, eq=False)
class PayoffTable:
    """Mean returns of agents against bots.

    Attributes:
        agents, bots: Names; an agent and a bot may be the same program.
        means (agents, bots): What the agent is paid in a match.
        matches: Of which each is a mean.
        standard_errors (agents, bots): Of the means; None if not known, as of one match.
        halves (2, agents, bots): Means over the even and the odd matches; None if not known.

    Raises:
        InvalidArgument: If shapes or halves do not fit, a name stands twice, a number is not
            finite, or an error is negative.

    >>> table = PayoffTable.from_returns(("x",), ("rock", "other"), [[[9, 11], [-3, -1]]])
    >>> table.means.tolist(), table.standard_errors.tolist(), table.matches
    ([[10.0, -2.0]], [[1.0, 1.0]], 2)
    >>> table.ranking()[0].aggregate_score
    2.0
    """

    agents: tuple[str, ...]
    bots: tuple[str, ...]
    means: FloatArray
    matches: int
    standard_errors: FloatArray | None = None
    halves: FloatArray | None = None

    def __post_init__(self) -> None:
        require_integer(self.matches, name="matches", low=1)
        for name in ("agents", "bots"):
            names = as_tuple(getattr(self, name), name=name)
            require_names(names, what=name)
            object.__setattr__(self, name, names)
        size = (len(self.agents), len(self.bots))
        for name, shape in (("means", size), ("standard_errors", size), ("halves", (2, *size))):
            given = getattr(self, name)
            if given is None and name != "means":
                continue
            values = as_numbers(given, needs=f"finite {name} of shape {shape}", shape=shape)
            object.__setattr__(self, name, freeze(values.astype(np.float64)))
        if self.standard_errors is not None and self.standard_errors.min() < 0:
            raise InvalidArgument(
                needs="standard_errors of at least 0", found=f"one is {self.standard_errors.min()}"
            )
        if self.halves is not None:
            self._require_fitting(self.halves)

    def _require_fitting(self, halves: FloatArray) -> None:
        """Refuse halves whose mean, by how many matches each has, is not the mean of all."""
        odd = self.matches // 2
        whole = ((self.matches - odd) * halves[0] + odd * halves[1]) / self.matches
        missed = np.abs(whole - self.means)
        if missed.max() > ROUNDING * max(np.abs(halves).max(), np.abs(self.means).max()):
            a, b = np.unravel_index(missed.argmax(), missed.shape)
            raise InvalidArgument(
                needs="halves whose mean is that of all matches",
                found=f"of {self.agents[a]!r} against {self.bots[b]!r} it is {whole[a, b]:g}, "
                f"and that of all is {self.means[a, b]:g}",
            )

    @classmethod
    def from_returns(
        cls, agents: tuple[str, ...], bots: tuple[str, ...], returns: object
    ) -> "PayoffTable":
        """Return the table of what was paid in each match, (agents, bots, matches)."""
        needs = "finite returns of shape (agents, bots, matches)"
        paid = as_numbers(returns, needs=needs)
        if paid.ndim != 3 or not paid.shape[2]:
            raise InvalidArgument(needs=needs, found=f"got {shown(returns)}")
        matches = paid.shape[2]
        several = matches > 1
        return cls(
            agents,
            bots,
            paid.mean(axis=2),
            matches,
            paid.std(axis=2, ddof=1) / np.sqrt(matches) if several else None,
            mean_over_halves(paid) if several else None,
        )

    def means_of(self, agent: str) -> dict[str, float]:
        """Return what an agent is paid by each bot."""
        row = self.means[self._row(agent)].tolist()
        return dict(zip(self.bots, row, strict=True))

    def standing(self, agent: str) -> Standing:
        """Return what an agent is worth."""
        row = self._row(agent)
        means = self.means[row]
        errors = None if self.standard_errors is None else self.standard_errors[row]
        halves = None if self.halves is None else self.halves[:, row]
        paid, lost = float(means.mean()), float(0 - means.min())  # never -0.0
        return Standing(
            agent,
            paid,
            None if errors is None else float(np.sqrt((errors**2).sum()) / len(self.bots)),
            lost,
            None if halves is None else float(cross_fitted(halves)),
            None if errors is None else largest_mean_bias(np.zeros(len(errors)), errors),
            paid - lost,
            self.bots[int(means.argmin())],
        )

    def ranking(self) -> tuple[Standing, ...]:
        """Return what agents are worth, the largest aggregate score first."""
        found = [self.standing(agent) for agent in self.agents]
        return tuple(sorted(found, key=lambda own: -own.aggregate_score))

    def dominated(self, agent: str, *, error: float | None = None) -> tuple[str, ...]:
        """Return the agents that an agent dominates.

        Args:
            error: How often a claim may be wrong; None takes means as they are.

        Raises:
            InvalidArgument: If there is no such agent, or there is an error rate but standard
                errors are not known.
        """
        row = self._row(agent)
        gains = self.means[row] - self.means
        margin: Any = 0.0
        if error is not None:
            require_number(error, name="error", above=0, below=0.5)
            if self.standard_errors is None:
                raise InvalidArgument(
                    needs="a table with standard errors, to tell chance from dominance",
                    found="it has none",
                    remedy="Play two matches or more, or leave the error rate out.",
                )
            own, others = self.standard_errors[row] ** 2, self.standard_errors**2
            with np.errstate(invalid="ignore"):  # 0 / 0 where both means are sure
                freedom = (own + others) ** 2 * (self.matches - 1) / (own**2 + others**2)
            quantiles = stdtrit(np.nan_to_num(freedom, nan=1.0), 1 - error)
            margin = quantiles * np.sqrt(own + others)
        below = (gains > margin).all(axis=1)
        return tuple(name for name, is_below in zip(self.agents, below, strict=True) if is_below)

    def to_csv(self) -> str:
        """Return means alone, a row an agent, in the form of the published table."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(("row_bot", *self.bots))
        writer.writerows(
            (agent, *map(repr, row))
            for agent, row in zip(self.agents, self.means.tolist(), strict=True)
        )
        return text.getvalue()

    @classmethod
    def from_csv(cls, text: str, *, matches: int, name: str = "table") -> "PayoffTable":
        r"""Read means, a row an agent and a column a bot, such as the published table.

        Args:
            matches: Of which each is a mean; 1,000 in the published table.
            name: What messages call the file.

        Raises:
            MalformedFile: Names the line.

        >>> PayoffTable.from_csv("row_bot,rock,other\nx,10,-2\n", matches=2).means_of("x")
        {'rock': 10.0, 'other': -2.0}
        """
        lines = [line for line in csv.reader(io.StringIO(text, newline="")) if line]
        if len(lines) < 2:
            raise MalformedFile(
                needs="a line of bots, and one for each agent",
                found=f"it has {len(lines)} lines",
                where=name,
            )
        rows: list[list[float]] = []
        for number, (agent, *entries) in enumerate(lines[1:], start=2):
            try:
                if len(entries) != len(lines[0]) - 1:
                    raise ValueError
                rows.append([float(entry) for entry in entries])
            except ValueError:
                raise MalformedFile(
                    needs=f"a name and {len(lines[0]) - 1} numbers",
                    found=f"the line of {agent!r} is {shown(','.join(entries))}",
                    where=name,
                    line=number,
                ) from None
        try:
            return cls(tuple(line[0] for line in lines[1:]), tuple(lines[0][1:]), rows, matches)  # pyright: ignore[reportArgumentType]
        except InvalidArgument as refusal:
            raise refusal.changed(MalformedFile, where=name) from None

    def to_json(self) -> str:
        """Return all of the table."""
        record = {
            "schema": SCHEMA,
            "agents": list(self.agents),
            "bots": list(self.bots),
            "matches": self.matches,
            "means": self.means.tolist(),
        }
        for name in ("standard_errors", "halves"):
            values = getattr(self, name)
            if values is not None:
                record[name] = values.tolist()
        return json.dumps(record, indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str, *, name: str = "table") -> "PayoffTable":
        """Read what ``to_json`` wrote.

        Raises:
            MalformedFile: Says where.
        """
        record = parse_json(text, name=name)
        record["schema"].one_of(SCHEMA)
        agents, bots = (
            tuple(own.text() for own in record[key].items()) for key in ("agents", "bots")
        )
        arrays = {
            key: _numbers(record[key])
            for key in ("means", "standard_errors", "halves")
            if key == "means" or record.has(key)
        }
        with record.made(InvalidArgument):
            return cls(agents, bots, matches=record["matches"].integer(), **arrays)

    def _row(self, agent: str) -> int:
        if agent not in self.agents:
            raise InvalidArgument(
                needs="an agent of the table",
                found=f"got {shown(agent)}",
                remedy=f"It has {shown(self.agents)}.",
            )
        return self.agents.index(agent)


def _numbers(record: Checked) -> Any:
    """Read numbers in lists in lists."""
    if isinstance(record.value, list):
        return [_numbers(entry) for entry in record.items()]
    return record.number()
