"""The notebook of the documentation runs from top to bottom on a campaign, and its scores are the stored ones."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import read_records

NOTEBOOK = Path(__file__).resolve().parents[2] / "docs" / "notebooks" / "evidence.ipynb"


@pytest.mark.slow
def test_the_notebook_runs(written_campaign: CampaignFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVOTRAINER_CAMPAIGN", str(written_campaign.root))
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "outputs are not stored"
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(NOTEBOOK.parents[2])}}).execute()
    shown = [
        output["data"]["text/plain"]
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if output["output_type"] == "execute_result"
    ]
    assert len(shown) == 5
    for record in read_records(written_campaign):
        assert record.spec.version in shown[0]
        assert record.verdict.score is None or f"{record.verdict.score:.6f}" in shown[0]
