"""Secrets of the environment reach the stages that need them, and no other."""

import os

import pytest

from tasks.running.secrets import NEEDED, PASS_VARIABLE, visible, withheld_from

SECRETS = {
    "ANTHROPIC_API_KEY": "k",
    "VLLM_API_KEY": "k",
    "HF_TOKEN": "k",
    "WANDB_API_KEY": "k",
    "AWS_SECRET_ACCESS_KEY": "k",
    "AWS_SESSION_TOKEN": "k",
    "PGPASSWORD": "k",
    "GITHUB_PAT": "k",
    "DATABASE_URL": "postgresql://user:word@host/base",
    "SSH_AUTH_SOCK": "/tmp/agent",
    "REDIS_URL": "redis://:word@host:1/0",
    "DB_PASS": "k",
    "MYSQL_PWD": "k",
    "PREFECT_API_AUTH_STRING": "k",
    "STORAGE_CONNECTION_STRING": "k",
    "SLACK_WEBHOOK_URL": "https://hooks/k",
    "SENTRY_DSN": "https://k@host/1",
    "CI_JOB_JWT": "k",
    "NPM_AUTHTOKEN": "k",
    "SECRETKEY": "k",
}
PLAIN = {
    "PATH": "/bin",
    "PWD": "/work",
    "OLDPWD": "/",
    "EVOTRAINER_PASS": "",
    "HOME": "/root",
    "TOKENIZERS_PARALLELISM": "false",
    "CUDA_VISIBLE_DEVICES": "0",
    "HTTPS_PROXY": "http://user:word@proxy:8080",
    "EVOTRAINER_OWNER": "1:2",
    "XDG_CACHE_HOME": "/cache",
}


@pytest.mark.parametrize("stage", [*NEEDED, "diagnose", "plan", "report", "data", "base_policy", "warm"])
def test_a_stage_sees_what_it_needs(stage: str) -> None:
    assert (
        visible({**SECRETS, **PLAIN}, stage)
        == {name: SECRETS[name] for name in NEEDED.get(stage, frozenset()) & SECRETS.keys()} | PLAIN
    )


def test_only_what_asks_a_model_has_its_key() -> None:
    assert [stage for stage in NEEDED if "ANTHROPIC_API_KEY" in NEEDED[stage]] == ["propose", "evolve"]


def test_a_person_may_let_a_variable_pass() -> None:
    environment = {**SECRETS, PASS_VARIABLE: "HF_TOKEN,GITHUB_PAT"}
    assert visible(environment, "rollout").keys() == {"VLLM_API_KEY", "HF_TOKEN", "GITHUB_PAT", PASS_VARIABLE}


def test_a_worker_has_its_secrets_back_after_a_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "k")
    with withheld_from("train"):
        assert "AWS_SECRET_ACCESS_KEY" not in os.environ
    assert os.environ["AWS_SECRET_ACCESS_KEY"] == "k"
