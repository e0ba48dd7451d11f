"""Every public function, constructor, method and property, and arguments for each of them.

What is public is found by looking, so a function that is added is tried without another word.
Its arguments come from the annotations of its parameters; where there is no strategy for one,
the test fails and says which.
"""

import asyncio
import builtins
import inspect
import io
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import attrs
from hypothesis import strategies as st
from tests.laws.spoiling import mutated_texts, odd_values, spoiled_data

import evalset
from evalset import editing
from evalset.comparing import Change
from evalset.costing import Part
from evalset.editing import Limit
from evalset.fixing import Fixed
from evalset.inquiry import Failed
from evalset.keys import KeyBy
from evalset.nodes import OddNumber
from evalset.pricing import Price, Range
from evalset.records import Outcome, RecordFormat
from evalset.resolution import Failure, Resolved
from evalset.schemas import SchemaName
from evalset.sharding import ShardBy
from evalset.sources import Format, Source
from evalset.testing import broken_manifests, documents, expansions, manifests, texts
from evalset.testing.hosts import TROUBLES

__all__ = ["Surface", "arguments", "surfaces"]

# What stands behind the rest: its arguments are trees, findings and axes that only our own code
# makes, so that whatever reaches it comes through the other modules.
_INNER = {
    "checks", "collisions", "document", "explaining", "inquiry", "parts", "pictures", "places",
    "rules", "selecting", "sources", "tree", "unresolved",
}  # fmt: skip
# What a caller never builds, and what has no behaviour of its own.
_NOT_BUILT = {
    "expansion.Expansion", "expansion.Repeats", "matching.Names", "schemas.SchemaError",
}  # fmt: skip
# For our own modules, too: what they hand to these is what they were handed, already checked.
_HANDED_ON = {
    "manifest.build", "manifest.build_from_data", "manifest.picture_of", "manifest.place_in",
    "manifest.with_source", "resolution.put_ids", "matching.match_agent", "matching.match_pack",
    "sharding.deal", "sharding.draw", "schemas.schema_errors", "keys.fingerprints",
}  # fmt: skip
_RAISES = re.compile(
    r"^ +Raises:\n(?P<all>(?: +.*\n|\n)+?)(?=\n? +[A-Z][a-z]+:\n|\Z)", re.MULTILINE
)
_RAISED = re.compile(r"^ +(\w+):", re.MULTILINE)


@attrs.frozen(kw_only=True, repr=False)
class Surface:
    """One thing that a caller can do.

    Attributes:
        name: `module.function`, or `module.Class.member`.
        call: The function; of a member the object comes first.
        parameters: The parameters, by name.
        owner: The class whose object comes first.
        raises: What may come of it for any content: what it says it raises, refusals,
            what the operating system says, and what tells of misuse.
    """

    name: str
    call: Callable[..., Any]
    parameters: dict[str, inspect.Parameter]
    owner: str | None
    raises: tuple[type[Exception], ...]

    def __repr__(self) -> str:
        return self.name

    @property
    def is_function(self) -> bool:
        """Whether it is a function that stands at the top of the package."""
        return (
            not self.owner
            and inspect.isfunction(self.call)
            and self.name.rpartition(".")[2] in evalset.__all__
        )

    def __call__(self, positional: list[Any], named: dict[str, Any]) -> object:
        """Call it, wait for what is awaited, and look at all that comes of it."""
        result = self.call(*positional, **named)
        if inspect.iscoroutine(result):
            result = asyncio.run(result)
        if inspect.isgenerator(result):
            result = list(result)
        return repr(result)


def surfaces() -> Iterator[Surface]:
    """Give all that is public, module by module."""
    homes = set(dir(evalset)) - set(evalset.__all__) - {"__version__"} - _INNER
    for home in sorted(homes):
        module = import_module(f"evalset.{home}")
        for name in module.__all__:
            value, path = getattr(module, name), f"{home}.{name}"
            if inspect.isfunction(value) and path not in _HANDED_ON:
                yield _surface(path, value)
            elif inspect.isclass(value) and _has_behaviour(value):
                yield from _of_class(path, value)


