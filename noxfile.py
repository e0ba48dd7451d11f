"""Everything that must hold before a change lands: `nox`, or one session with `nox -s NAME`."""

import shutil
import tarfile
import zipfile
from pathlib import Path

import nox
from packaging.requirements import Requirement

PYPROJECT = nox.project.load_toml("pyproject.toml")
ROOT = Path(__file__).parent

# The README's test command runs the properties at length; these sessions look at the same
# tests on other Pythons and dependencies, for which fewer examples do.
QUICK = {"EVALSET_HYPOTHESIS_PROFILE": "quick"}

# The directories of integration/ that need the dependency group `hosts`.
HOSTS = (
    "integration/github_actions",
    "integration/notebook",
    "integration/pydantic_fields",
    "integration/pytest_matrix",
    "integration/service",
    "integration/sweep_on_dask",
)

nox.needs_version = ">=2025.2"
nox.options.default_venv_backend = "virtualenv"
nox.options.sessions = [
    "lint",
    "types",
    "docs",
    "tests",
    "lowest",
    "wheel",
    "coverage",
    "editors",
    "http",
    "hosts",
    "browser",
    "fuzz",
    "differential",
]


@nox.session(python=["3.11", "3.12", "3.13"])
def tests(session: nox.Session) -> None:
    """Run the tests on every supported Python."""
    session.install(".[test]")
    session.run("python", "-m", "pytest", *session.posargs, env=QUICK)


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, formatting, spelling and the directions of imports."""
    session.install(".[test]", *_group("lint"))
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("codespell")
    session.run("lint-imports")


@nox.session
def types(session: nox.Session) -> None:
    """Check the types of the source and the tests, and that the wheel exports all of its own."""
    hosts = (*_group("editors"), *_group("http"), *_group("hosts"))
    session.install(".[test]", *_group("types"), *hosts)
    session.run("mypy")
    session.run("pyright")
    # Away from the root, where pyright would find src/ before the installed wheel.
    session.chdir(session.create_tmp())
    session.run("pyright", "--ignoreexternal", "--verifytypes", "evalset")


@nox.session
def coverage(session: nox.Session) -> None:
    """Require that the tests, with the processes they start, take every branch."""
    session.install(".[test]", *_group("coverage"), *_group("pydantic"))
    session.run("coverage", "erase")
    pytest = ("coverage", "run", "-m", "pytest")
    session.run(*pytest, *session.posargs, env=QUICK)
    # pydantic is no dependency, so tests/ does without it.
    session.run(*pytest, "integration/pydantic_fields", env=QUICK)
    session.run("coverage", "combine", "--quiet")
    session.run("coverage", "report")


@nox.session
def wheel(session: nox.Session) -> None:
    """Build both distributions, then test the wheel beside the sdist's tests, without src/."""
    session.install(*_group("wheel"))
    work = Path(session.create_tmp()).resolve()
    shutil.rmtree(work / "dist", ignore_errors=True)
    shutil.rmtree(work / "sdist", ignore_errors=True)
    session.run("python", "-m", "build", "--outdir", str(work / "dist"))
    [built] = (work / "dist").glob("*.whl")
    [source] = (work / "dist").glob("*.tar.gz")
    session.run("twine", "check", "--strict", str(built), str(source))
    _check_contents(session, built)

    with tarfile.open(source) as archive:
        archive.extractall(work / "sdist", filter="data")
    [unpacked] = (work / "sdist").iterdir()
    # From other folders, at another time: the same bytes.
    shutil.rmtree(work / "again", ignore_errors=True)
    session.run("python", "-m", "build", "--outdir", str(work / "again"), str(unpacked))
    for first in (built, source):
        if first.read_bytes() != (work / "again" / first.name).read_bytes():
            session.error(f"{first.name} has other bytes when it is built again")
    shutil.rmtree(unpacked / "src")
    session.install("--force-reinstall", "--no-deps", str(built))
    session.install(f"{built}[test]")
    session.chdir(unpacked)
    session.run("python", "-m", "pytest", *session.posargs, env=QUICK)


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation; a warning or a broken reference is an error."""
    session.install(".[testing]", *_group("docs"))
    session.run("sphinx-build", "-n", "-W", "--keep-going", "-E", "docs", "docs/_build/html")


@nox.session
def editors(session: nox.Session) -> None:
    """Ask the editors' real servers and other validators; needs Node.js 20 or newer."""
    session.install(".[test]", *_group("editors"))
    with session.chdir("integration/editors"):
        session.run("npm", "ci", "--no-progress", external=True)
    session.run("python", "-m", "pytest", "integration/editors", *session.posargs)


