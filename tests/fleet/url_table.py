"""Every page of a workspace, read from the URL table, and the objects that its address names.

An app registers how to make them in ``tests/fleet/<app>/objects.py``::

    @object_named("cluster_id")
    def cluster(workspace, made):          # made: values of the kwargs to its left
        return Cluster.unscoped.create(workspace=workspace, name="first").pk

    value_named("format", "csv")           # a kwarg that names no object
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver, reverse

from fleet.accounts.models import Workspace

Factory = Callable[[Workspace, dict[str, Any]], Any]
FACTORIES: dict[str, Factory] = {}
PLAIN_VALUES: dict[str, Any] = {}
APPS_OBJECTS = sorted(Path(__file__).parent.glob("*/objects.py"))


def object_named(kwarg: str) -> Callable[[Factory], Factory]:
    """Register how to make the object of a URL's kwarg in a workspace."""

    def register(factory: Factory) -> Factory:
        FACTORIES[kwarg] = factory
        return factory

    return register


def value_named(kwarg: str, value: Any) -> None:
    """Register a plausible value for a kwarg that names no object."""
    PLAIN_VALUES[kwarg] = value


@dataclass(frozen=True)
class Page:
    """One line of the URL table under /w/<slug>/."""

    name: str
    view: Callable[..., Any]
    kwargs: tuple[str, ...]

    def __str__(self) -> str:
        return self.name

    @property
    def names_an_object(self) -> bool:
        return any(kwarg not in PLAIN_VALUES for kwarg in self.kwargs)

    def url(self, slug: str, owner: Workspace) -> str:
        """Its address in the workspace ``slug``, with fresh objects that belong to ``owner``."""
        made: dict[str, Any] = {}
        for kwarg in self.kwargs:
            made[kwarg] = _value(self.name, kwarg, owner, made)
        return reverse(self.name, kwargs={"slug": slug, **made})


def _value(name: str, kwarg: str, owner: Workspace, made: dict[str, Any]) -> Any:
    for file in APPS_OBJECTS:
        importlib.import_module(f"tests.fleet.{file.parent.name}.objects")
    if kwarg in PLAIN_VALUES:
        return PLAIN_VALUES[kwarg]
    if kwarg in FACTORIES:
        return FACTORIES[kwarg](owner, dict(made))
    raise AssertionError(
        f"The page {name} takes {kwarg!r}, and the access test does not know how to make one: register it "
        f'with @object_named("{kwarg}") or value_named("{kwarg}", …) in tests/fleet/<app>/objects.py '
        "(see tests/fleet/url_table.py)."
    )


def _walk(patterns: list[Any], route: str = "", namespace: str = "") -> Iterator[tuple[str, str, URLPattern]]:
    for pattern in patterns:
        here = route + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from _walk(pattern.url_patterns, here, inner)
        else:
            yield here, f"{namespace}{pattern.name}", pattern


def workspace_pages() -> list[Page]:
    """Every page under /w/<slug>/."""
    return [
        Page(name, pattern.callback, tuple(pattern.pattern.converters))
        for route, name, pattern in _walk(get_resolver().url_patterns)
        if route.startswith("w/<slug:slug>/")
    ]
