"""What is installed with the package: few things, each under a licence that asks for little."""

import re
from importlib import metadata

from packaging.requirements import Requirement

# Everything that `pip install evalset` may bring, with any version that is allowed.
KNOWN = {
    "attrs": "MIT",
    "cattrs": "MIT",
    "jsonschema": "MIT",
    "jsonschema-specifications": "MIT",
    "referencing": "MIT",
    "rpds-py": "MIT",
    "ruamel-yaml": "MIT",
    "ruamel-yaml-clib": "MIT",
    "typing-extensions": "PSF",
}


def closure(name: str) -> set[str]:
    """Give what a distribution needs at run time, without extras, on this Python."""
    needed: set[str] = set()
    waiting = [name]
    while waiting:
        for text in metadata.requires(waiting.pop()) or []:
            requirement = Requirement(text)
            other = re.sub(r"[-_.]+", "-", requirement.name).lower()
            if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
                continue
            if other not in needed:
                needed.add(other)
                waiting.append(requirement.name)
    return needed


def licence(name: str) -> str:
    """Give all that a distribution says of its licence."""
    told = metadata.metadata(name)
    fields = ("License-Expression", "License", "Classifier")
    return " ".join(str(each) for field in fields for each in told.get_all(field) or [])


def test_nothing_but_what_is_known_is_needed() -> None:
    assert closure("evalset") - set(KNOWN) == set()
    assert closure("evalset") >= {"attrs", "cattrs", "jsonschema", "ruamel-yaml"}


def test_every_licence_is_what_it_was_taken_for() -> None:
    wrong = {
        name: told
        for name in closure("evalset")
        if KNOWN[name] not in (told := licence(name)) and "Python Software" not in told
    }
    assert wrong == {}
