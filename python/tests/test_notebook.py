# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""The notebook runs from top to bottom, and shows its plots."""

import pytest
from conftest import REPOSITORY

nbformat = pytest.importorskip("nbformat", reason="nbformat is missing (tools/setup installs it)")
nbclient = pytest.importorskip("nbclient", reason="nbclient is missing (tools/setup installs it)")
pytest.importorskip("matplotlib", reason="matplotlib is missing (tools/setup installs it)")

NOTEBOOK = REPOSITORY / "python" / "notebooks" / "hybrid_or_klss.ipynb"


def test_the_notebook_plots_both_targets_and_the_machines_cycles():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "kept without outputs"
    nbclient.NotebookClient(notebook, timeout=100, kernel_name="python3").execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    images = [output for output in shown if "image/png" in output.get("data", {})]
    text = "".join(output.get("text", "") for output in shown)
    assert len(images) == 2
    for line in ("cpu: ", "machine:u280_adaptive: ", "hybrid, 48 limbs: ", "klss, 48 limbs: "):
        assert line in text
