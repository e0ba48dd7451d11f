"""The commands of the shell that work with expansions, one module for each."""

__all__: list[str] = []
