# OpenRLHF, Ray and vLLM for engine.train=openrlhf, and beside them the environment that plays and grades episodes.
#
#   docker build -f infra/docker/openrlhf.Dockerfile -t evotrainer-openrlhf .
#
# Every node of the cluster mounts the checkout at /workspace. Campaigns name the second environment:
# engine.openrlhf.worker_python=/opt/evotrainer/bin/python
FROM nvcr.io/nvidia/pytorch:25.10-py3

ARG PIP_ARGS=""

# hadolint ignore=SC2086,DL3013
RUN pip install --no-cache-dir ${PIP_ARGS} "openrlhf[vllm]==0.11.2" \
 && useradd --uid 1001 --create-home trainer \
 && install --directory --owner trainer /opt/evotrainer /workspace

USER 1001
WORKDIR /workspace
# Their pins exclude each other: the agent file speaks JSON with a process of the second environment.
COPY --chown=1001 requirements.lock ./
# hadolint ignore=SC2086,DL3013
RUN python3 -m venv /opt/evotrainer \
 && /opt/evotrainer/bin/pip install --no-cache-dir ${PIP_ARGS} --requirement requirements.lock

EXPOSE 8265
CMD ["ray", "start", "--head", "--block", "--dashboard-host", "0.0.0.0"]
