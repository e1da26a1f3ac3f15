"""The harness: the diagnostics in force, loaded from folders of plain modules and run over one set of evidence.

    <root>/signal/rewards.py    marked functions, one a diagnostic: "dead_groups", "reward_spread", ...
    <root>/mine/my_length.py    or one called `diagnose`: the diagnostic is "my_length" (hookspecs.py)
    <root>/mine/excuses.yaml    checks of a person's own (checks.py)

A version keeps the sources it was judged by (inputs/plugins); the repository's own are harness_plugins/. The harness
version is a hash of those sources, the table of actions, and every module of this package. So
reports under different definitions are never compared.

What diagnostics of a person's own say is shown to no agent, since it may rest on validation rows. The folder evolved/
holds cards (evolved/cards.py). A diagnostic that raises, exits or returns a malformed answer becomes a finding of its
own and does not affect the others; one that loops or ends the process is not held back. Diagnostics run by name, and
findings are sorted, so the order of folders changes no report.

Durations go to `seconds`, which a stage leaves out of what it writes.
"""

import dataclasses
import hashlib
import importlib.util
import math
import sys
import time
from collections.abc import Collection, Sequence
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from evotrainer.actions.table import TABLE
from evotrainer.config import EVOLVED, SHARED_PLUGINS, Config, HarnessConfig, content_hash
from evotrainer.diagnosis import evaluator_audit, trainer_audit
from evotrainer.diagnosis.checks import load_checks
from evotrainer.diagnosis.context import Context, Diagnosis, plugin_failure
from evotrainer.diagnosis.evolved.cards import Card, guards_of, judged, load_cards
from evotrainer.diagnosis.hookspecs import Diagnostic, plugins_of
from evotrainer.diagnosis.judgement import in_order
from evotrainer.errors import ConfigError
from evotrainer.evidence.frames import empty_signals, load_signals
from evotrainer.evidence.rows import Rows
from evotrainer.evidence.visibility import OWN_PREFIX
from evotrainer.records import Finding, HarnessReport, VersionRecord

SHIPPED = SHARED_PLUGINS
"""Folders whose diagnostics come with this program."""
BUILT_IN = {evaluator_audit.DIAGNOSTIC: evaluator_audit, trainer_audit.DIAGNOSTIC: trainer_audit}
"""Diagnostics of problem files and the lineage: part of the program, whatever folders are named."""
_FRAMES = ("rows", "training", "validation", "signals")
MAX_FINDINGS = 100
"""Most findings of one diagnostic on one set of evidence; more are a fault of the diagnostic."""


class Harness:
    """The diagnostics of some plugin folders under one set of limits.

    Raises:
        ConfigError: a folder is missing, a module does not import or has no diagnostic, or a name is taken twice.

    """

    def __init__(self, root: Path, config: HarnessConfig, evolved: Sequence[Card] | None = None) -> None:
        """Load the folders of `config`; `evolved` replaces the content of the folder evolved/."""
        folders = config.folders
        if evolved is None:
            evolved = load_cards(root / EVOLVED) if EVOLVED in folders else []
        self.cards = [card for card in evolved if card.is_in_force]
        self._without = frozenset(config.without)
        reviewed = [folder for folder in folders if folder != EVOLVED]
        modules = _plugin_modules(root, reviewed)
        files = [path for folder in reviewed for path in sorted((root / folder).glob("[!_]*.yaml"))]
        self._checks = [check for path in files for check in load_checks(path)]
        self.version = content_hash(
            {
                "sources": {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in modules.items()},
                "package": package_hash(),
                "actions": [config.actions, hashlib.sha256(TABLE.read_bytes()).hexdigest()],
                **({"without": sorted(config.without)} if config.without else {}),
                **({"checks": [repr(check) for check in self._checks]} if self._checks else {}),
                **({"evolved": {card.name: card.identity for card in self.cards}} if self.cards else {}),
            }
        )
        self._diagnostics: dict[str, Diagnostic] = {}
        self._sources: dict[str, Path] = {}
        for path in modules.values():
            self._register(path)
        if taken := sorted(self._sources.keys() & {card.name for card in self.cards}):
            raise ConfigError(
                f"the evolved diagnostic '{taken[0]}' is called like {self.source_of(taken[0])}: rename it"
            )

    @property
    def diagnostics(self) -> list[str]:
        """Names of the diagnostics in force, sorted."""
        return sorted(self._diagnostics)

    def source_of(self, name: str) -> Path:
        """Return the file of a diagnostic that is not evolved."""
        return self._sources[name]

    def run(self, context: Context, only: Collection[str] | None = None) -> HarnessReport:
        """Return the report of all diagnostics, or of `only` these."""
        metrics: dict[str, float] = {}
        findings: list[Finding] = []
        found: dict[str, Diagnosis] = {}
        seconds: dict[str, float] = {}
        for name in self.diagnostics if only is None else only:
            started = time.perf_counter()
            try:
                with redirect_stdout(sys.stderr):  # what a person's own prints is no part of ours
                    diagnosis = self._diagnose(name, context)
                found[name] = _kept_from_agents(diagnosis) if self._is_own(name) else diagnosis
            except (Exception, SystemExit) as error:  # a module may raise anything; the others must still run
                failed = plugin_failure(context, name, f"{type(error).__name__}: {error}")
                findings.append(_marked(failed) if self._is_own(name) else failed)
            seconds[name] = time.perf_counter() - started
        if only is None:  # a fault of theirs is ours: it ends the stage and becomes no finding
            found |= {name: _checked(module.diagnose(self._own_view(context))) for name, module in BUILT_IN.items()}
        for name, diagnosis in found.items():
            metrics |= diagnosis.metrics
            findings += [finding.model_copy(update={"diagnostic": name}) for finding in diagnosis.findings]
        own_checks = self._checks if only is None else []
        of_cards = judged(own_checks, self.cards, context, metrics)
        return HarnessReport(
            version=context.version,
            harness_version=self.version,
            metrics=dict(sorted((metrics | of_cards.metrics).items())),
            findings=in_order([*findings, *of_cards.findings]),
            guards=guards_of(self.cards),
            seconds=seconds,
        )

    def _is_own(self, name: str) -> bool:
        """Tell whether a diagnostic is a person's own."""
        return self._sources[name].parent.name not in SHIPPED

    def _diagnose(self, name: str, context: Context) -> Diagnosis:
        view = self._own_view(context)
        diagnosis = _checked(self._diagnostics[name](view))
        if not view.has_read_validation or not len(context.validation):
            return diagnosis
        return dataclasses.replace(diagnosis, findings=[_marked(finding) for finding in diagnosis.findings])

    def _own_view(self, context: Context) -> "View":
        """Return a context whose frames a plugin may change without effect on others."""
        values: dict[str, Any] = {field.name: getattr(context, field.name) for field in dataclasses.fields(Context)}
        values |= {name: getattr(context, name).copy(deep=False) for name in _FRAMES}
        view = View(**values)
        vars(view)["graded_with_validation"] = context.graded_with_validation.copy(deep=False)
        return view

    def _register(self, path: Path) -> None:
        """Load a module and register its diagnostics."""
        module = _load(f"evotrainer_plugin_{self.version}_{path.parent.name}_{path.stem}", path)
        found = plugins_of(module, path.stem)
        if not found:
            raise ConfigError(f"{path} has no diagnostic: see evotrainer/diagnosis/hookspecs.py")
        for name, diagnostic in found.items():
            if name in self._without:
                continue
            if name in self._sources:
                raise ConfigError(
                    f"two diagnostics are called '{name}': rename that of {path} or {self._sources[name]}"
                )
            self._diagnostics[name], self._sources[name] = diagnostic, path


