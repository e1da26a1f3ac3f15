"""The harness: the diagnostics in force, loaded from folders of plain modules and run over one set of evidence.

    <root>/signal/dead_groups.py    one module, one diagnostic, called "dead_groups"

A version keeps the sources it was judged by (inputs/plugins); the repository's own are harness_plugins/. The harness
version is a hash of those sources, the limits in force, the table of actions, and every module of this package that
they or this one import. So reports under different definitions are never compared.

Shipped folders run in this process. Folders of a person's own are imported here without access to stored files, and
run in a child process (plugin_process.py), a second time in a new process without validation rows and stored files
(blind_process.py): what differs is kept from agents. Modules in evolved/ have cards (evolved/cards.py) and run
isolated. A diagnostic that raises, exits or returns a malformed answer becomes a finding of its own and does not affect
the others. Diagnostics run by name, and findings are sorted, so the order of folders changes no report.

Durations go to `seconds`, which a stage leaves out of what it writes.
"""

import dataclasses
import hashlib
import importlib.util
import math
import sys
from collections.abc import Collection, Sequence
from functools import cached_property, partial
from pathlib import Path
from types import ModuleType

import pluggy

from evotrainer.actions.table import TABLE
from evotrainer.config import EVOLVED, SHARED_PLUGINS, Config, HarnessConfig, content_hash
from evotrainer.diagnosis import contamination, hookspecs, regrading, trainer_audit
from evotrainer.diagnosis.blind_process import ask_blind
from evotrainer.diagnosis.context import Context, Diagnosis, plugin_failure
from evotrainer.diagnosis.evolved.active_plugins import ActivePlugins
from evotrainer.diagnosis.evolved.cards import Plugin, load_plugins
from evotrainer.diagnosis.finding_order import in_order
from evotrainer.diagnosis.observed_context import ObservedContext, observed, withheld
from evotrainer.diagnosis.plugin_process import (
    Answer,
    DiagnosticLimits,
    program_folders,
    run_closed,
    run_in_child,
    run_in_process,
)
from evotrainer.diagnosis.source_fingerprint import read_source, source_fingerprint
from evotrainer.diagnosis.thresholds import Thresholds
from evotrainer.domains import DOMAINS
from evotrainer.errors import HarnessError
from evotrainer.evidence.frame_columns import CHECK_PREFIX
from evotrainer.evidence.frames import empty_signals, frame_of_rows, load_frame, load_signals
from evotrainer.records import Finding, HarnessReport, VersionRecord

SHIPPED = (*SHARED_PLUGINS, *DOMAINS)
"""Folders whose diagnostics come with this program."""
BUILT_IN = (contamination, trainer_audit, regrading)
"""Diagnostics of problem files, the lineage and grades: part of the program, whatever folders are named."""
MAX_FINDINGS = 100
"""Most findings of one diagnostic on one set of evidence; more are a fault of the diagnostic."""


