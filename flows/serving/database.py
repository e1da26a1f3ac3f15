"""The SQLite databases of our Prefect servers: one a server process, copied from one whose tables are made once.

    python -m flows.serving.database                  makes those tables

Set-up does, so that no first campaign waits for them.
"""

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from evotrainer.campaign.atomic import replacing, write_atomic
from evotrainer.campaign.locks import wait_for_lock
from evotrainer.errors import InfrastructureError

DATABASE_VARIABLE = "PREFECT_API_DATABASE_CONNECTION_URL"


def prefect_home(main: Path) -> Path:
    """Return where Prefect keeps what all servers of a checkout share."""
    return main / "scratch" / "prefect"


def create_database(main: Path, database: Path) -> bool:
    """Copy a database with empty tables to `database` unless it exists; return whether it was copied."""
    if database.is_file():
        return False
    write_atomic(database, empty_database(main).read_bytes())
    return True


def empty_database(main: Path) -> Path:
    """Return the database with empty tables of this version of Prefect; the first call makes it, in seconds."""
    empty = prefect_home(main) / f"empty-{version('prefect')}.db"
    empty.parent.mkdir(parents=True, exist_ok=True)
    with wait_for_lock(empty.with_suffix(".lock")):
        if not empty.is_file():
            with replacing(empty) as partial:
                _make_tables(partial)
    return empty


def _make_tables(database: Path) -> None:
    command = [sys.executable, "-m", "prefect", "server", "database", "upgrade", "--yes"]
    environment = {"PREFECT_HOME": str(database.parent), **os.environ, DATABASE_VARIABLE: database_url(database)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = (done.stdout + done.stderr).strip().splitlines() or [f"status {done.returncode}"]
        raise InfrastructureError(f"Prefect's database {database} cannot be made: {lines[-1]}")


def database_url(database: Path) -> str:
    """Return the URL of a database as Prefect reads it."""
    return f"sqlite+aiosqlite:///{database}"


if __name__ == "__main__":
    empty_database(Path(__file__).resolve().parents[2])
