"""Run the combinations of a file, one JSON object on each line, and leave a record of each."""

import json
import sys
from pathlib import Path
from typing import Any


def run(combination: dict[str, Any]) -> float:
    """Stand in for your own harness, which gives a score from 0 to 1."""
    repeat: int = combination["repeat"]
    return 0.5 + repeat / 10


def main(todo: str, results: str) -> None:
    """Run what is to do; a record is written as soon as its run has ended."""
    with Path(results).open("w", encoding="utf-8") as file:
        # Not splitlines(): a key may hold what it takes for the end of a line.
        for line in Path(todo).read_text(encoding="utf-8").split("\n"):
            if line:
                combination = json.loads(line)
                record = {**combination, "outcome": "done", "score": run(combination)}
                print(json.dumps(record), file=file, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
