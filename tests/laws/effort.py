"""How many examples a law takes."""

from hypothesis import settings

__all__ = ["few"]


def few(share: int, *, least: int = 10) -> settings:
    """Give the settings for a law of many cases: a share of the profile's examples for each."""
    most: int = settings().max_examples  # pyright: ignore[reportUnknownMemberType]
    return settings(max_examples=max(least, most // share))
