"""What moves the ghosts: laws, hands and schedules, the reference engine and the batch kernel."""
