"""What closes a campaign, and what an edited, removed or outgrown record of it comes to."""

import pytest

from tests.integration.conftest import SETTINGS, Repository

pytestmark = pytest.mark.slow

VERDICT, CERTIFICATE, CAMPAIGN = "versions/v002/verdict.json", "certificate/certificate.json", "conf/campaign.yaml"


@pytest.fixture
def closed(finished: Repository):
    """The finished campaign; its branch and files are put back afterwards."""
    own = Repository(finished.campaign())
    before = own.git("rev-parse", "HEAD").strip()
    yield finished
    own.git("reset", "--quiet", "--hard", before)


def edit(repository: Repository, path: str, old: str, new: str, commit: bool = False) -> None:
    file = repository.campaign() / path
    content = file.read_text()
    assert old in content
    file.write_text(content.replace(old, new))
    if commit:
        keep(repository, path)


def keep(repository: Repository, path: str) -> None:
    own = Repository(repository.campaign())
    own.git("add", "--all", path)
    own.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "edited")


def test_an_edited_result_is_named_wherever_it_would_be_shown(closed):
    edit(closed, CERTIFICATE, '"attempts": 1', '"attempts": 9')
    for command in (("certificate", "c"), ("lineage", "c"), ("export", "c", "out")):
        said = closed.run(*command, status=1)
        assert CERTIFICATE in said.stderr and "git -C" in said.stderr and "checkout" in said.stderr


def test_a_run_goes_on_from_no_edited_verdict_and_the_way_back_works(closed):
    edit(closed, VERDICT, '"kept"', '"promoted"', commit=True)
    said = closed.run("campaign", "run", "c", status=1)
    assert f"{VERDICT} was changed after the commit that recorded it" in said.stderr
    command = said.stderr.partition("restore it with `")[2].partition("`")[0]
    closed.git(*command.split()[1:])
    keep(closed, VERDICT)
    assert len(closed.json("lineage", "c")) == 4


def test_a_removed_certificate_is_remembered_and_comes_back_as_it_was(closed):
    stored = (closed.campaign() / CERTIFICATE).read_bytes()
    Repository(closed.campaign()).git("rm", "--quiet", CERTIFICATE)
    keep(closed, "certificate")
    assert CERTIFICATE in closed.run("certificate", "c", status=1).stderr
    again = closed.run("campaign", "run", "c")
    assert f"restored as committed: {CERTIFICATE}" in again.stderr
    assert (closed.campaign() / CERTIFICATE).read_bytes() == stored


def test_no_version_follows_the_certificate(closed):
    edit(closed, CAMPAIGN, "num_versions: 3", "num_versions: 5", commit=True)
    tags = closed.git("tag")
    for settings in ((), ("num_versions=5", *SETTINGS[1:])):
        said = closed.run("campaign", "run", "c", *settings, status=1 if settings else 0)
        assert "is closed by its certificate: more versions need a new campaign" in said.stderr
    assert closed.git("tag") == tags


def test_the_certificate_is_reproduced(closed):
    assert "identical" in closed.run("reproduce", "c", "certificate").stdout
    assert "scored again" in closed.run("reproduce", "c", "certificate", "--force").stdout
    edit(closed, CERTIFICATE, '"attempts": 1', '"attempts": 9', commit=True)
    assert CERTIFICATE in closed.run("reproduce", "c", "certificate", status=1).stderr
