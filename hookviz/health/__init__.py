"""What looks wrong in the runs of a model, each with its reason and its numbers."""
