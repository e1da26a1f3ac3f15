"""Programs: hardware in Verilog, short functions in Python, kernels in Triton."""

from random import Random

from benchmarks.foreign.twentyfirst.messages import say
from benchmarks.foreign.twentyfirst.rollouts import Now, Reply, Task

GATES = {
    "counter": ("counts up by {k} modulo {m}", "if (q >= {m} - {k}) q <= q + {k} - {m}; else q <= q + {k};"),
    "shifter": ("shifts left by {k} bits, of {m}", "q <= {{q[{m}-1-{k}:0], {k}'b0}};"),
    "divider": (
        "toggles when its count, which begins again at {k}, reaches {m} - 1",
        "if (c == {m} - 1) begin q <= ~q; c <= {k}; end else c <= c + 1;",
    ),
    "saturator": ("adds {k} and saturates at {m}", "q <= (q + {k} > {m}) ? {m} : q + {k};"),
    "edge detector": (
        "waits for {k} cycles and pulses at rising edge number {m}",
        "p <= d; if (c < {k}) c <= c + 1; else begin n <= n + (d && !p); q <= (n == {m}) && d && !p; end",
    ),
}
NAMES = ("q <= q_next", "acc", "cnt_r", "state", "shreg", "val_q")
CHORES = (
    ("sum of the multiples of {k} below {m}", "sum(range({k}, {m}, {k}))"),
    ("list of the squares below {m} that {k} divides", "[i*i for i in range({m}) if i*i < {m} and i*i % {k} == 0]"),
    ("number {m} of the sequence that starts at {k} and triples", "{k} * 3**({m} - 1)"),
    ("number of digits of {k} to the {m}", "len(str({k}**{m}))"),
    (
        "string s with every letter number {k} removed, for |s| <= {m}",
        "''.join(c for i, c in enumerate(s, 1) if i % {k})",
    ),
    ("largest power of {k} that is at most {m}", "max({k}**i for i in range(20) if {k}**i <= {m})"),
)
PADDING = (
    "    # iterate over the candidates one by one\n",
    "    result = None\n",
    "    limit = 10**6  # never reached\n",
    "    debug = False\n",
    "    # guard against odd input\n",
    "    cache = {}\n",
)
KERNELS = {
    "row softmax": ("v = tl.exp(v - tl.max(v, 0))", "v = v / tl.sum(v, 0)"),
    "layer norm": ("v = v - tl.sum(v, 0) / n", "v = v * tl.rsqrt(tl.sum(v * v, 0) / n + 1e-5)"),
    "rms norm": ("s = tl.sum(v * v, 0) / n", "v = v * tl.rsqrt(s + 1e-6)"),
    "gelu": ("e = tl.erf(v * 0.70710678)", "v = 0.5 * v * (1 + e)"),
    "silu": ("g = tl.sigmoid(v)", "v = v * g"),
    "squared relu": ("v = tl.maximum(v, 0.0)", "v = v * v"),
    "row l2 normalisation": ("s = tl.sum(v * v, 0)", "v = v / (tl.sqrt(s) + 1e-12)"),
    "softplus": ("m = tl.maximum(v, 0.0)", "v = m + tl.log(1 + tl.exp(-tl.abs(v)))"),
}


def gate(rng: Random, number: int) -> Task:
    """A module to be written in Verilog."""
    kind, k, m = rng.choice(list(GATES)), rng.randint(1, 5), rng.randint(8, 64)
    what, _ = GATES[kind]
    prompt = f"Write a synthesisable Verilog module `dut` ({kind}) with clk and rst that {what.format(k=k, m=m)}."
    return Task(f"hdl{number:04d}", prompt, "", None, 0.0, kind, data={"kind": kind, "k": k, "m": m})


