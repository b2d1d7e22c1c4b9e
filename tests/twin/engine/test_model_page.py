"""The examples on docs/model.md are true."""

import doctest
from pathlib import Path

MODEL_PAGE = Path(__file__).parents[3] / "docs" / "model.md"


def test_the_examples_of_the_model_page_run_as_written():
    outcome = doctest.testfile(str(MODEL_PAGE), module_relative=False)
    assert outcome.attempted > 10
    assert outcome.failed == 0
