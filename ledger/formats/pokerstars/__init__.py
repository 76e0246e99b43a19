"""Hand histories of five-card draw as PokerStars writes them.

`reader` makes plain values of a file's text, `asking` turns a hand into commands, `printed` holds the hand as our own
rules judged it to every sum the file prints.
"""
