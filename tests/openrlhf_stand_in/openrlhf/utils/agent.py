"""The loop over turns as OpenRLHF 0.11.2 has it, as far as an agent function meets it."""

from copy import deepcopy


class AgentInstanceBase:
    pass


class MultiTurnAgentExecutor:
    def __init__(self, agent_instance_cls):
        assert issubclass(agent_instance_cls, AgentInstanceBase)
        self.agent_instance_cls = agent_instance_cls

    async def execute(self, prompt, label, sampling_params, max_length, hf_tokenizer, llm_engine, images=None):
        instance = self.agent_instance_cls()
        text = (await instance.reset({"observation": prompt, "label": label}))["observation"]
        ids = hf_tokenizer(text=text, add_special_tokens=False, return_tensors="pt")["input_ids"][0].tolist()
        ranges, total, scores, logs, truncated = [], 0.0, 0.0, {}, False
        logprobs = [0.0] * len(ids) if sampling_params.logprobs is not None else None
        while True:
            sampling_params.max_tokens = max_length - len(ids)
            if sampling_params.max_tokens <= 0:
                break
            answer = (await llm_engine.generate(ids, deepcopy(sampling_params), multi_modal_data=None)).outputs[0]
            truncated = answer.finish_reason == "length"
            ranges.append((len(ids), len(ids) + len(answer.token_ids)))
            step = await instance.step({"observation_text": text, "action_text": answer.text, "label": label})
            total += step["rewards"].item()
            scores, logs = step["scores"], step["extra_logs"]
            new = hf_tokenizer(text=step["environment_feedback"], add_special_tokens=False, return_tensors="pt")
            new_ids = new["input_ids"][0].tolist()
            ids = ids + answer.token_ids + new_ids
            if logprobs is not None:
                logprobs += [
                    entry[token].logprob for token, entry in zip(answer.token_ids, answer.logprobs, strict=True)
                ]
                logprobs += [0.0] * len(new_ids)
            if step["done"]:
                break
        return {
            "prompt": prompt,
            "label": label,
            "images": images,
            "mm_train_inputs": None,
            "reward": total,
            "scores": scores,
            "observation_tokens": ids,
            "action_ranges": ranges,
            "rollout_log_probs": logprobs,
            "truncated": truncated,
            "extra_logs": logs,
        }
