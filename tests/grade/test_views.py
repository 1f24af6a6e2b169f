"""Where the views of a grading go is checked before anything is graded."""

from pathlib import Path

import pytest

from harness.cli.views import Views
from harness.errors import UsageError


@pytest.mark.parametrize("view", ["json_file", "junitxml", "html", "markdown", "gradescope"])
def test_a_view_that_cannot_be_written_is_said_before_anything_is_graded(view: str, tmp_path: Path) -> None:
    target = tmp_path / "missing" / "view"
    with pytest.raises(UsageError, match="no such folder"):
        Views(**{view: str(target) if view == "json_file" else target})
    assert not target.parent.exists()
