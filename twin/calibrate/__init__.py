"""Calibration: what evidence says about a machine's values, and which of them matter."""
