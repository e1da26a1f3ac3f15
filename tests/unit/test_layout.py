import pytest

from evotrainer.errors import LineageError
from evotrainer.layout import CampaignFiles, parse_version


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
