"""The programs of the documents run."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parents[1]
DOCUMENTS = [HERE / "README.md", HERE.parents[1] / "docs" / "python.md"]
PROGRAMS = [
    pytest.param(block[0], block[1], id=f"{document.name}-{block[0]}")
    for document in DOCUMENTS
    for block in re.findall(r"^```python\n# (\w+\.py)\n(.*?)^```$", document.read_text(), re.M | re.S)
]


def test_every_program_has_a_name() -> None:
    blocks = sum(document.read_text().count("```python\n") for document in DOCUMENTS)
    assert len(PROGRAMS) == blocks > 5


@pytest.mark.parametrize(("name", "text"), PROGRAMS)
def test_the_program_runs(pytester: pytest.Pytester, command: str, name: str, text: str) -> None:
    path = pytester.path / name
    if name.startswith("test_"):
        path.write_text(text)
        assert pytester.runpytest_subprocess(f"--ringback-command={command}").ret == 0
        return
    # Outside of pytest, the server is the one of the project by default.
    path.write_text(text.replace("Launch(", f"Launch({command.split()!r}, "))
    ran = subprocess.run([sys.executable, path], capture_output=True, text=True, env=os.environ, check=False)
    assert (ran.stdout, ran.stderr) == ("BUSY\n", "")


def test_the_template_of_a_project_passes_in_four_workers_from_any_folder(
    pytester: pytest.Pytester, command: str
) -> None:
    for name in ("common", "python"):
        shutil.copytree(HERE.parents[1] / "templates" / name, pytester.path, dirs_exist_ok=True)
    result = pytester.runpytest_subprocess(f"--ringback-command={command}", "-n", "4")
    result.assert_outcomes(passed=6)
    os.chdir(pytester.path / "tests")
    result = pytester.runpytest_subprocess(f"--ringback-command={command}", "-k", "quick_answer")
    result.assert_outcomes(passed=1, deselected=5)
