"""Playing the game with people and bots at one table: what they type, what they are told, and what is kept."""