def _has_behaviour(value: Any) -> bool:  # noqa: ANN401
    is_generic = not isinstance(value, type) or bool(get_args(value))
    is_protocol = getattr(value, "_is_protocol", False)
    return not is_generic and not is_protocol and not issubclass(value, (str, dict))


def _of_class(path: str, owner: type) -> Iterator[Surface]:
    if path not in _NOT_BUILT and owner is not evalset.EvalsetError:
        yield _surface(path, owner)
    for name, held in sorted(vars(owner).items()):
        if name.startswith("_") or path in _NOT_BUILT - {"expansion.Expansion"}:
            continue
        if isinstance(held, classmethod):
            yield _surface(f"{path}.{name}", getattr(owner, name))
        elif isinstance(held, property):
            yield _surface(f"{path}.{name}", held.fget, owner)
        elif inspect.isfunction(held):
            yield _surface(f"{path}.{name}", held, owner)


def _surface(name: str, call: Any, owner: type | None = None) -> Surface:  # noqa: ANN401
    parameters = dict(inspect.signature(call).parameters)
    if owner:
        del parameters[next(iter(parameters))]
    usual = (evalset.EvalsetError, OSError, TypeError, ValueError)
    raises: tuple[type[Exception], ...] = (*usual, *_documented(call))
    is_of = owner.__name__ if owner else None
    return Surface(name=name, call=call, parameters=parameters, owner=is_of, raises=raises)


def _documented(call: object) -> Iterator[type[Exception]]:
    told = _RAISES.search(inspect.cleandoc(call.__doc__ or "").replace("\n", "\n    ") + "\n")
    for name in _RAISED.findall(told["all"]) if told else ():
        found: object = getattr(builtins, name, None)
        if isinstance(found, type) and issubclass(found, Exception):
            yield found


@st.composite
def arguments(draw: st.DrawFn, surface: Surface) -> tuple[list[Any], dict[str, Any]]:
    """Give arguments as the annotations promise them, whatever they hold."""
    positional: list[Any] = [draw(_for(surface.owner, surface.name))] if surface.owner else []
    named: dict[str, Any] = {}
    for name, parameter in surface.parameters.items():
        is_optional = parameter.default is not parameter.empty
        if is_optional and draw(st.booleans()) and parameter.kind is not parameter.POSITIONAL_ONLY:
            continue
        where = f"{surface.name}.{name}"
        value = draw(_strategy(where, name, str(parameter.annotation)))
        if parameter.kind is parameter.VAR_POSITIONAL:
            positional.extend(value)
        elif parameter.kind is parameter.VAR_KEYWORD:
            named.update(value)
        elif parameter.kind is parameter.KEYWORD_ONLY:
            named[name] = value
        else:
            positional.append(value)
    return positional, named


def _strategy(where: str, name: str, annotation: str) -> st.SearchStrategy[Any]:
    for key in (where, name):
        if key in _BY_NAME:
            return _BY_NAME[key]
    return _for(annotation, where)


def _for(annotation: str, where: str) -> st.SearchStrategy[Any]:
    if annotation in _BY_ANNOTATION:
        return _BY_ANNOTATION[annotation]
    if annotation.endswith(" | None"):
        return st.none() | _for(annotation.removesuffix(" | None"), where)
    if inner := re.fullmatch(r"(?:Sequence|Iterable|Collection)\[(.+)\]", annotation):
        return st.lists(_for(inner[1], where), max_size=4)
    if inner := re.fullmatch(r"tuple\[([\w. |]+), \.\.\.\]", annotation):
        return st.lists(_for(inner[1], where), max_size=4).map(tuple)
    if inner := re.fullmatch(r"Mapping\[str, (\w+)\]", annotation):
        return st.dictionaries(_TEXT, _for(inner[1], where), max_size=3)
    raise LookupError(f"tests/laws/surfaces.py has no strategy for {annotation!r} of {where}")


