"""Runs a notebook. Fails if a cell fails or if its output differs from that in the notebook."""

import pathlib
import sys

import nbformat
from nbclient import NotebookClient


def printed(cell):
    """Returns the text output and the value of a cell, without pictures."""
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
        sys.exit(f"the notebook shows\n{expected}\nbut the output is\n{printed(cell)}\nfor\n{cell.source}")
print(f"{sys.argv[1]}: {len(cells)} cells, same output")
