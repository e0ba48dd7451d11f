"""Codes that no text earns by itself."""

OF_REFERENCES = {
    "agent-not-found",
    "ambiguous-reference",
    "catalog-fallback",
    "host-unavailable",
    "not-editable",
    "pack-not-found",
    "same-agent",
    "same-pack",
}
"""A host must be asked, or a text be edited."""
