"""Rules of which some answers are changed, to plant bugs."""


class Changed:
    """A game that answers as another does, but for what is given."""

    def __init__(self, game, **answers):
        self.__dict__.update(answers)
        self._game = game

    def __getattr__(self, name):
        if name == "_game":
            raise AttributeError(name)
        return getattr(self._game, name)