def _literal(alias: object) -> st.SearchStrategy[Any]:
    """Give the values of a `Literal`, and now and then another text."""
    return st.sampled_from([*get_args(alias), "", "Yaml"])


_NASTY = st.sampled_from([
    "", " ", "\x00", "\ud800", "\u2028", "\ufeff", "\ufffe", "../..", "/", "~", "~0", "a/~2", "-",
    "=1+1", "\x1b[31m", "\u202e", "<script>", "::error::", "%0A", "`", "|", "[", "[]", "[!",
    "*" * 30,
    "a" * 5000, "9" * 5000, "1e999", "c" + "a" * 25, "c" + "7" * 25, "catalog/", "a@v" + "9" * 5000,
    "{", "[" * 3000, '{"a":' * 2000, "urn:uuid:", "11111111-1111-1111-1111-111111111111",
    "--- !a", "\r", "\r\n", "\t", "\u3000", "\U0010ffff", "e\u0301",
])  # fmt: skip
_TEXT = _NASTY | texts() | st.text(st.characters(), max_size=20)
_INTEGER = st.integers(-3, 12) | st.sampled_from([-(10**30), 10**30, 2**63, 10**5000, 2000, 2001])
_FLOAT = st.floats() | st.integers(-2, 9) | st.sampled_from([10**400, -0.0])
_DOCUMENT = (
    documents().map(lambda each: each.text)
    | broken_manifests().map(lambda each: each.text)
    | mutated_texts()
    | _TEXT
)
_MANIFEST = documents().map(lambda each: each.text) | mutated_texts() | _TEXT
_DATA = spoiled_data() | st.dictionaries(_TEXT, odd_values(), max_size=4)
_RANGE: st.SearchStrategy[Range] = st.lists(st.floats(0, 1e308), min_size=3, max_size=3).map(
    lambda numbers: Range(*sorted(numbers))
)
_PRICE = st.builds(Price, _RANGE, _RANGE)
_PRICES = st.builds(
    evalset.TokenPrices,
    models=st.dictionaries(texts() | st.just("*"), _PRICE, max_size=3),
    agents=st.dictionaries(texts(), texts(), max_size=2),
    pack_cases=st.dictionaries(texts(), _RANGE, max_size=2),
)
_PACK_REF = texts(padded=False).map(evalset.PackRef.parse)
_RECORD = st.builds(
    evalset.Record,
    _TEXT.filter(bool),
    outcome=st.sampled_from(get_args(Outcome)),
    fingerprint=_TEXT,
)
_SPAN = st.builds(
    evalset.Span, path=_TEXT, line=_INTEGER, column=_INTEGER, end_line=_INTEGER,
    end_column=_INTEGER, offset=_INTEGER, end_offset=_INTEGER,
)  # fmt: skip
_RELATED = st.builds(evalset.Related, message=_TEXT, pointer=_TEXT, span=st.none() | _SPAN)
_DIAGNOSTIC = st.builds(
    evalset.Diagnostic,
    code=st.sampled_from(["blank-text", "zero-budget", "more-findings"]),
    message=_TEXT,
    pointer=_TEXT,
    span=st.none() | _SPAN,
    related=st.lists(_RELATED, max_size=2).map(tuple),
    hint=st.none() | _TEXT,
)
_FIX = st.builds(evalset.Fix, title=_TEXT, span=_SPAN, text=_TEXT, is_safe=st.booleans())
_ERROR = _DIAGNOSTIC.map(
    lambda each: attrs.evolve(each, code="blank-text", severity=evalset.Severity.ERROR)
)
_ID = st.sampled_from(["p1", "p2", "11111111-1111-1111-1111-111111111111"])
_LISTED_PACK = st.builds(
    evalset.ListedPack, _ID, slug=texts(padded=False), version=st.none() | st.integers(1, 3)
)
_LISTED_AGENT = st.builds(evalset.ListedAgent, _ID, name=texts(padded=False))
_AGENT = st.builds(evalset.Agent, texts(), label=st.none() | texts())
_GROUP = st.builds(evalset.Group, texts(), agent=_AGENT, model=st.none() | texts())
_ANSWER = (
    _ID.map(evalset.hosts.Found)
    | st.just(evalset.hosts.NotFound())
    | st.just(evalset.hosts.Ambiguous(["a", "b"]))
    | st.sampled_from([None, 7, *TROUBLES.values(), ArithmeticError("odd")])
)
_OUTCOME = st.sampled_from([evalset.hosts.NotFound(), evalset.hosts.Ambiguous(["a", "b"])])
_EXCEPTION = st.sampled_from([*TROUBLES.values(), ArithmeticError("\x1b[31m"), KeyError("\ud800")])
_RESOLVED = st.builds(
    Resolved, texts(), id=st.none() | texts(), how=st.sampled_from(["id", "name", "slug"])
)
_LIMITS = st.builds(
    evalset.ReadLimits, size=st.integers(1, 3000), yaml_size=st.integers(1, 3000),
    depth=st.integers(1, 64), nodes=st.integers(1, 200),
)  # fmt: skip


