"""What came of a move: landing, rules, fates; the front doors `Twin` and `simulate_many`."""
