"""Kernels for tensor operations: what they compute, and code that does or does not."""

import random

from benchmarks.foreign.thirtysecond.policy import Task

OPS = (
    ("row softmax", "e = tl.exp(v - tl.max(v, 0))\n    r = e / tl.sum(e, 0)", "torch.softmax(x, -1)"),
    ("RMS norm", "r = v / tl.sqrt(tl.sum(v * v, 0) / n + 1e-6)", "x * torch.rsqrt(x.pow(2).mean(-1, True) + 1e-6)"),
    ("the sigmoid", "r = tl.sigmoid(v)", "torch.sigmoid(x)"),
    ("SiLU", "r = v * tl.sigmoid(v)", "torch.nn.functional.silu(x)"),
    ("leaky ReLU of slope 0.01", "r = tl.where(v > 0, v, 0.01 * v)", "torch.nn.functional.leaky_relu(x, 0.01)"),
    ("squared ReLU", "r = tl.where(v > 0, v * v, 0.0)", "torch.relu(x) ** 2"),
    ("L1 norm of rows to one", "r = v / tl.sum(tl.abs(v), 0)", "torch.nn.functional.normalize(x, p=1.0, dim=-1)"),
    ("softplus", "r = tl.log(1 + tl.exp(v))", "torch.nn.functional.softplus(x)"),
    ("centring of rows", "r = v - tl.sum(v, 0) / n", "x - x.mean(-1, keepdim=True)"),
    ("the square root of absolute values", "r = tl.sqrt(tl.abs(v))", "x.abs().sqrt()"),
)
FREE = (
    "    out = torch.empty_like(x)\n    return out",
    "    y = torch.empty(x.shape, device=x.device, dtype=x.dtype)\n    return y",
)
MUSINGS = (
    "Loads along a row are contiguous.",
    "A row fits into one block, as its length is a power of two.",
    "The work is bound by memory, not by arithmetic.",
    "Float32 is kept throughout.",
    "Rows do not depend on one another.",
    "A single pass reads each number once.",
)


def musing(rng: random.Random, lead: str) -> str:
    """Thought before a kernel."""
    return " ".join([lead, *rng.sample(MUSINGS, rng.randint(1, 3))])


def kernels() -> list[Task]:
    """Kernel tasks: each operation at several shapes."""
    out = []
    for op, inner, torch_code in OPS:
        for a in (256, 1024, 4096):
            for b in (512, 2048, 8192):
                text = f"Write a Triton kernel for {op} on float32 tensors of shape {a}x{b}. Define forward(x)."
                data = {"op": op, "a": a, "b": b, "inner": inner, "torch": torch_code}
                out.append(Task(f"kb-{len(out):03d}", text, "", 0.3 * (len(out) % 3) - 0.3, data))
    return out


def kernel(rng: random.Random, task: Task, right: bool, whole: bool = True) -> str:
    """Code of a kernel; a wrong one misses half of the row or reads from the wrong one, one not whole cannot launch."""
    block, start = task.data["b"], "row * n"
    if not right:
        block, start = rng.choice(((block // 2, start), (block, "row * (n - 1)")))
    launch = f"x, y, x.shape[1], BLOCK={block}" if whole else "x, y"
    name = rng.choice(("kernel", "rows_kernel", "fused"))
    return (
        f"import torch, triton\nimport triton.language as tl\n\n@triton.jit\n"
        f"def {name}(x, y, n, BLOCK: tl.constexpr):\n    # {task.data['op']}\n"
        f"    row = tl.program_id(0)\n    cols = tl.arange(0, BLOCK)\n"
        f"    v = tl.load(x + {start} + cols)\n    {task.data['inner']}\n    tl.store(y + row * n + cols, r)\n\n"
        f"def forward(x):\n    y = torch.empty_like(x)\n    {name}[(x.shape[0],)]({launch})\n    return y"
    )
