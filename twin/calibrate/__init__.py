"""Calibration: what evidence reveals about a machine's values, and which of them matter."""
