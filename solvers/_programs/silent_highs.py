"""HiGHS that writes nothing, of one thread: standard output is for answers."""

import highspy


class SilentHighs(highspy.Highs):
    """HiGHS 1.16 writes who it is as soon as callbacks are set, which its constructor does."""

    def enableCallbacks(self) -> None:  # noqa: N802 (its name)
        """Turn output off before anything is written."""
        self.setOptionValue("output_flag", False)
        super().enableCallbacks()


def silent_highs() -> SilentHighs:
    """Return a solver without a model."""
    highs = SilentHighs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    return highs
