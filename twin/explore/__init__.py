"""Exploring: sweeps over many positions, and what can be asked of them."""
