# OpenRLHF, Ray and vLLM for engine.train=openrlhf: an environment of its own, since its pins differ from the core's.
#
#   docker build -f infra/docker/openrlhf.Dockerfile -t evotrainer-openrlhf .
FROM nvcr.io/nvidia/pytorch:25.10-py3

ARG PIP_ARGS=""

# hadolint ignore=SC2086,DL3013
RUN pip install --no-cache-dir ${PIP_ARGS} "openrlhf[vllm]==0.11.2" \
 && useradd --uid 1001 --create-home trainer

# The agent file rebuilds our environments and graders from a specification: it needs the nouns, not the workflow engine.
COPY evotrainer /opt/evotrainer/evotrainer
ENV PYTHONPATH=/opt/evotrainer

USER 1001
WORKDIR /workspace
EXPOSE 8265
CMD ["ray", "start", "--head", "--block", "--dashboard-host", "0.0.0.0"]
