"""The database of a server of ours, and one that a person names in its place."""

from pathlib import Path

import httpx
import pytest

from flows.serving.database import DATABASE_VARIABLE, database_url
from flows.serving.server import free_port, own_server

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("is_named", [False, True])
def test_a_server_has_tables_in_a_new_database_and_in_one_that_a_person_names(
    template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_named: bool
) -> None:
    named, own = tmp_path / "named.db", tmp_path / "own.db"
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path))
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    if is_named:
        monkeypatch.setenv(DATABASE_VARIABLE, database_url(named))
    with own_server(template, free_port(), own) as url:
        assert httpx.post(f"{url}/flows/filter", json={}, timeout=30).json() == []
    assert named.is_file() == is_named
