"""Stackelberg learning: leaders who learn against followers that respond to what they answer."""