class View(Context):
    """A context for one diagnostic: its frames are its own (pandas copies on write), and what it reads is recorded.

    An agent must not see what rests on validation rows, whatever the diagnostic is called.
    """

    has_read_validation = False

    def __getattribute__(self, name: str) -> Any:
        """Return an attribute, and remember that validation rows were among those asked for."""
        if name in ("validation", "graded_with_validation"):
            object.__setattr__(self, "has_read_validation", True)
        return object.__getattribute__(self, name)


def read_context(
    version: str,
    *,
    rows: Path | None = None,
    training: Path | None = None,
    validation: Path | None = None,
    recipe: Config | None = None,
    training_recipe: Config | None = None,
    reference: VersionRecord | None = None,
) -> Context:
    """Return the context of evidence directories; None stands for missing evidence.

    An audit passes one directory as `rows` and `training`. Raises EvidenceError for a damaged file.
    """
    frames = {path: Rows.read(path).frame() if path else Rows.of([]).frame() for path in {rows, training, validation}}
    return Context(
        version=version,
        rows=frames[rows],
        training=frames[training],
        validation=frames[validation],
        signals=load_signals(training) if training is not None else empty_signals(),
        recipe=recipe,
        training_recipe=training_recipe,
        reference=reference,
    )


@cache
def package_hash() -> str:
    """Return a hash of all modules of this package: a diagnostic is a few lines over shared definitions."""
    package = Path(__file__).parents[1]
    texts = {path.relative_to(package).as_posix(): path.read_bytes() for path in package.rglob("*.py")}
    return content_hash({name: hashlib.sha256(text).hexdigest() for name, text in texts.items()})


def _kept_from_agents(diagnosis: Diagnosis) -> Diagnosis:
    """Return what a person's own diagnostic says under names and marks that no agent is shown."""
    metrics = {f"{OWN_PREFIX}{name}": value for name, value in diagnosis.metrics.items()}
    return Diagnosis(metrics, [_marked(finding) for finding in diagnosis.findings])


def _marked(finding: Finding) -> Finding:
    return finding.model_copy(update={"reads_validation": True})


def _plugin_modules(root: Path, folders: Sequence[str]) -> dict[str, Path]:
    """Return {folder/module: its file}, in order of folders and names."""
    modules: dict[str, Path] = {}
    for folder in folders:
        if not (root / folder).is_dir():
            choices = ", ".join(sorted(path.name for path in root.glob("[!_]*") if path.is_dir())) or "none"
            raise ConfigError(f"harness.plugins names '{folder}', which is no folder of {root}: choose from {choices}")
        modules |= {f"{folder}/{path.stem}": path for path in sorted((root / folder).glob("[!_]*.py"))}
    return modules


def _load(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickling look a class's module up by name
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # a module runs code at import; the person needs to know which one
        del sys.modules[name]
        raise ConfigError(f"{path} does not import: {type(error).__name__}: {error}") from error
    return module


def _checked(diagnosis: Diagnosis) -> Diagnosis:
    if len(diagnosis.findings) > MAX_FINDINGS:
        raise ValueError(f"diagnose returned {len(diagnosis.findings)} findings: return at most {MAX_FINDINGS}")
    numbers = [diagnosis.metrics, *(finding.numbers for finding in diagnosis.findings)]
    for name, value in ((name, value) for group in numbers for name, value in group.items()):
        if not isinstance(name, str):
            raise TypeError(f"a number is called {name!r}: give it a text as its name")
        if not isinstance(value, int | float) or not math.isfinite(value):
            raise ValueError(f"'{name}' is {value}, not a finite number")
    metrics = {name: float(value) for name, value in diagnosis.metrics.items()}
    return Diagnosis(metrics, [Finding.model_validate(finding) for finding in diagnosis.findings])
