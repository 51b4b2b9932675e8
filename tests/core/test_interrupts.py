import signal
import sys
from threading import Thread

import pytest

from gametheory_core.command_line import EXIT_INTERRUPTED, exit_code
from gametheory_core.errors import InvalidArgument
from gametheory_core.interrupts import interrupts_found, interrupts_later
from learners.snapshots import load_snapshot, save_snapshot


def test_interrupt_waits_for_the_end_of_the_work():
    done = []

    def work():
        with interrupts_later(), interrupts_later():
            signal.raise_signal(signal.SIGINT)
            done.append(1)

    with pytest.raises(KeyboardInterrupt, match="^$"):
        work()
    assert done == [1]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_interrupt_is_not_lost_to_an_error_of_the_work():
    def fail():
        with interrupts_later():
            signal.raise_signal(signal.SIGINT)
            raise ValueError("it failed")

    with pytest.raises(KeyboardInterrupt, match="^$") as caught:
        fail()
    assert isinstance(caught.value.__context__, ValueError)


def test_work_without_an_interrupt_is_left_alone():
    with interrupts_later():
        done = 1
    with pytest.raises(ValueError, match="it failed"), interrupts_later():
        raise ValueError("it failed")
    assert done == 1
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_other_threads_and_ignored_interrupts_need_nothing():
    done = []

    def work():
        with interrupts_later():
            done.append(1)

    thread = Thread(target=work)
    thread.start()
    thread.join()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interrupts_later():
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
    assert done == [1]


def test_interrupt_at_any_line_of_saving_is_an_interrupt_and_leaves_a_whole_file(tmp_path):
    path = tmp_path / "kept.zip"
    old, new = {"step": 1}, {"step": 2}
    lines, interrupted = 0, 0

    def tracing(at):
        def trace(frame, event, _):
            nonlocal lines
            names = {caller.f_code.co_name for caller in (frame, frame.f_back) if caller}
            if "__del__" in names:  # where Python loses every exception
                return None
            lines += event == "line"
            if event == "line" and lines == at:
                signal.raise_signal(signal.SIGINT)
            return trace

        return trace

    def save(at):
        nonlocal lines
        lines = 0
        sys.settrace(tracing(at))
        try:
            save_snapshot(path, new)
        finally:
            sys.settrace(None)

    earlier = sys.gettrace()
    try:
        save(0)  # the first save loads modules
        save(0)
        total = lines
        assert total > 200
        for at in range(1, total + 1):
            save_snapshot(path, old)
            with pytest.raises(KeyboardInterrupt, match="^$"):
                save(at)
            interrupted += 1
            assert load_snapshot(path) in (old, new)
            assert [kept.name for kept in tmp_path.iterdir()] == ["kept.zip"]
    finally:
        sys.settrace(earlier)
    assert interrupted > 200


def hidden_by(error, *, cause):
    try:
        raise KeyboardInterrupt
    except KeyboardInterrupt as interrupt:
        raise error from interrupt if cause else None


@pytest.mark.parametrize("cause", [True, False])
def test_interrupt_that_others_made_an_error_of_is_found_again(cause):
    with pytest.raises(KeyboardInterrupt, match="^$"), interrupts_found():
        hidden_by(TypeError("no common dtype"), cause=cause)


def test_errors_of_other_causes_and_our_own_stay_what_they_are():
    with pytest.raises(TypeError, match="its own"), interrupts_found():
        raise TypeError("its own")
    ours = InvalidArgument(needs="a", found="b")
    with pytest.raises(InvalidArgument, match="needs a"), interrupts_found():
        hidden_by(ours, cause=True)


def test_command_ends_with_130_where_an_interrupt_was_hidden(capsys):
    assert exit_code(lambda: hidden_by(TypeError("its own"), cause=True)) == EXIT_INTERRUPTED
    assert capsys.readouterr().err == "interrupted: nothing was written.\n"
