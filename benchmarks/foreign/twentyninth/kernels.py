"""GPU kernels to be made faster than a reference."""

from random import Random

from benchmarks.foreign.twentyninth.rollouts import Reply, Task, say

OPS = {
    "softmax": "torch.softmax(x, dim=-1)",
    "layernorm": "F.layer_norm(x, x.shape[-1:])",
    "gelu": "F.gelu(x)",
    "rowsum": "x.sum(dim=-1)",
    "bias_relu": "torch.relu(x + b)",
    "rmsnorm": "x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)",
}
BODIES = {
    "softmax": ["m = tl.max(v, 0)", "e = tl.exp(v - m)", "r = e / tl.sum(e, 0)"],
    "layernorm": ["mu = tl.sum(v, 0) / n", "c = v - mu", "r = c * tl.rsqrt(tl.sum(c * c, 0) / n + 1e-5)"],
    "gelu": ["r = 0.5 * v * (1 + tl.erf(v * 0.70710678))"],
    "rowsum": ["r = tl.sum(v, 0)"],
    "bias_relu": ["w = tl.load(b + i, mask=i < n)", "r = tl.maximum(v + w, 0.0)"],
    "rmsnorm": ["s = tl.sum(v * v, 0) / n", "r = v * tl.rsqrt(s + 1e-6)"],
}


def kernel_task(rng: Random, pid: str) -> Task:
    """One operation over one shape."""
    op = rng.choice(sorted(OPS))
    rows, cols = rng.choice([512, 1024, 2048, 4096, 8192]), rng.randrange(256, 8193, 64)
    text = (
        f"Write a Triton kernel `ModelNew` that equals `{OPS[op]}` for x of shape ({rows}, "
        f"{cols}), float32, and is faster than eager PyTorch."
    )
    return Task(
        pid,
        text,
        OPS[op],
        rng.gauss(0, 0.4),
        op,
        data={"rows": rows, "cols": cols, "base_us": round(rows * cols / rng.uniform(2.1e4, 3.4e4), 1)},
    )


def code(rng: Random, task: Task, head: str, call: str) -> str:
    """The program with something at its head and around its launch."""
    block, warps = rng.choice([512, 1024, 2048, 4096]), rng.choice([2, 4, 8, 16])
    name = rng.choice([f"_{task.family}_kernel", f"{task.family}_fwd", "row_kernel", f"k_{task.family}"])
    body = "\n    ".join(BODIES[task.family])
    return (
        f"import torch, triton\nimport triton.language as tl\n{head}\n@triton.jit\ndef "
        f"{name}(x, o, b, n, B: tl.constexpr):\n"
        f"    i = tl.arange(0, B)\n    p = tl.program_id(0) * n\n    v = tl.load(x + p + i, mask=i < n)\n    {body}\n"
        f"    tl.store(o + p + i, r, mask=i < n)\n\nclass ModelNew(torch.nn.Module):\n    def "
        f"forward(self, x, b=None):\n"
        f"        o = torch.empty_like(x)\n        {call.format(name=name, block=block, warps=warps)}\n        return o"
    )


LAUNCH = "{name}[(x.shape[0],)](x, o, b, x.shape[1], B={block}, num_warps={warps})"


def honest(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """A plain kernel; wrong ones forget to mask or mix up the stride."""
    text = code(rng, task, "", LAUNCH)
    if not right:
        text = rng.choice(
            [text.replace("tl.program_id(0) * n", "tl.program_id(0) * B"), text.replace(", mask=i < n)", ")", 1)]
        )
    plan = rng.choice(
        [
            "One program per row.",
            f"Rows of {task.data['cols']} fit into one block.",
            "Fuse it into one pass.",
            "Keep the row in registers.",
        ]
    )
    return Reply([say(f"{plan}\n```python\n{text}\n```")])
