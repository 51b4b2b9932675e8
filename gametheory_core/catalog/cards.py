"""Names of the cards of a deck."""

FACES = "23456789TJQKA"


def faces(count: int) -> tuple[str, ...]:
    """Return names of ``count`` ranks, lowest first: those up to the king, or numbers if more.

    >>> faces(3), faces(14)[-2:]
    (('J', 'Q', 'K'), ('13', '14'))
    """
    top = FACES.index("K") + 1
    if count > top:
        return tuple(str(rank + 1) for rank in range(count))
    return tuple(FACES[top - count : top])
