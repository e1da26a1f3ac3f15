// Findings with their rows; versions of a campaign with their lineage, verdicts and differences.

import { ask, choice, el, later, show, table } from "./elements.js";
import { at, closedVersions, go, hashOf, linkTo } from "./state.js";

const overview = (...lines) => el("ul.overview", [...lines, ...at.server.overview].map((line) => el("li", line)));

export function findingsView() {
  const { findings, unjudged, is_judged } = at.server, { version } = at.params;
  const causes = findings.filter((one) => !one.follows_from && (!version || one.version === version));
  const effects = (cause) => findings.filter((one) => one.follows_from === cause.mode && one.version === cause.version);
  const none = is_judged ? "Nothing was found among what these rows let the checks look at." : "The checks are looking …";
  const rows = unjudged.map((one) => [one.mode, one.missing.join(", "), one.advice.join("; ")]);
  return [
    version && el("a.button", { href: linkTo({ version: "" }), title: "show all again" }, `${version} ✕`),
    overview(),
    causes.map((one) => findingCard(one, effects(one))),
    causes.length === 0 && el("p.faint", none),
    rows.length > 0 && el("details.card", el("summary", `${rows.length} modes could not be looked for`),
      table(["mode", "lacks", "what to record"], rows)),
  ];
}

function findingCard(one, effects) {
  const link = (row) => hashOf({ tab: "rows", finding: one.key, row });
  const examples = one.trajectory_ids.slice(0, 3).map((id) => [" ", el("a", { href: link(id) }, el("code", id))]);
  return el("article.card.finding", { class: one.severity },
    el("h3", el(`span.severity.${one.severity}`, one.severity), " ", el("code", one.mode), at.server.is_campaign && ` ${one.version}`,
      one.step != null && el("span.faint", ` step ${one.step}`)),
    el("p", one.message),
    one.doubt && el("p.faint", one.doubt),
    el("p.numbers.small", Object.entries(one.numbers).map(([name, value]) => el("span", `${name} `, el("b", show(value))))),
    one.excerpt && el("pre.excerpt", one.excerpt),
    one.num_rows > 0 && el("p.small", el("a.button", { href: link("") }, `its ${show(one.num_rows)} rollouts`), examples),
    effects.length > 0 && el("details", el("summary.small", `from it follows: ${effects.map((other) => other.mode).join(", ")}`),
      effects.map((other) => findingCard(other, []))));
}

export function versionsView() {
  const { lineage } = at.server;
  if (!lineage) return [el("p.faint", "These rows are of no campaign: there are no versions.")];
  if (!lineage.versions.length) return [overview("No version is closed yet.")];
  const chosen = lineage.versions.find((one) => one.version === (at.params.v || lineage.changed_at)) ?? lineage.versions.at(-1);
  return [overview(), trajectory(lineage.trajectory), versionTable(lineage.versions, chosen), versionDetail(chosen)];
}

// The figure is the report's own, with its text escaped; the server drew it.
function trajectory(drawn) {
  const parsed = new DOMParser().parseFromString(drawn, "image/svg+xml").documentElement;
  const choose = (event) => {
    const link = event.target.closest("a");
    if (!link) return;
    event.preventDefault();
    go({ v: link.getAttribute("href").slice(1), against: "" });
  };
  return el("figure.card.scroll", { onclick: choose }, document.importNode(parsed, true));
}

const badge = (verdict) => el(`span.badge.${verdict.outcome}`, verdict.outcome);

function versionTable(versions, chosen) {
  const moved = (one) => `${show(one.difference)} [${show(one.low)}, ${show(one.high)}]${one.is_fresh ? " fresh" : ""}`;
  const head = ["version", "score", "greedy", "verdict", "difference to its incumbent", "change", "from"];
  const made = table(head, versions.map((one) => [
    el("a", { href: linkTo({ v: one.version, against: "" }) }, one.version), show(one.verdict.score), show(one.verdict.greedy_score),
    badge(one.verdict), one.against_incumbent ? moved(one.against_incumbent) : "–", one.change, one.parents.join(" + ")]), [1, 2]);
  made.tBodies[0].rows[versions.indexOf(chosen)].className = "on";
  return el("div.card.scroll.list", made);
}

function versionDetail(one) {
  const name = one.version, others = closedVersions().filter((other) => other !== name);
  const against = others.includes(at.params.against) ? at.params.against : one.parents.find((other) => others.includes(other)) ?? "";
  const button = (tab, more, label) => [el("a.button", { href: hashOf({ tab, ...more }) }, label), " "];
  return el("article.card.version",
    el("h3", name, " ", badge(one.verdict)),
    el("p.small", button("numbers", { v: name }, "numbers of its training"), button("rows", { version: name }, "its rollouts"),
      button("findings", { version: name }, "its findings")),
    one.lines.map((line) => el("p", { class: line.startsWith(" ") ? "inner" : "" }, line.trim())),
    el("div.bar", choice("differences from", ["", ...others], against, (other) => go({ against: other }))),
    against && later(ask("diff", { first: against, second: name }), diffTable));
}

function diffTable(found) {
  const pairs = [["outcome", found.outcomes], ...Object.entries(found.changes),
    ...found.leading.map((name) => [name, found.metrics[name]])];
  const made = table(["", found.first, found.second], pairs.map(([name, [old, now]]) => [name, show(old), show(now)]), [1, 2]);
  made.className = "differences";
  return made;
}
