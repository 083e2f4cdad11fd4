"""Doctests of the package, the blocks of docs/python.md, the notebook, and what the type checkers say."""

from __future__ import annotations

import contextlib
import doctest
import importlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
import thicket

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Not where links lead: the module stands beside them.
PACKAGE = pathlib.Path(thicket.__file__).absolute().parent
SOURCE = ROOT / "python" / "thicket"


@pytest.mark.parametrize("name", ["__init__", "_api", "_arguments", "_errors", "_pieces", "_policy", "_table", "_report", "_data", "_progress"])
def test_docstrings_say_what_happens(name):
    module = thicket if name == "__init__" else importlib.import_module(f"thicket.{name}")
    assert doctest.testmod(module).failed == 0


def test_everything_that_is_public_has_a_docstring():
    for name in thicket.__all__:
        if name != "__version__":
            assert getattr(thicket, name).__doc__, name


def test_the_page_says_what_happens(tmp_path, monkeypatch):
    """Blocks marked python run in order in one folder; a block marked text after one is what it prints."""
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```(python|text)\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) > 5
    names: dict[str, object] = {}
    printed = ""
    for kind, block in blocks:
        if kind == "text":
            assert printed.rstrip() == block.rstrip()
            continue
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(block, "docs/python.md", "exec"), names)  # noqa: S102
        printed = out.getvalue()


def test_the_notebook_runs(tmp_path):
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    path = ROOT / "examples" / "students.ipynb"
    notebook = nbformat.read(path, as_version=4)
    paths = [str(PACKAGE.parent), os.environ.get("PYTHONPATH", "")]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    nbclient.NotebookClient(notebook, timeout=100, kernel_name="python3", resources={"metadata": {"path": tmp_path}}).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any("image/png" in output.get("data", {}) for output in outputs)
    assert any("text/html" in output.get("data", {}) for output in outputs)


USE = '''
import thicket as th

policy = th.Policy.load("policy.yaml")
result = th.anonymize(policy, [{"a": 1}], seed=None, threads=0, progress=True)
k: int | None = result.report.guarantee.k
lm: float = result.report.utility.lm
holds: bool = th.verify(policy, result, original=[{"a": 1}]).holds
n: int = th.k_anonymity([{"a": 1}], quasi=["a"])
table: th.Table = result.table
'''


def checked(tool: list[str], use: pathlib.Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "MYPYPATH": str(SOURCE.parent)}
    return subprocess.run([*tool, str(use)], capture_output=True, text=True, env=environment, cwd=use.parent)


def test_mypy_accepts_package_and_use(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "use.py").write_text(USE)
    mypy = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"),
            "--config-file", str(ROOT / "python" / "pyproject.toml")]
    for target in (SOURCE, tmp_path / "use.py"):
        done = checked(mypy, target)
        assert done.returncode == 0, done.stdout + done.stderr
    (tmp_path / "wrong.py").write_text(USE + "\ns: str = result.report.utility.lm\n")
    assert checked(mypy, tmp_path / "wrong.py").returncode != 0


def test_pyright_accepts_package_and_use(tmp_path):
    pyright = shutil.which("pyright", path=os.path.dirname(sys.executable))
    if pyright is None:
        pytest.skip("pyright is not installed")
    (tmp_path / "use.py").write_text(USE)
    (tmp_path / "pyrightconfig.json").write_text('{"extraPaths": ["%s"], "pythonVersion": "3.11"}' % SOURCE.parent)
    done = checked([pyright, "--project", str(tmp_path / "pyrightconfig.json")], tmp_path / "use.py")
    if "0 errors" not in done.stdout and "error" not in done.stdout:
        pytest.skip("pyright cannot run here: " + done.stderr[-200:])
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_readme_says_what_happens(tmp_path, monkeypatch):
    """Its blocks find a policy and a frame."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "policy.yaml").write_text(
        "version: 1\nrecord: {class: p, quasi: {age: {ranges: [5, 10]}}}\nprivacy: {k: 2}\n"
    )
    pandas = pytest.importorskip("pandas")
    names: dict[str, object] = {"frame": pandas.DataFrame({"age": [30, 31, 32, 33]})}
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), names)  # noqa: S102