class Harness:
    """The diagnostics of some plugin folders under one set of limits.

    Raises:
        HarnessError: a folder is missing, a module does not import or has no `diagnose`, or a name is taken twice.
        ConfigError: a limit of that name does not exist.

    """

    def __init__(self, root: Path, config: HarnessConfig, evolved: Sequence[Plugin] | None = None) -> None:
        """Load the folders of `config`; `evolved` replaces the content of the folder evolved/."""
        folders = config.folders
        if evolved is None:
            evolved = load_plugins(root / EVOLVED) if EVOLVED in folders else []
        self.evolved = ActivePlugins(evolved, config)
        self._limits = DiagnosticLimits(config.diagnostic_seconds, config.diagnostic_megabytes)
        self.thresholds = Thresholds().with_overrides(config.thresholds | self.evolved.limits)
        self._manager = _manager()
        sources = _plugin_sources(root, [folder for folder in folders if folder != EVOLVED])
        if taken := sorted(sources.keys() & {card.name for card in self.evolved.cards}):
            raise HarnessError(f"the evolved diagnostic '{taken[0]}' is called like {sources[taken[0]]}: rename it")
        self.version = content_hash(
            {
                "sources": {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in sources.items()},
                "source_fingerprint": source_fingerprint([Path(__file__), *sources.values()]),
                "actions": [config.actions, hashlib.sha256(TABLE.read_bytes()).hexdigest()],
                "thresholds": dataclasses.asdict(self.thresholds),
                **self.evolved.identity,
            }
        )
        for name, path in sources.items():
            self._register(name, path)
        self._sources = sources

    @cached_property
    def covered(self) -> frozenset[str]:
        """Names of columns that some diagnostic in force reads: those that its source or card spells out.

        A check is spelled with or without the prefix of its column.
        """
        words = frozenset[str]().union(*(read_source(path.read_bytes()).words for path in self._sources.values()))
        words |= {f"{CHECK_PREFIX}{word}" for word in words}
        return frozenset(words | {column for card in self.evolved.cards for column in card.columns})

    @property
    def diagnostics(self) -> list[str]:
        """Names of the diagnostics in force, sorted."""
        return sorted(name for name, _ in self._manager.list_name_plugin())

    def source_of(self, name: str) -> Path:
        """Return the file of a diagnostic that is not evolved."""
        return self._sources[name]

    def run(self, context: Context, only: Collection[str] | None = None) -> HarnessReport:
        """Return the report of all diagnostics, or of `only` these, under the limits of the harness."""
        metrics: dict[str, float] = {}
        findings: list[Finding] = []
        answers = self._ask(self.diagnostics if only is None else only, context)
        for name, answer in answers.items():
            metrics.update(answer.diagnosis.metrics)
            findings += [finding.model_copy(update={"diagnostic": name}) for finding in answer.diagnosis.findings]
            if answer.failure:
                failed = plugin_failure(context, name, answer.failure)
                findings.append(failed.model_copy(update={"reads_validation": True}) if answer.is_withheld else failed)
        evolved = self.evolved.judge(self._own_view(context), metrics)
        report = HarnessReport(
            version=context.version,
            harness_version=self.version,
            metrics=dict(sorted((metrics | evolved.metrics).items())),
            findings=in_order([*findings, *evolved.findings], self.evolved.order),
            order=self.evolved.order,
            guards=self.evolved.guards,
            seconds={name: answer.seconds for name, answer in answers.items()} | evolved.seconds,
        )
        return self.extended(report, context) if only is None else report

    def extended(self, report: HarnessReport, context: Context) -> HarnessReport:
        """Return a report with what the built-in diagnostics say of what this context knows beside rows.

        A fault of theirs is ours: it ends the stage and becomes no finding.
        """
        metrics, findings, view = dict(report.metrics), list(report.findings), self._own_view(context)
        for module in BUILT_IN:
            said = _checked(module.diagnose(view))
            metrics |= said.metrics
            findings += said.findings
        update = {"metrics": dict(sorted(metrics.items())), "findings": in_order(findings, report.order)}
        return report.model_copy(update=update)

    def finds(self, mode: str, diagnostic: str, context: Context) -> bool:
        """Return whether one diagnostic alone finds a mode in this evidence."""
        findings = self._ask([diagnostic], context)[diagnostic].diagnosis.findings
        return any(finding.mode == mode for finding in findings)

    def _ask(self, names: Collection[str], context: Context) -> dict[str, Answer]:
        """Return answers of diagnostics by name; those of a person's own run in a child process."""
        asked = {name: partial(self._diagnose, name, context) for name in names}
        own = {name: ask for name, ask in asked.items() if self._sources[name].parent.name not in SHIPPED}
        shipped = {name: ask for name, ask in asked.items() if name not in own}
        answers = run_in_process(shipped) | run_in_child(own, self._limits)
        if own:
            ask = partial(_ask_anew, self.version, self.thresholds)
            blind = ask_blind(ask, {name: self._sources[name] for name in own}, context, self._limits)
            answers |= {name: withheld(answers[name], blind[name]) for name in own}
        return {name: answers[name] for name in asked}

    def _diagnose(self, name: str, context: Context) -> Diagnosis:
        others = [plugin for other, plugin in self._manager.list_name_plugin() if other != name]
        caller = self._manager.subset_hook_caller("diagnose", remove_plugins=others)
        view = self._own_view(context)
        return view.marked(_checked(caller(context=view)[0]))

    def _own_view(self, context: Context) -> ObservedContext:
        """Return a context whose frames a plugin may change without effect on others."""
        return observed(context, thresholds=self.thresholds)

    def _register(self, name: str, path: Path) -> None:
        _register(self._manager, self.version, name, path)


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
    frames = {path: load_frame(path) if path else frame_of_rows([]) for path in {rows, training, validation}}
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


def _plugin_sources(root: Path, folders: Sequence[str]) -> dict[str, Path]:
    """Return {diagnostic: its file}, in order of folders and names."""
    sources: dict[str, Path] = {}
    for folder in folders:
        if not (root / folder).is_dir():
            choices = ", ".join(sorted(path.name for path in root.glob("[!_]*") if path.is_dir())) or "none"
            raise HarnessError(f"harness.plugins names '{folder}', which is no folder of {root}: choose from {choices}")
        for path in sorted((root / folder).glob("[!_]*.py")):
            if path.stem in sources:
                raise HarnessError(f"two diagnostics are called '{path.stem}': rename {path} or {sources[path.stem]}")
            sources[path.stem] = path
    return sources


def _manager() -> pluggy.PluginManager:
    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    return manager


def _register(manager: pluggy.PluginManager, version: str, name: str, path: Path) -> None:
    load = partial(_load, f"evotrainer_plugin_{version}_{name}", path)
    module = load() if path.parent.name in SHIPPED else run_closed(load, [*program_folders(), str(path.parent)])
    if not hasattr(module, "diagnose"):
        raise HarnessError(f"{path} has no function `diagnose`: see evotrainer/diagnosis/hookspecs.py")
    manager.register(module, name)


def _ask_anew(version: str, thresholds: Thresholds, name: str, path: Path, context: Context) -> Diagnosis:
    """Import a diagnostic and ask it, in a process that may know nothing else."""
    manager = _manager()
    _register(manager, version, name, path)
    return _checked(manager.hook.diagnose(context=observed(context, thresholds=thresholds))[0])


def _load(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickling look a class's module up by name
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # a module runs code at import; the person needs to know which one
        del sys.modules[name]
        raise HarnessError(f"{path} does not import: {type(error).__name__}: {error}") from error
    return module


def _checked(diagnosis: object) -> Diagnosis:
    if not isinstance(diagnosis, Diagnosis):
        raise TypeError(f"diagnose returned a {type(diagnosis).__name__}, not a Diagnosis")
    if len(diagnosis.findings) > MAX_FINDINGS:
        raise ValueError(f"diagnose returned {len(diagnosis.findings)} findings: return at most {MAX_FINDINGS}")
    if strangers := [type(found).__name__ for found in diagnosis.findings if not isinstance(found, Finding)]:
        raise TypeError(f"diagnose returned a {strangers[0]} among its findings: make them with context.finding")
    numbers = [diagnosis.metrics, *(finding.numbers for finding in diagnosis.findings)]
    for name, value in ((name, value) for group in numbers for name, value in group.items()):
        if not isinstance(name, str):
            raise TypeError(f"a number is called {name!r}: give it a text as its name")
        if not isinstance(value, int | float) or not math.isfinite(value):
            raise ValueError(f"'{name}' is {value}, not a finite number")
    return diagnosis
