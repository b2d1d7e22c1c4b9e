"""Every page of a workspace, read from the URL table, and the objects that its address names.

An app registers how to make them in ``tests/fleet/<app>/objects.py``::

    @object_named("cluster_id")
    def cluster(workspace, made):                     # made: values of the kwargs to its left
        return Cluster.unscoped.create(workspace=workspace, name="first").pk

    @object_named("pk", pages="reports:report_*")     # a kwarg that means something else elsewhere
    def report(workspace, made): ...

    value_named("format", "csv")                      # a kwarg that names no object
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver, reverse

from fleet.accounts.models import Workspace

Factory = Callable[[Workspace, dict[str, Any]], Any]
APPS_OBJECTS = sorted(Path(__file__).parent.glob("*/objects.py"))


@dataclass(frozen=True)
class Maker:
    """How to fill one kwarg of the pages whose names match."""

    pages: str
    make: Factory
    is_object: bool


MAKERS: dict[str, list[Maker]] = {}


def object_named(kwarg: str, pages: str = "*") -> Callable[[Factory], Factory]:
    """Register how to make the object of a URL's kwarg in a workspace."""

    def register(factory: Factory) -> Factory:
        MAKERS.setdefault(kwarg, []).append(Maker(pages, factory, is_object=True))
        return factory

    return register


def value_named(kwarg: str, value: Any, pages: str = "*") -> None:
    """Register a plausible value for a kwarg that names no object."""
    MAKERS.setdefault(kwarg, []).append(Maker(pages, lambda workspace, made: value, is_object=False))


def _maker(page: str, kwarg: str) -> Maker:
    """The most particular maker for the page's kwarg."""
    for file in APPS_OBJECTS:
        importlib.import_module(f"tests.fleet.{file.parent.name}.objects")
    fitting = [maker for maker in MAKERS.get(kwarg, []) if fnmatch(page, maker.pages)]
    assert fitting, (
        f"The page {page} takes {kwarg!r}, and the access test does not know how to make one: register it "
        f'with @object_named("{kwarg}") or value_named("{kwarg}", …) in tests/fleet/<app>/objects.py '
        "(see tests/fleet/url_table.py)."
    )
    return max(fitting, key=lambda maker: len(maker.pages))


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
        return any(_maker(self.name, kwarg).is_object for kwarg in self.kwargs)

    def url(self, slug: str, owner: Workspace) -> str:
        """Its address in the workspace ``slug``, with fresh objects that belong to ``owner``."""
        made: dict[str, Any] = {}
        for kwarg in self.kwargs:
            made[kwarg] = _maker(self.name, kwarg).make(owner, dict(made))
        return reverse(self.name, kwargs={"slug": slug, **made})


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
