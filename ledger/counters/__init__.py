"""The bank's room: counters sold, held, in the pool and the kitty; money; limits; settlement."""
