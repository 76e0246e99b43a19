"""One hand at the table: who has the say, betting, the draw, the show, pots and jack-pots."""
