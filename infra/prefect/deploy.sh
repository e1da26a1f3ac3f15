#!/usr/bin/env bash
# Create the work pool and its deployments on the server that PREFECT_API_URL names. Safe to run again.
#
#   PREFECT_API_URL=http://127.0.0.1:4200/api infra/prefect/deploy.sh [pool type]     process (default), docker, kubernetes
set -euo pipefail
: "${PREFECT_API_URL:?set it to the address of your Prefect server, like http://127.0.0.1:4200/api}"
cd "$(dirname "$0")/../.."
export EVOTRAINER_CHECKOUT="${EVOTRAINER_CHECKOUT:-$PWD}"

prefect --no-prompt work-pool create evotrainer --type "${1:-process}" --overwrite
# What the runs rely on exists before any starts: trainings at a time, and a watch that ends the runs of a lost worker.
python -m flows.serving.runs "${EVOTRAINER_TRAININGS:-1}"
prefect --no-prompt deploy --all --prefect-file infra/prefect/prefect.yaml
