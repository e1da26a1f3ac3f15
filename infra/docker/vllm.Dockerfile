# A vLLM server for engine.rollout=vllm, apart from the core: vLLM and Prefect need different versions of fastapi.
#
#   docker build -f infra/docker/vllm.Dockerfile -t evotrainer-vllm infra/docker
#   docker run --gpus all --network host -v MODELS:/models:ro evotrainer-vllm --model /models/base
#
# Then run campaigns with engine.vllm.url=http://127.0.0.1:8000. docs/vllm.md says which paths both must see.
FROM vllm/vllm-openai:v0.29.0

# The endpoints that change weights exist in this mode and ask for no key: never publish the port.
ENV VLLM_SERVER_DEV_MODE=1 VLLM_ALLOW_RUNTIME_LORA_UPDATING=1

EXPOSE 8000
HEALTHCHECK --interval=10s --start-period=10m CMD ["curl", "--fail", "--silent", "http://127.0.0.1:8000/health"]
ENTRYPOINT ["python3", "-m", "vllm.entrypoints.openai.api_server", \
    "--generation-config", "vllm", "--enable-prefix-caching", "--dtype", "bfloat16"]
CMD ["--model", "/models/base"]