@nox.session
def http(session: nox.Session) -> None:
    """Hold the host of examples/http_host to the contract, against a real server on loopback."""
    session.install(".[test]", *_group("http"))
    session.run("python", "-m", "pytest", "integration/http_host", *session.posargs)


@nox.session
def hosts(session: nox.Session) -> None:
    """Run the examples in the real programs that they are for."""
    session.install(".[test]", *_group("hosts"), *_group("schemathesis"))
    session.run("python", "-m", "pytest", *HOSTS, *session.posargs)


@nox.session
def browser(session: nox.Session) -> None:
    """Show the pictures for notebooks in Chromium; where it is missing, Debian's is installed."""
    session.install(".[test]")
    if shutil.which("chromium") is None:
        packages = ("chromium", "fonts-dejavu-core")
        session.run("apt-get", "update", "--quiet", external=True)
        session.run("apt-get", "install", "--yes", "--quiet", *packages, external=True)
    session.run("python", "-m", "pytest", "integration/browser", *session.posargs)


@nox.session(python="3.11")
def lowest(session: nox.Session) -> None:
    """Run the tests with the lowest dependencies that pyproject.toml allows."""
    session.install(".[test]", *_lowest(PYPROJECT["project"]["dependencies"]))
    session.run("python", "-m", "pytest", *session.posargs, env=QUICK)


@nox.session(python="3.11")
def fuzz(session: nox.Session) -> None:
    """Fuzz every target for a few seconds, a minute in all; `nox -s fuzz -- 600` for longer."""
    session.install(".[test]", *_group("fuzz"))
    seconds = session.posargs[0] if session.posargs else "8"
    found = Path(session.create_tmp()).resolve()
    for target in ("text", "bytes", "json", "subset", "edits", "fixes", "selectors", "records"):
        command = ("python", "fuzz/run.py", target, "--seconds", seconds)
        session.run(*command, "--corpus", str(found / target))


@nox.session(python="3.11")
def mutation(session: nox.Session) -> None:
    """Change the source and see whether its tests notice, module by module (an hour)."""
    session.install(*PYPROJECT["project"]["dependencies"], *_extra("test"), *_group("mutation"))
    into = session.create_tmp()
    session.run("python", "tools/mutation.py", *session.posargs, "--into", into)


@nox.session
def differential(session: nox.Session) -> None:
    """Hold the short way into YAML against the long one, and evalset against its peers."""
    session.install(".[test]", *_group("bench"))
    session.run("python", "fuzz/yaml_subset.py", *session.posargs)
    session.run("python", "-m", "pytest", "benchmarks")


@nox.session
def bench(session: nox.Session) -> None:
    """Measure speed and memory beside the peers, and write benchmarks/RESULTS.md (minutes)."""
    session.install(".[test]", *_group("bench"))
    session.run("python", "-m", "pytest", "benchmarks")
    session.run("python", "-m", "benchmarks.run", *session.posargs)


def _check_contents(session: nox.Session, built: Path) -> None:
    """Require that the wheel holds the package as it is, its licence, and nothing else."""
    with zipfile.ZipFile(built) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        told = {name.partition("/")[2] for name in archive.namelist() if ".dist-info/" in name}
    sources = {
        path.relative_to(ROOT / "src").as_posix()
        for path in (ROOT / "src" / "evalset").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    if names != sources:
        session.error(f"the wheel differs from src/: {sorted(names ^ sources)}")
    if told != {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"}:
        session.error(f"the wheel tells of itself: {sorted(told)}")


def _group(name: str) -> tuple[str, ...]:
    """Return the pinned tools of one dependency group."""
    return nox.project.dependency_groups(PYPROJECT, name)


def _extra(name: str) -> list[str]:
    """Return what an extra needs, without the package itself."""
    extras: dict[str, list[str]] = PYPROJECT["project"]["optional-dependencies"]
    return extras[name]


def _lowest(requirements: list[str]) -> list[str]:
    """Turn each `name>=version` into `name==version`."""
    pins: list[str] = []
    for requirement in map(Requirement, requirements):
        [bound] = (s.version for s in requirement.specifier if s.operator == ">=")
        pins.append(f"{requirement.name}=={bound}")
    return pins
