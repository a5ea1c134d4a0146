"""The game as it stands on the table: spaces, pieces, positions, moves, and the files that describe them."""
