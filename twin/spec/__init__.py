"""Files that people write (YAML): read with every problem found at once and where it is, and written."""

from twin.spec.document import SpecNode, read_document
from twin.spec.fields import REQUIRED, Fields, Findings, one_of
from twin.spec.writing import write_document

__all__ = ["REQUIRED", "Fields", "Findings", "SpecNode", "one_of", "read_document", "write_document"]
