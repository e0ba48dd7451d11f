"""`python -m evalset` is the command `evalset`."""

from evalset.cli import entry

if __name__ == "__main__":
    entry()
