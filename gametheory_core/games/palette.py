"""Colours of players and of chance, the same in all pictures."""

# Okabe and Ito's palette: told apart with any colour vision, and in grey. Players in turn.
PLAYER_COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
LIGHT = (3, 4, 5)  # positions of those too light for white letters
CHANCE_COLOR = "#5F6368"
INK = "#202124"
FAINT = "#9AA0A6"


def color_of(player: int) -> str:
    """Return the colour of a player; chance (-1) is grey."""
    return CHANCE_COLOR if player < 0 else PLAYER_COLORS[player % len(PLAYER_COLORS)]


def color_on(player: int) -> str:
    """Return a colour that can be read on top of a player's: white, or ink on the light ones."""
    return INK if player >= 0 and player % len(PLAYER_COLORS) in LIGHT else "white"
