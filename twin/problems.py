"""What is wrong with an input, told for people: where it is, what it is, and what would be valid."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong. ``where`` names file, line and field as far as they are known (``"jobs.csv, line 3,
    gpus"``); ``what`` says what is wrong there; ``valid`` says what would be right, or is empty."""

    where: str
    what: str
    valid: str = ""

    def __str__(self) -> str:
        told = f"{self.where}: {self.what}" if self.where else self.what
        return f"{told} ({self.valid})" if self.valid else told


class InvalidInput(ValueError):
    """An input that cannot be used. Carries every problem found, in the order of the input."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        self.problems = problems
        super().__init__("\n".join(str(problem) for problem in problems))

    @classmethod
    def single(cls, where: str, what: str, valid: str = "") -> InvalidInput:
        """The usual case of one problem."""
        return cls((Problem(where, what, valid),))
