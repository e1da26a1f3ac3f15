# A vLLM server for engine.rollout=vllm, apart from the core: vLLM needs fastapi<0.137, Prefect a later one.
#
#   docker build -f infra/docker/vllm.Dockerfile -t evotrainer-vllm infra/docker
#   docker run --gpus all --network host -v MODELS:/models:ro evotrainer-vllm --model /models/base
FROM vllm/vllm-openai:v0.32.0

# Endpoints that update weights and reset the prefix cache exist in this mode only: never publish the port.
ENV VLLM_SERVER_DEV_MODE=1

EXPOSE 8000
HEALTHCHECK --interval=10s --start-period=10m CMD ["curl", "--fail", "--silent", "http://127.0.0.1:8000/health"]
ENTRYPOINT ["python3", "-m", "vllm.entrypoints.openai.api_server", "--logprobs-mode", "raw_logprobs"]
CMD ["--model", "/models/base"]
