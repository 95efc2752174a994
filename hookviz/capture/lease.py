"""Stands for the memory that the tensors of a run lie in, as long as the run has them."""


class Lease:
    """Held by a run alone; when it goes, the memory may be used again."""

    __slots__ = ("__weakref__",)
