"""The model and what hangs on it; the only part that registers or edits hooks of torch."""
