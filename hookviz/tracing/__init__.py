"""Who fed whom in a run."""
