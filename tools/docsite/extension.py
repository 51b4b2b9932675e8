"""What rewrites docstrings while the API reference is made (an extension of griffe)."""

from typing import Any

import griffe

from tools.docsite.docstrings import cited, fenced


class MarkdownDocstrings(griffe.Extension):
    """Rewrites docstrings as they are loaded."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Rewrite the docstring of whatever has one."""
        del kwargs
        if obj.docstring:
            obj.docstring.value = cited(fenced(obj.docstring.value))
