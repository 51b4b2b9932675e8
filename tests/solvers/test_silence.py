"""Standard output is for answers: HiGHS says nothing, from its making on."""

from solvers._programs.silent_highs import silent_highs


def test_highs_writes_nothing(capfd):
    highs = silent_highs()
    highs.addVar(0.0, 1.0)
    highs.run()
    assert capfd.readouterr().out == ""
