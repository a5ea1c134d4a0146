"""The atlas: every turn of the board, run once and kept as a table."""
