"""The hunt for extreme positions."""
