"""What every learner promises: it can be stopped, kept in a file, and continued to the last bit."""

from learners import load_snapshot, save_snapshot


def assert_continues(make, folder, *, before=2, after=3):
    """Compare a learner with one that is made anew and goes on from the first one's file."""

    def kept(snapshot, name):
        save_snapshot(folder / name, snapshot)
        return (folder / name).read_bytes()

    whole, fresh = make(), make()
    for _ in range(before):
        whole.improve()
    snapshot = whole.snapshot()
    half = kept(snapshot, "half")
    rest = [dict(whole.improve()) for _ in range(after)]
    assert kept(snapshot, "same") == half  # a snapshot is a copy
    fresh.improve()
    fresh.restore(load_snapshot(folder / "half"))
    assert [dict(fresh.improve()) for _ in range(after)] == rest
    assert kept(fresh.snapshot(), "fresh") == kept(whole.snapshot(), "whole") != half
