"""V-trace: values of one policy from the play of another, with cut importance ratios.

With ``rho_t = min(rho, pi/mu)`` and ``c_t = decay * min(c, pi/mu)``, the target of ``V(x_t)`` is

    v_t = V(x_t) + sum_{k >= t} (prod_{t <= i < k} g_i c_i) rho_k (r_k + g_k V(x_{k+1}) - V(x_k)),

the sum ending with the episode or the rollout. Where the policies agree and nothing is cut, it is
the return of the rest of the rollout. In the mean over play, its fixed point is the value of the
policy in proportion to ``min(rho mu, pi)``, and not of ``pi``.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class VTrace:
    """What values and policies learn from.

    Attributes
    ----------
    targets : array (T, E)
        For the values.
    advantages : array (T, E)
        ``rho_t (r_t + g_t v_{t+1} - V(x_t))``: weights of the score of the action taken.
    """

    targets: NDArray[Any]
    advantages: NDArray[Any]


def v_trace(
    *,
    rewards: NDArray[Any],
    values: NDArray[Any],
    next_values: NDArray[Any],
    discounts: NDArray[Any],
    continues: NDArray[np.bool_],
    ratios: NDArray[Any],
    largest_ratio: Any = 1,
    largest_trace: Any = 1,
    trace_decay: Any = 1,
) -> VTrace:
    """Return V-trace targets and advantages for ``T`` steps of ``E`` episodes side by side.

    Parameters
    ----------
    rewards : array (T, E)
        What each step paid.
    values, next_values : array (T, E)
        Of what was seen before and after each step: at the end of an episode after it, of its last
        observation.
    discounts : array (T, E)
        Factor on what follows a step; 0 where nothing can.
    continues : bool array (T, E)
        Whether the next row goes on with the same episode. False in the last row, whatever stands
        there.
    ratios : array (T, E)
        Probability of the action under the policy judged over that under the policy that played.
    largest_ratio, largest_trace : number
        Where ratios are cut, ``rho`` and ``c``.
    trace_decay : number
        Factor on traces, in [0, 1].

    Returns
    -------
    VTrace

    Notes
    -----
    Arrays of ``Fraction`` give exact targets.

    References
    ----------
    .. [1] :cite:`espeholt2018impala`, section 4.1 and remark 2.

    Examples
    --------
    >>> one, zero = np.ones((3, 1)), np.zeros((3, 1))
    >>> goes_on = np.array([[True], [True], [False]])
    >>> played = {"values": zero, "next_values": zero, "continues": goes_on, "ratios": one}
    >>> v_trace(rewards=one, discounts=0.5 * one, **played).targets[:, 0].tolist()
    [1.75, 1.5, 1.0]
    """
    weights = np.minimum(ratios, largest_ratio)
    traces = np.minimum(ratios, largest_trace) * trace_decay
    corrections = weights * (rewards + discounts * next_values - values)
    beyond = np.zeros_like(values)
    for t in range(len(values) - 2, -1, -1):
        later = corrections[t + 1] + beyond[t + 1]
        beyond[t] = np.where(continues[t], discounts[t] * traces[t] * later, 0 * later)
    targets = values + corrections + beyond
    followed = np.array(next_values)
    followed[:-1] = np.where(continues[:-1], targets[1:], next_values[:-1])
    return VTrace(targets, weights * (rewards + discounts * followed - values))