class _Host:
    """Answers whatever a test drew, in turn."""

    def __init__(self, answers: list[Any]) -> None:
        self._answers = answers

    def find_pack(self, ref: object, /) -> Any:  # noqa: ANN401
        return self._next(ref)

    def find_agent(self, name: object, /) -> Any:  # noqa: ANN401
        return self._next(name)

    def instantiate(self, slug: object, /) -> Any:  # noqa: ANN401
        return self._next(slug)

    def _next(self, subject: object) -> Any:  # noqa: ANN401
        answer = self._answers[len(str(subject)) % len(self._answers)]
        if isinstance(answer, Exception):
            raise answer
        return answer


_HOST = st.lists(_ANSWER, min_size=1, max_size=4).map(_Host)


@st.composite
def _resolutions(draw: st.DrawFn) -> evalset.Resolution:
    manifest = draw(manifests())
    workspace = evalset.StaticWorkspace(
        packs=[evalset.ListedPack(f"p{at}", slug=ref) for at, ref in enumerate(manifest.packs)],
        agents=[
            evalset.ListedAgent(f"a{at}", name=each.deployment)
            for at, each in enumerate(manifest.agents)
        ],
    )
    try:
        return evalset.resolve(manifest, workspace)
    except evalset.ResolutionError:
        return evalset.Resolution(manifest=manifest, packs=(), agents=())


@st.composite
def _files(draw: st.DrawFn) -> str:
    """Give the path of a file of any content, of a folder, or of nothing."""
    name = draw(st.sampled_from(["a.yaml", "a.json", "a.csv", "a.jsonl", "a", ".", "nothing"]))
    content = draw(_DOCUMENT | st.binary(max_size=40))
    if name not in {".", "nothing"}:
        raw = content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
        Path(name).write_bytes(raw)
    return name


def _opened(content: str | bytes) -> io.StringIO | io.BytesIO:
    return io.StringIO(content) if isinstance(content, str) else io.BytesIO(content)


