"""Figures as tests look at them: drawn off screen by a renderer that knows the sizes of texts."""

import importlib
from functools import partial

import pytest

pytest.importorskip("matplotlib").use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


def drawer(name):
    """Return a function that calls ``draw_<name>`` and returns axes a renderer has seen."""
    module = importlib.import_module(f"gametheory_core.figures.{name}")
    return partial(drawn, getattr(module, f"draw_{name}"))


def drawn(draw, *arguments, **options):
    axes = draw(*arguments, **options)
    axes.figure.canvas.draw()
    plt.close(axes.figure)
    return axes


def require_apart(items):
    """Require that no two of some texts or patches overlap; return the boxes around them."""
    boxes = [item.get_window_extent() for item in items]
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])
    return boxes
