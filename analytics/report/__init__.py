"""Reports as one page each: an evening's, and a player's over his lifetime; they work offline and need no script."""
