"""`python -m bench._measuring SUBJECT`: measures one subject, in a process of its own."""

import importlib
import sys


def measure(name: str) -> None:
    """Prints the subject and its rows."""
    print(f"\n{name}")
    rows = importlib.import_module(f"bench.{name}").run()
    width = max(len(what) for what, _ in rows)
    for what, figure in rows:
        print(f"  {what:<{width}}  {figure}", flush=True)


if __name__ == "__main__":
    measure(sys.argv[1])