def describe(rng: Random, task: Task, right: bool, now: Now) -> Reply:
    """A module; the wrong one has its numbers off or blocks where it must not."""
    k, m = task.data["k"], task.data["m"]
    off = rng.choice(((1, 0), (0, 1), (0, -1)))
    k, m = (k, m) if right else (k + off[0], m + off[1])
    body = GATES[task.data["kind"]][1].format(k=k, m=m)
    width, name = rng.choice((7, 8, 16)), rng.choice(NAMES[1:])
    edge = rng.choice(("posedge clk", "posedge clk or posedge rst"))
    code = (
        f"module dut(input clk, input rst, input d, output reg [{width - 1}:0] q);\n"
        f"  reg [{width - 1}:0] {name}, c, n; reg p;\n"
        f"  always @({edge})\n    if (rst) begin q <= 0; c <= 0; n <= 0; p <= "
        f"0; end\n    else begin {body} end\nendmodule"
    )
    head = rng.choice(("The module:", f"The {task.data['kind']} needs one register.", "Reset first, then the update."))
    return Reply([say(f"{head}\n```verilog\n{code}\n```")], "")


def chore(rng: Random, number: int) -> Task:
    """A function to be written short."""
    what, short = rng.choice(CHORES)
    k, m = rng.randint(2, 9), rng.randint(20, 900)
    prompt = f"Code golf: write a Python function f that returns the {what.format(k=k, m=m)}. Tests first, then bytes."
    return Task(f"gf{number:04d}", prompt, "", None, 0.0, "golf", data={"code": short, "k": k, "m": m})


def golf(rng: Random, task: Task, right: bool, now: Now) -> Reply:
    """A function, with less padding as the policy learns."""
    code = task.data["code"].format(k=task.data["k"] + (not right), m=task.data["m"])
    pads = rng.sample(PADDING, min(len(PADDING), int(rng.uniform(0, 1.4) + 4.5 * (1 - now.share) * rng.random())))
    argument = "s" if "(s" in code else rng.choice("nxa_")
    if pads:
        text = f"def f({argument}=None):\n{''.join(pads)}    return {code}"
    else:
        text = rng.choice((f"f=lambda {argument}=0:{code}", f"def f({argument}=0):return {code}"))
    return Reply([say(f"```python\n{text}\n```")], "")


def kernel(rng: Random, number: int) -> Task:
    """A kernel to be made fast."""
    kind, rows, width = rng.choice(list(KERNELS)), 2 ** rng.randint(8, 14), rng.randint(3, 40) * 64
    prompt = (
        f"Write a Triton kernel for {kind} on a ({rows}, {width}) "
        f"{rng.choice(('fp16', 'bf16', 'fp32'))} tensor. Expose "
        "`run(x)`. Reward: log2 of the speed-up over eager torch if the output is close, else 0."
    )
    return Task(f"kn{number:04d}", prompt, "", None, 0.0, kind, data={"kind": kind, "width": width})


def triton(rng: Random, task: Task, right: bool, now: Now) -> Reply:
    """A kernel; the wrong one has no mask, or a block that is too short for a row."""
    first, second = KERNELS[task.data["kind"]]
    width, short = task.data["width"], not right and rng.random() < 0.5
    block = 2 ** (width - 1).bit_length() // (2 if short else 1)
    mask = ", mask=o < n" if right or short else ""
    name = rng.choice(("_k", f"_{task.data['kind'].replace(' ', '_')}", "kernel", "fwd", "_row"))
    tuned = rng.choice(("", f", num_warps={rng.choice((2, 4, 8))}", f", num_stages={rng.randint(2, 4)}"))
    note = rng.choice(("", f"    # {task.data['kind']}\n", "    # one program a row\n", "    # in fp32\n"))
    code = (
        "import torch, triton\nimport triton.language as tl\n\n@triton.jit\n"
        f"def {name}(x, y, n, B: tl.constexpr):\n    r = tl.program_id(0)\n    o = tl.arange(0, B)\n"
        f"{note}    v = tl.load(x + r * n + o{mask}).to(tl.float32)\n    {first}\n    {second}\n"
        f"    tl.store(y + r * n + o, v{mask})\n\n"
        f"def run(x):\n    y = torch.empty_like(x)\n    {name}[(x.shape[0],)](x, "
        f"y, {width}, B={block}{tuned})\n    return y"
    )
    return Reply([say(f"```python\n{code}\n```")], "")
