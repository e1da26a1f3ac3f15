"""Subjects: a name means one kind of thing, and its pipeline lies in one folder."""

import pytest

from evotrainer.campaign.subjects import CAMPAIGN, CERTIFICATE, Subject, SubjectKind
from tasks.running.dvc import stage_target


@pytest.mark.parametrize(
    ("name", "kind", "target"),
    [
        ("v003", SubjectKind.VERSION, "versions/v003/dvc.yaml:train"),
        ("v1000", SubjectKind.VERSION, "versions/v1000/dvc.yaml:train"),
        ("r03", SubjectKind.REVISION, "harness/r03/dvc.yaml:train"),
        ("certificate", SubjectKind.CERTIFICATE, "certificate/dvc.yaml:train"),
        ("tiny_math", SubjectKind.POLICY, "dvc.yaml:train@tiny_math"),
        ("reasoner", SubjectKind.POLICY, "dvc.yaml:train@reasoner"),
        ("v3-large", SubjectKind.POLICY, "dvc.yaml:train@v3-large"),
    ],
)
def test_a_name_means_one_subject_with_one_pipeline(name: str, kind: SubjectKind, target: str) -> None:
    subject = Subject.parse(name)
    assert subject.kind is kind and str(subject) == name
    assert stage_target(subject, "train") == target


def test_constructors_agree_with_parsing() -> None:
    made = [Subject.version("v003"), Subject.revision("r03"), Subject.policy("tiny_swe"), CERTIFICATE, CAMPAIGN]
    assert [Subject.parse(subject.name) for subject in made] == made