_BY_NAME: dict[str, st.SearchStrategy[Any]] = {
    # Sizes of what is written: an absurd one is a caller's own wish.
    "width": st.integers(-1, 200),
    "indent": st.none() | st.integers(0, 8),
    "shards": st.integers(-1, 40),
    "numbers": st.lists(st.integers(0, 5), max_size=3),
    "args": st.just(()),
    "at": st.just("") | st.sampled_from(["/a", "/packs/0", "", "a", "/~2"]) | _TEXT,
    "pointer": _TEXT,
    "changes": st.fixed_dictionaries(
        {}, optional={"name": _TEXT, "packs": st.lists(_TEXT), "repeats": _FLOAT, "odd": _TEXT}
    ),
    "ListNode.items": st.just(()),
    # A text that is edited is mostly one that can be.
    **{
        f"editing.{name}.text": documents().map(lambda each: each.text) | _DOCUMENT
        for name in editing.__all__
    },
    "fixing.fix.text": _DOCUMENT,
    "exception": _EXCEPTION,
    "error": _EXCEPTION,
    "severity": st.sampled_from(evalset.Severity),
    "outcome": st.sampled_from([*get_args(Outcome), "", "Done"]),
    **{f"editing.{name}.text": _MANIFEST for name in editing.__all__},
    "pinning.pin.text": _MANIFEST,
    "resolution.Failure.outcome": st.none() | _OUTCOME,
    "reports.write_diff.difference": st.builds(evalset.diff, expansions(), expansions()),
    "costing.Estimate.total": st.builds(Part, name=_TEXT, count=_INTEGER, usd=_RANGE,
                                        unknown=_INTEGER),
}  # fmt: skip
_BY_ANNOTATION: dict[str, st.SearchStrategy[Any]] = {
    "str": _TEXT,
    "_Text": _TEXT,
    "MatrixKey": _TEXT,
    "MatrixKey | str": _TEXT,
    "str | bytes": _DOCUMENT | st.binary(max_size=60),
    "int": _INTEGER,
    "int | float": _FLOAT,
    "float": _FLOAT,
    "bool": st.booleans(),
    "object": odd_values() | _DATA,
    "Any": odd_values(),
    "Mapping[str, Any]": _DATA,
    "Path": st.lists(_TEXT | st.integers(0, 3), max_size=4).map(tuple),
    "Strategy": st.sampled_from(["auto", "explicit", "Auto"]),
    "str | os.PathLike[str]": _files(),
    "_PathOrFile": _files() | (_DOCUMENT | st.binary(max_size=40)).map(_opened),
    "Format": _literal(Format),
    "KeyBy": _literal(KeyBy),
    "RecordFormat": _literal(RecordFormat),
    "SchemaName": _literal(SchemaName),
    "ShardBy": _literal(ShardBy),
    "Unknown": st.sampled_from(["error", "keep", "Keep"]),
    "Limit": _literal(Limit),
    "str | int": _TEXT | _INTEGER,
    "Unpack[Reading]": st.fixed_dictionaries(
        {},
        optional={
            "format": st.none() | _literal(Format),
            "name": _TEXT,
            "at": st.sampled_from(["", "/agents", "/0", "agents"]),
            "unknown": st.sampled_from(["error", "keep"]),
            "limits": _LIMITS,
        },
    ),
    "Asking": st.sampled_from(["find_pack", "find_agent", "instantiate"]),
    "How": st.sampled_from(["id", "name"]),
    "Literal['id', 'catalog', 'slug']": st.sampled_from(["id", "catalog", "slug"]),
    "Wanted": _TEXT | st.lists(_TEXT, max_size=3),
    "WantedRepeats": _INTEGER
    | st.lists(_INTEGER, max_size=3)
    | st.builds(range, _INTEGER, _INTEGER),
    "Iterable[Record | str]": st.lists(_TEXT | _RECORD, max_size=5),
    "Agent": _AGENT,
    "Ambiguous": st.just(evalset.hosts.Ambiguous(["a", "b"])),
    "AsyncCatalog": _HOST,
    "AsyncIterable[ListedAgent] | Iterable[ListedAgent]": st.lists(_LISTED_AGENT, max_size=3),
    "AsyncIterable[ListedPack] | Iterable[ListedPack]": st.lists(_LISTED_PACK, max_size=3),
    "AsyncListing": st.builds(
        evalset.AsyncListing, packs=st.lists(_LISTED_PACK, max_size=3),
        agents=st.lists(_LISTED_AGENT, max_size=3),
    ),
    "AsyncWorkspace": _HOST,
    "BaseException": _EXCEPTION,
    "Catalog": _HOST,
    "Change": st.builds(Change, _TEXT, _TEXT),
    "CheckResult": _DOCUMENT.map(evalset.check_text),
    "Check": st.just(evalset.check_text),
    "Code": st.builds(evalset.Code, name=_TEXT, severity=st.sampled_from(evalset.Severity),
                      summary=_TEXT),
    "Combination": expansions().flatmap(st.sampled_from),
    "CostModel": _PRICES,
    "Diagnostic": _DIAGNOSTIC,
    "Difference": st.builds(evalset.diff, expansions(), expansions()),
    "Estimate": st.builds(evalset.estimate, expansions(), _PRICES),
    "EvalsetError": _TEXT.map(evalset.EvalsetError),
    "Exception": _EXCEPTION,
    "Expansion": expansions(),
    "Extensions": manifests().map(lambda manifest: manifest.extensions),
    "Failed": st.builds(Failed, _EXCEPTION),
    "Failure": st.builds(Failure, texts(), asking=st.just("find_pack"), outcome=_OUTCOME)
    | st.builds(Failure, texts(), asking=st.just("find_agent"), exception=_EXCEPTION),
    "Fix": _FIX,
    "Fixed": st.builds(
        Fixed, text=_TEXT, fixed=st.just(()), result=_DOCUMENT.map(evalset.check_text)
    ),
    "Found": texts().map(evalset.hosts.Found),
    "Group": _GROUP,
    "Iterable[Diagnostic]": st.lists(_ERROR, max_size=3),
    "Limits": st.just(evalset.Limits(budget_usd=5)),
    "ListedAgent": _LISTED_AGENT,
    "ListedPack": _LISTED_PACK,
    "Listing": st.builds(
        evalset.Listing, packs=st.lists(_LISTED_PACK, max_size=3),
        agents=st.lists(_LISTED_AGENT, max_size=3),
    ),
    "Manifest": manifests(unique_keys=False),
    "ManifestError": st.lists(_ERROR, min_size=1, max_size=12).map(evalset.ManifestError),
    "NotFound": st.lists(_TEXT, max_size=2).map(evalset.hosts.NotFound),
    "OddNumber": st.builds(OddNumber, _TEXT, _FLOAT),
    "PackRef": _PACK_REF,
    "Part": st.builds(Part, name=_TEXT, count=_INTEGER, usd=_RANGE, unknown=_INTEGER),
    "Price": _PRICE,
    "Range": _RANGE,
    "ReadLimits": _LIMITS,
    "Reconciliation": st.builds(evalset.reconcile, expansions(), st.lists(_RECORD, max_size=4)),
    "Record": _RECORD,
    "RecordError": st.builds(evalset.RecordError, _TEXT, _INTEGER, _TEXT),
    "Related": _RELATED,
    "Resolution": _resolutions(),
    "ResolutionError": st.lists(_ERROR, min_size=1, max_size=3).map(evalset.ResolutionError),
    "Resolved": _RESOLVED,
    "Seeds": st.just(evalset.Seeds("explicit", seeds=[1, 2])),
    "SelectionError": st.builds(evalset.SelectionError, _TEXT, _TEXT, _TEXT),
    "Source": st.builds(Source, name=_TEXT, text=_TEXT),
    "Span": _SPAN,
    "StaticWorkspace": st.builds(
        evalset.StaticWorkspace, packs=st.lists(_LISTED_PACK, max_size=3, unique=True),
        agents=st.lists(_LISTED_AGENT, max_size=3, unique=True),
    ),
    "TokenPrices": _PRICES,
    "Workspace": _HOST,
}  # fmt: skip
