"""The notebook's side: magics, and what is put on display."""
