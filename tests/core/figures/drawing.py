"""Figures as tests look at them: drawn off screen by a renderer that knows the sizes of texts."""

import importlib
from functools import partial

import pytest

pytest.importorskip("matplotlib").use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


def drawer(module, name):
    """Return a function that calls the one named and returns axes a renderer has seen."""
    return partial(drawn, getattr(importlib.import_module(module), name))


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
