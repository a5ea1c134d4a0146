"""From measurements to machines: likelihood, posterior, and what remains unexplained."""
