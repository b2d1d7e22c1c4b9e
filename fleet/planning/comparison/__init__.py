"""Comparing the scenarios of a study: one value, read by the page, its CSV, its JSON and its charts."""

from fleet.planning.comparison.build import Comparison, comparison_of, is_wait
from fleet.planning.comparison.query import CompareQuery

__all__ = ["CompareQuery", "Comparison", "comparison_of", "is_wait"]
