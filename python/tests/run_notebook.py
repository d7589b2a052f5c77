"""Runs a notebook from its first cell to its last; fails where a cell does, or where one prints other than the notebook shows."""

import pathlib
import sys

import nbformat
from nbclient import NotebookClient


def printed(cell):
    """What a cell prints, and its value as text; pictures aside."""
    texts = [output.text for output in cell.outputs if output.output_type == "stream"]
    values = [output.data["text/plain"] for output in cell.outputs if output.output_type == "execute_result"]
    return "".join(texts + values)


notebook = nbformat.read(sys.argv[1], as_version=4)
shown = [printed(cell) for cell in notebook.cells if cell.cell_type == "code"]
NotebookClient(notebook, timeout=300, resources={"metadata": {"path": "examples"}}).execute()
if len(sys.argv) > 2:
    nbformat.write(notebook, pathlib.Path(sys.argv[2]))
cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
for cell, expected in zip(cells, shown, strict=True):
    if printed(cell) != expected:
        sys.exit(f"the notebook shows\n{expected}\nbut it is\n{printed(cell)}\nfor\n{cell.source}")
print(f"{sys.argv[1]}: {len(cells)} cells, as shown")
