"""Pictures of learning, drawn with matplotlib."""

import gametheory_core.figures as _canvas  # refuses where matplotlib is missing

__all__: list[str] = []
del _canvas
