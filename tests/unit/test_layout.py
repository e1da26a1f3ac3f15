import pytest

from evotrainer.campaign.layout import CampaignFiles, parse_version
from evotrainer.errors import LineageError


@pytest.mark.parametrize("text", ["v3", "3", "v003", " v003 "])
def test_a_typed_version_has_one_name(text):
    assert parse_version(text) == "v003"


@pytest.mark.parametrize("text", ["", "three", "v", "v1234", "v-1"])
def test_what_is_no_version_is_refused(text):
    with pytest.raises(LineageError, match="v003"):
        parse_version(text)


def test_versions_are_listed_in_order_once_they_have_a_spec(tmp_path):
    files = CampaignFiles(tmp_path)
    for name in ["v002", "v000", "v001"]:
        files.version(name).root.mkdir(parents=True)
    files.version("v002").spec.write_text("{}")
    files.version("v000").spec.write_text("{}")
    assert files.version_names() == ["v000", "v002"]


def test_revisions_are_in_order_beyond_the_hundredth(tmp_path):
    files = CampaignFiles(tmp_path)
    for name in ("r100", "r11", "r99", "r101"):
        folder = files.revision(name).plugins
        folder.mkdir(parents=True)
        if name != "r101":
            (folder.parent / "revision.json").write_text("{}")
    assert files.revision_names() == ["r11", "r99", "r100"]
    assert files.evolved_plugins == files.revision("r100").plugins
