"""What a manifest is and expands to, as digests that never change within v1."""

import hashlib
import json
from typing import Any

from evalset import Expansion, Manifest, ManifestError, expand, loads
from evalset.keys import KeyBy

__all__ = ["identity"]


def identity(raw: bytes) -> dict[str, Any]:
    """Give what every later v1 release must find in a text that one release accepted."""
    manifest = loads(raw)
    return {
        "bytes": hashlib.sha256(raw).hexdigest(),
        "digest": manifest.digest(),
        "label": _expanded(manifest, "label"),
        "deployment": _expanded(manifest, "deployment"),
    }


def _expanded(manifest: Manifest, key_by: KeyBy) -> dict[str, Any] | None:
    """Give what an expansion is known by; None where keys collide."""
    try:
        expansion = expand(manifest, key_by=key_by)
    except ManifestError:
        return None
    return {
        "count": len(expansion),
        "first": expansion[0].matrix_key,
        "keys": _hash(expansion.matrix_keys()),
        "ids": _hash([[each.id, each.group_id, each.fingerprint] for each in expansion]),
        "names": _hash([each.safe_name() for each in expansion]),
        "shards": _hash(_shards(expansion)),
        "report": hashlib.sha256(expansion.to_json().encode()).hexdigest(),
    }


def _shards(expansion: Expansion) -> list[list[int]]:
    return [
        [each.index for each in expansion.shard(number, 3, by=by)]
        for by in ("balanced", "stable", "pack")
        for number in (1, 2, 3)
    ]


def _hash(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()
