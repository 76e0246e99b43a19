"""Where the `mistigris` command begins; `--version` answers without loading anything else."""

import sys


def main() -> None:
    """Runs the command line and exits with its code."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from importlib.metadata import version

        print(f"mistigris {version('mistigris')}")
        return
    from cli.app import run
    from cli.streams import prepare

    prepare()
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
