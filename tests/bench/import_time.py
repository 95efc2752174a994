"""Prints what ``import hookviz`` takes beyond ``import torch``: the least of five fresh interpreters.

Run it with ``python -m tests.bench.import_time``; 0.2 s is the limit.
"""

import subprocess
import sys

REPEATS = 5
CODE = """
import time
import torch
start = time.perf_counter()
import hookviz
print(time.perf_counter() - start)
"""


def seconds() -> float:
    """Time of the import in a fresh interpreter that has loaded torch."""
    return float(subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True).stdout)


def main() -> None:
    """Measure and print."""
    # Whatever else the machine does only adds to it.
    sys.stdout.write(f"{min(seconds() for _ in range(REPEATS)):.3f} s\n")


if __name__ == "__main__":
    main()
