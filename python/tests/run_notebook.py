"""Runs a notebook. Fails if a cell fails, or prints or draws something else than the notebook shows."""

import pathlib
import sys

import nbformat
from nbclient import NotebookClient


def printed(cell):
    """Returns the text output and the value of a cell, without pictures."""
    texts = [output.text for output in cell.outputs if output.output_type == "stream"]
    values = [output.data["text/plain"] for output in cell.outputs if output.output_type == "execute_result"]
    return "".join(texts + values)


def pictures(cell):
    """Returns the number of pictures that a cell shows. Their bytes depend on fonts."""
    return sum("image/png" in output.get("data", {}) for output in cell.outputs)


notebook = nbformat.read(sys.argv[1], as_version=4)
shown = [(printed(cell), pictures(cell)) for cell in notebook.cells if cell.cell_type == "code"]
NotebookClient(notebook, timeout=300, resources={"metadata": {"path": "examples"}}).execute()
if len(sys.argv) > 2:
    nbformat.write(notebook, pathlib.Path(sys.argv[2]))
cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
for cell, (expected, drawn) in zip(cells, shown, strict=True):
    if pictures(cell) != drawn:
        sys.exit(f"the notebook shows {drawn} pictures, not {pictures(cell)}, for\n{cell.source}")
    if printed(cell) != expected:
        sys.exit(f"the notebook shows\n{expected}\nbut the output is\n{printed(cell)}\nfor\n{cell.source}")
print(f"{sys.argv[1]}: {len(cells)} cells, same output")
