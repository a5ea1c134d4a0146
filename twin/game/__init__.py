"""The whole game, played on the twin: cards, turns, searches and the end, every rule by its number."""
