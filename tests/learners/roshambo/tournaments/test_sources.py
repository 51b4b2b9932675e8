"""What tells makers of bots from others."""

from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest

from learners.roshambo.tournaments.sources import digest_of_file, source_of
from tests.learners.roshambo.simple_bots import Drawn, Scripted


class Unsent:
    def __reduce__(self):
        raise RuntimeError


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((1, 0.5, "x", True, None), "Scripted(1, 0.5, 'x', True, None)"),
        (((1, ("a",)),), "Scripted((1, ('a')))"),
        (({"b": 1, "a": 2},), "Scripted({'a': 2, 'b': 1})"),
        ((partial(Drawn, 1),), "Scripted(Drawn(1))"),
        ((Unsent(),), "Scripted(Unsent)"),
    ],
)
def test_a_partial_tells_its_arguments(arguments, text):
    assert source_of(partial(Scripted, *arguments)) == text


def test_arguments_that_are_no_plain_values_are_told_by_their_pickle():
    one, same, other = (source_of(partial(Scripted, script=np.array([k]))) for k in (1, 1, 2))
    assert one == same != other
    assert one.startswith("Scripted(script=ndarray with SHA-256 ")


@dataclass(frozen=True)
class Made:
    script: int

    def __call__(self):
        return Scripted([self.script])


def test_objects_that_make_bots_are_told_by_their_pickle():
    one, same, other = (source_of(Made(k)) for k in (1, 1, 2))
    assert one == same != other
    assert one.startswith("Made with SHA-256 ")
    assert source_of(partial(Scripted, Made(1))) == f"Scripted({one})"


def files(folder, **contents):
    for name, content in contents.items():
        path = folder / (name.replace("__", "/") + ".py")
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
    return digest_of_file(folder / "m.py")


def test_a_file_is_told_by_what_it_imports_beside_it(tmp_path):
    alone = files(tmp_path, m="import json, numpy", other="K = 1")
    assert "importing" not in alone
    assert files(tmp_path, other="K = 2") == alone
    first = files(tmp_path, m="def f():\n  from helper import K", helper="import pack.deep")
    assert "importing helper.py with" in first
    seen = {first, files(tmp_path, pack__init="", pack__deep="from . import side")}
    seen |= {files(tmp_path, pack__side="K = 1"), files(tmp_path, pack__side="K = 2")}
    last = files(tmp_path, helper="import pack.deep, m")
    assert "importing helper.py, pack/deep.py, pack/side.py with" in last
    assert len(seen | {last}) == 5
    assert files(tmp_path, other="K = 3") == last
