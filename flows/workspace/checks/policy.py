"""Whether a person's own policy can be used: its folder, its size, its chat template, its format of tool calls."""

from evotrainer.domains import domain_tools
from evotrainer.engines.model_files import check_weight_files
from flows.workspace.check import Check
from flows.workspace.checks.base import Start
from flows.workspace.checks.folder import check_folder, code_in
from flows.workspace.checks.machine import shape_of
from flows.workspace.checks.template import ask_template
from flows.workspace.own_files import absent
from flows.workspace.policy_defaults import check_defaults


def look_at_policy(start: Start) -> list[Check]:
    """Name the base policy and what it trains on; fixes the format of its tool calls in the configuration.

    Raises:
        ConfigError: there is no such folder, it holds links, or it would train on settings of the embedded policies.
        PolicyError: its config, weights, tokenizer or chat template are missing or damaged, its sizes contradict each
            other, its weights are no numbers, or its template cannot use the domain's tools.

    """
    own = start.own_policy
    if own is None:
        return [Check("policy", "ok", f"the embedded {start.config.policy.name}")]
    if not own.is_dir():
        raise absent(start.main, "policy.path", start.config.policy.path)
    check_folder(own)
    check_weight_files(own)
    check_defaults(own, start.config, start.overrides)
    shape = shape_of(own)
    size = f", {shape.num_weights / 1e6:.4g} million weights of width {shape.hidden}" if shape else ""
    return [Check("policy", "ok", f"{own}{size}"), *code_in(own), *_preset(start), *_codec(start)]


def _preset(start: Start) -> list[Check]:
    if not start.preset:
        return []
    config = start.config
    values = {
        "algorithm.learning_rate": f"{config.algorithm.learning_rate:g}",
        "sampling.max_response_tokens": config.sampling.max_response_tokens,
        "engine.precision": config.engine.precision,
        "domain.system_prompt": repr(config.domain.system_prompt),
    }
    told = ", ".join(f"{key}={value}" for key, value in values.items())
    return [Check("preset", "ok", f"{start.preset[0].partition('=')[2]}, by its size: {told}; set a key to change it")]


def _codec(start: Start) -> list[Check]:
    config, own = start.config, start.own_policy
    assert own is not None
    tools = domain_tools(config.domain)
    found = ask_template(start.main, own, config, tools)
    if found is None:
        return [Check("codec", "ok", "tokenizer and chat template are there; no tools are used")]
    config.policy.tool_call_format = found.tool_call_format
    return [Check("tool calls", "ok", f"{found.tool_call_format}, {found.source}")]
