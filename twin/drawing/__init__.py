"""Every picture of the board: one palette, one set of drawings."""
