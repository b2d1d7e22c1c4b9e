"""Reading files that people write (YAML), with every problem found at once and where it is."""

from twin.spec.document import SpecNode, read_document
from twin.spec.fields import REQUIRED, Fields, Findings, one_of

__all__ = ["REQUIRED", "Fields", "Findings", "SpecNode", "one_of", "read_document"]
