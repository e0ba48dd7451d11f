"""Read, check and expand evalset/v1 manifests: packs x agents x models x repeats.

    import evalset

    manifest = evalset.load("nightly.evalset.yaml")
    for combination in evalset.expand(manifest):
        print(combination.matrix_key)

Importing this package loads none of its modules; each name below, and each topic module,
is loaded when it is first used (PEP 562).
"""

__version__ = "0.1.0"

TYPE_CHECKING = False  # typing's own constant would cost the import of typing
if TYPE_CHECKING:
    from evalset import canonical as canonical
    from evalset import cells as cells
    from evalset import checks as checks
    from evalset import collisions as collisions
    from evalset import columns as columns
    from evalset import combination as combination
    from evalset import comparing as comparing
    from evalset import costing as costing
    from evalset import diagnostics as diagnostics
    from evalset import document as document
    from evalset import editing as editing
    from evalset import errors as errors
    from evalset import expansion as expansion
    from evalset import explaining as explaining
    from evalset import extensions as extensions
    from evalset import fixing as fixing
    from evalset import hosts as hosts
    from evalset import inquiry as inquiry
    from evalset import keys as keys
    from evalset import listing as listing
    from evalset import manifest as manifest
    from evalset import markdown as markdown
    from evalset import matching as matching
    from evalset import nodes as nodes
    from evalset import parts as parts
    from evalset import pictures as pictures
    from evalset import pinning as pinning
    from evalset import places as places
    from evalset import pricing as pricing
    from evalset import quoting as quoting
    from evalset import reading as reading
    from evalset import records as records
    from evalset import references as references
    from evalset import reports as reports
    from evalset import resolution as resolution
    from evalset import resolving as resolving
    from evalset import resuming as resuming
    from evalset import rules as rules
    from evalset import schemas as schemas
    from evalset import selecting as selecting
    from evalset import sharding as sharding
    from evalset import sources as sources
    from evalset import tree as tree
    from evalset import unresolved as unresolved
    from evalset.combination import Combination, Group
    from evalset.comparing import Difference, diff
    from evalset.costing import Estimate, estimate
    from evalset.diagnostics import Code, Diagnostic, Fix, Related, Severity, Span
    from evalset.errors import EvalsetError, ManifestError, SelectionError
    from evalset.expansion import Expansion, expand
    from evalset.extensions import Extensions
    from evalset.keys import combination_id, matrix_key, normalize_label, safe_name
    from evalset.listing import AsyncListing, Listing, StaticWorkspace
    from evalset.manifest import Manifest
    from evalset.matching import ListedAgent, ListedPack
    from evalset.nodes import ReadLimits
    from evalset.parts import Agent, Limits, Seeds
    from evalset.pinning import pin
    from evalset.pricing import TokenPrices
    from evalset.reading import CheckResult, check, check_data, check_text, dump, dumps, load, loads
    from evalset.records import Record, RecordError, read_records
    from evalset.references import PackRef
    from evalset.resolution import Resolution, ResolutionError
    from evalset.resolving import resolve, resolve_async
    from evalset.resuming import Reconciliation, reconcile
    from evalset.schemas import json_schema
else:
    _HOMES = {
        "canonical": (),
        "cells": (),
        "checks": (),
        "collisions": (),
        "columns": (),
        "combination": ("Combination", "Group"),
        "comparing": ("Difference", "diff"),
        "costing": ("Estimate", "estimate"),
        "diagnostics": ("Code", "Diagnostic", "Fix", "Related", "Severity", "Span"),
        "document": (),
        "editing": (),
        "errors": ("EvalsetError", "ManifestError", "SelectionError"),
        "expansion": ("Expansion", "expand"),
        "explaining": (),
        "extensions": ("Extensions",),
        "fixing": (),
        "hosts": (),
        "inquiry": (),
        "keys": ("combination_id", "matrix_key", "normalize_label", "safe_name"),
        "listing": ("AsyncListing", "Listing", "StaticWorkspace"),
        "manifest": ("Manifest",),
        "markdown": (),
        "matching": ("ListedAgent", "ListedPack"),
        "nodes": ("ReadLimits",),
        "parts": ("Agent", "Limits", "Seeds"),
        "pictures": (),
        "pinning": ("pin",),
        "places": (),
        "pricing": ("TokenPrices",),
        "quoting": (),
        "reading": (
            "CheckResult",
            "check",
            "check_data",
            "check_text",
            "dump",
            "dumps",
            "load",
            "loads",
        ),
        "records": ("Record", "RecordError", "read_records"),
        "references": ("PackRef",),
        "reports": (),
        "resolution": ("Resolution", "ResolutionError"),
        "resolving": ("resolve", "resolve_async"),
        "resuming": ("Reconciliation", "reconcile"),
        "rules": (),
        "schemas": ("json_schema",),
        "selecting": (),
        "sharding": (),
        "sources": (),
        "tree": (),
        "unresolved": (),
    }

    def __getattr__(name: str) -> object:
        import importlib

        if name in _HOMES:
            return importlib.import_module(f"evalset.{name}")
        for module, names in _HOMES.items():
            if name in names:
                value = getattr(importlib.import_module(f"evalset.{module}"), name)
                globals()[name] = value
                return value
        raise AttributeError(f"module 'evalset' has no attribute {name!r}")

    def __dir__() -> list[str]:
        return [*__all__, "__version__", *_HOMES]


__all__ = [
    "Agent",
    "AsyncListing",
    "CheckResult",
    "Code",
    "Combination",
    "Diagnostic",
    "Difference",
    "Estimate",
    "EvalsetError",
    "Expansion",
    "Extensions",
    "Fix",
    "Group",
    "Limits",
    "ListedAgent",
    "ListedPack",
    "Listing",
    "Manifest",
    "ManifestError",
    "PackRef",
    "ReadLimits",
    "Reconciliation",
    "Record",
    "RecordError",
    "Related",
    "Resolution",
    "ResolutionError",
    "Seeds",
    "SelectionError",
    "Severity",
    "Span",
    "StaticWorkspace",
    "TokenPrices",
    "check",
    "check_data",
    "check_text",
    "combination_id",
    "diff",
    "dump",
    "dumps",
    "estimate",
    "expand",
    "json_schema",
    "load",
    "loads",
    "matrix_key",
    "normalize_label",
    "pin",
    "read_records",
    "reconcile",
    "resolve",
    "resolve_async",
    "safe_name",
]
