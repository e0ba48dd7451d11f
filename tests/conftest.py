"""Hypothesis profiles: `quick` and `ci` for every change, `dev` while working, `deep` at times."""

import os

import pytest
from hypothesis import HealthCheck, settings

# A deadline measures the machine. Printing the blob makes a failure of another machine's
# run repeatable; what is slow to generate is slow everywhere, and known.
_COMMON = settings(deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", _COMMON, max_examples=15, derandomize=True)
settings.register_profile("dev", _COMMON, max_examples=25)
settings.register_profile("ci", _COMMON, max_examples=200, derandomize=True)
settings.register_profile("deep", _COMMON, max_examples=5000)

_DEFAULT = "ci" if os.environ.get("CI") == "true" else "dev"
settings.load_profile(os.environ.get("EVALSET_HYPOTHESIS_PROFILE", _DEFAULT))


@pytest.fixture(autouse=True)
def _no_hints_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away what tells the command where it runs, and so how to write findings."""
    for name in ("FORCE_COLOR", "GITHUB_ACTIONS", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
