"""The public face is written down, so that every change of it is seen."""

import ast
import inspect
import pkgutil
import re
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import evalset

API = Path(__file__).parent / "public_api.txt"
MODULES = [
    module.name
    for module in pkgutil.walk_packages(evalset.__path__, "evalset.")
    if "._" not in module.name
]


def _module(name: str) -> ModuleType:
    return import_module(name)


def _defined(module: ModuleType) -> set[str]:
    """Give the public names that a module, or a private module below it, defines itself."""
    names: set[str] = set()
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names.update(target.id for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
        elif isinstance(node, ast.ImportFrom) and f"{node.module}".startswith(
            f"{module.__name__}._"
        ):
            names.update(alias.asname or alias.name for alias in node.names)
    return {name for name in names if not name.startswith("_")}


def _order(name: str) -> tuple[int, str]:
    """Sort as ruff does: constants, then classes, then the rest."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


@pytest.mark.parametrize("name", MODULES)
def test_a_module_lists_its_public_names_in_order(name: str) -> None:
    listed: list[str] = _module(name).__all__
    assert listed == sorted(listed, key=_order)
    assert set(listed) <= set(dir(_module(name)))
    # What one private module hands to its package is for the package to list or not.
    private = {n for n in _defined(_module(name)) if n not in listed and _is_private(name, n)}
    assert set(listed) == _defined(_module(name)) - private


def _is_private(module: str, name: str) -> bool:
    home = getattr(getattr(_module(module), name), "__module__", module)
    return f"{home}".startswith(f"{module}._")


def test_the_top_lists_its_public_names_in_order() -> None:
    assert evalset.__all__ == sorted(evalset.__all__, key=_order)
    assert len(evalset.__all__) == len(set(evalset.__all__))


def test_no_name_at_the_top_is_a_module_s() -> None:
    # `import evalset.name` would put the module in the name's place (PEP 562).
    modules = {module.name for module in pkgutil.iter_modules(evalset.__path__)}
    assert modules.isdisjoint(evalset.__all__)


@pytest.mark.parametrize("name", MODULES)
def test_everything_public_is_documented(name: str) -> None:
    module = _module(name)
    assert module.__doc__
    for public in module.__all__:
        value = getattr(module, public)
        if inspect.isclass(value) or inspect.isfunction(value):
            undocumented = [each for each in _documentable(public, value) if not each[1]]
            assert undocumented == []


def _documentable(name: str, value: Any) -> Iterator[tuple[str, str | None]]:  # noqa: ANN401
    yield name, value.__doc__
    for member, held in _members(value) if inspect.isclass(value) else ():
        inner = getattr(held, "__func__", held)  # of a class method
        if inspect.isfunction(inner) or isinstance(inner, property):
            yield f"{name}.{member}", inner.__doc__


def _members(value: type) -> list[tuple[str, Any]]:
    return sorted((name, held) for name, held in vars(value).items() if name[0] != "_")


def test_the_top_is_what_was_written_down() -> None:
    # `python tests/test_public_api.py` writes it anew.
    assert _api() == API.read_text(encoding="utf-8")


def _api() -> str:
    lines = (line for name in evalset.__all__ for line in _described(name, getattr(evalset, name)))
    return "".join(f"{line}\n" for line in lines)


def _described(name: str, value: Any) -> Iterator[str]:  # noqa: ANN401
    if not inspect.isclass(value):
        yield f"{name}{_signature(value)}"
        return
    if issubclass(value, Enum):
        yield f"class {name}"
        yield from (f"    {member.name} = {member.value!r}" for member in value)
        return
    yield f"class {name}{_signature(value)}"
    for member, held in _members(value):
        if hasattr(held, "__func__"):
            yield f"    {type(held).__name__} {member}{_signature(getattr(value, member))}"
        elif inspect.isfunction(held):
            yield f"    {member}{_signature(held)}"
        else:
            yield f"    {member}"


def _signature(value: Any) -> str:  # noqa: ANN401
    """Write a signature; a constructor's without types, which attrs makes of them what it likes."""
    if inspect.isclass(value) and value.__init__ is Exception.__init__:
        return "(*args)"
    signature = inspect.signature(value)
    if inspect.isclass(value):
        bare = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
        signature = signature.replace(parameters=bare, return_annotation=signature.empty)
    return re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(signature))


if __name__ == "__main__":
    API.write_text(_api(), encoding="utf-8")
