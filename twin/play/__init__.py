"""Playing the game with people and bots at one table: what they type, what they read, and what is kept."""
