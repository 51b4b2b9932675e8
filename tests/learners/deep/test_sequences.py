"""Sequences hold each decision once, in order, one sequence for each lane and episode."""

import numpy as np

from learners.deep.rollouts import episode_sequences, single_decisions


def test_sequences_follow_each_lane_through_each_episode():
    rng = np.random.default_rng(5)
    for _ in range(30):
        steps, lanes = 9, 4
        over = rng.random((steps, lanes)) < 0.3
        counts = rng.random((steps, lanes)) < 0.6
        way = episode_sequences(counts, over)
        met = {}
        for s in range(way.step.shape[1]):
            real = way.is_real[:, s]
            length = real.sum()
            assert length >= 1
            assert real[:length].all()  # padding comes last
            t, lane = way.step[:length, s], way.lane[:length, s]
            assert (lane == lane[0]).all()
            assert (np.diff(t) > 0).all()
            assert not over[t[0] : t[-1], lane[0]].any()  # no end inside
            assert way.continues[s] == (not over[: t[0], lane[0]].any())
            for one in t:
                met[int(one), int(lane[0])] = s
        assert set(met) == set(zip(*map(np.ndarray.tolist, np.nonzero(counts)), strict=True))
        assert way.is_real.sum() == counts.sum()
        keys = {(lane, over[:t, lane].sum()) for t, lane in met}
        assert len(keys) == way.step.shape[1]  # one for each lane and episode


def test_no_decision_makes_no_sequence():
    nothing = np.zeros((3, 2), dtype=bool)
    assert episode_sequences(nothing, nothing).step.shape == (0, 0)


def test_single_decisions_are_sequences_of_one():
    counts = np.array([[True, False], [True, True]])
    way = single_decisions(counts)
    assert way.step.tolist() == [[0, 1, 1]]
    assert way.lane.tolist() == [[0, 0, 1]]
    assert way.is_real.all()
