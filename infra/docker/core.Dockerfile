# Environment of EvoTrainer: the command line, the Prefect server and its workers. The checkout is mounted at /workspace.
#
#   docker build -f infra/docker/core.Dockerfile -t evotrainer-core .
#   with CUDA: --build-arg TORCH="torch==2.13.0+<build>" --build-arg PIP_ARGS="--extra-index-url <index of that build>"
FROM python:3.11-slim-bookworm

ARG TORCH=torch==2.13.0
ARG PIP_ARGS=""
ARG UID=1000

# git keeps the lineage, make runs the README's commands, ssh reaches an SSH remote, tini reaps stage processes.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends git make openssh-client tini \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid "${UID}" --create-home evotrainer \
 && install --directory --owner evotrainer /opt/evotrainer /workspace

USER ${UID}
WORKDIR /workspace
ENV PATH=/opt/evotrainer/bin:$PATH PYTHONUNBUFFERED=1

# PIP_ARGS holds several words, TORCH a pinned version. A change of the lock does not download torch again.
# hadolint ignore=SC2086,DL3013
RUN python -m venv /opt/evotrainer && pip install --no-cache-dir ${PIP_ARGS} "${TORCH}"
COPY --chown=evotrainer requirements.lock ./
# hadolint ignore=SC2086
RUN pip install --no-cache-dir ${PIP_ARGS} --requirement requirements.lock

COPY --chown=evotrainer . .
# hadolint ignore=SC2086,DL3013
RUN pip install --no-cache-dir ${PIP_ARGS} --no-build-isolation --editable ".[s3,gs,ssh]" \
 && git config --global --add safe.directory /workspace

ENTRYPOINT ["tini", "--"]
CMD ["evotrainer", "--help"]
