"""Few positions of many: every n-th, or those of one page."""


def step_of(size: int, most: int) -> int:
    """Every how many-th of ``size`` leaves at most so many."""
    return -(-size // most)


def page_of(size: int, position: int, most: int) -> tuple[int, int]:
    """The page of at most so many positions that this one is on: where it begins and ends."""
    begin = position - position % most
    return begin, min(size, begin + most)
