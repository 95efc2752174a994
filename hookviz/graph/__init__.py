"""The picture's structure and its values, without drawing."""
