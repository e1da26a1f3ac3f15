// Rollouts: filters, a list that grows as it is scrolled, one or two transcripts, a group side by side.

import { ask, choice, el, facts, failed, later, show } from "./elements.js";
import { at, closedVersions, column, go, hashOf, linkTo } from "./state.js";
import { messagesOf, termsOf, textOf, tokensOf } from "./transcript.js";

const COLUMNS = ["trajectory_id", "step", "version", "stage", "problem_id", "attempt", "reward", "correct", "advantage",
  "num_tokens", "num_turns", "stop_reason", "response"];
const FACTS = ["version", "stage", "step", "problem_id", "attempt", "reward", "correct", "advantage", "in_loss", "num_tokens",
  "mean_logprob", "stop_reason", "is_truncated", "format_ok", "error", "gold", "answer", "final"];
const IN_GROUP = ["correct", "num_tokens", "advantage", "stop_reason", "final", "answer"];
const LONG = 30;
const list = { key: "", ids: [], body: null, view: null, cursor: -1, isChoosing: false };

const asked = () => Object.fromEntries(
  ["words", "where", "step", "version", "finding", "sort", "down"].map((name) => [name, at.params[name]]));
const isShown = (name) => at.server.is_campaign || (name !== "version" && (name !== "step" || at.server.numbers?.steps.length > 1));
const shownColumns = () => at.params.columns?.split(",") ?? COLUMNS.filter((name) => column(name) && isShown(name));
const pairsOf = (values) => Object.entries(values).filter(([name]) => name !== "version" || at.server.is_campaign);
const listKey = () => JSON.stringify([asked(), at.params.columns, at.server.revision]);

export function rowsView() {
  const { group, row, beside } = at.params;
  if (group) return [groupView(group)];
  if (list.key !== listKey()) {
    Object.assign(list, { key: listKey(), ids: [], body: el("tbody"), cursor: -1 });
    list.view = listView();
  }
  const open = [row, beside].filter(Boolean);
  [...list.body.children].forEach((one, place) => one.classList.toggle("on", open.includes(list.ids[place])));
  const shape = ["", "split", "two"][open.length];
  return [toolbar(), el("div", { class: shape }, open.length < 2 && list.view, open.map(rowView))];
}

// While a person reads a transcript the list stays as it is, although the files grew.
export const keepList = () => { list.key = list.key && listKey(); };

function toolbar() {
  const { params, server } = at;
  const sortable = server.columns.filter((one) => one.kind !== "list").map((one) => one.name);
  return el("div.bar",
    field("words", 'words, "a phrase"  ( / )'), field("where", "SQL, like reward > 0.5 and num_turns < 3"), field("step", "step"),
    server.is_campaign && choice("version", ["", ...closedVersions()], params.version ?? "", (version) => go({ version })),
    choice("sort", ["", ...sortable], params.sort ?? "", (sort) => go({ sort })),
    el("button", { title: "turn the order", onclick: () => go({ down: params.down ? "" : "1" }) }, params.down ? "▼" : "▲"),
    params.finding && el("a.button", { href: linkTo({ finding: "" }), title: "show all again" }, `${params.finding} ✕`),
    el("details.columns", { open: list.isChoosing, ontoggle: (event) => { list.isChoosing = event.target.open; } },
      el("summary", "columns"), el("div.card", server.columns.map(columnBox))));
}

function field(name, label) {
  const input = el("input", { name, value: at.params[name] ?? "", placeholder: label, "aria-label": label, autocomplete: "off" });
  const submit = (event) => { event.preventDefault(); input.blur(); go({ [name]: input.value.trim() }); };
  return el("form.field", { class: name, onsubmit: submit }, input);
}

function columnBox({ name, kind, meaning }) {
  const shown = shownColumns(), checked = shown.includes(name);
  const others = checked ? shown.filter((other) => other !== name) : [...shown, name];
  const box = el("input", { type: "checkbox", checked, onchange: () => go({ columns: others.join(",") }) });
  return el("label", box, name, el("span.faint.small", ` ${meaning || kind}`));
}

function listView() {
  const { key, body, ids } = list, names = shownColumns();
  const count = el("p.faint.small", { role: "status" }, "reading …");
  const more = el("button.more", { onclick: () => fill(), hidden: true }, "more");
  let isReading = false;
  async function fill() {
    if (isReading) return;
    isReading = true;
    try {
      const found = await ask("rows", { ...asked(), columns: names, offset: ids.length });
      if (key !== list.key) return;
      ids.push(...found.rows.map((row) => row.trajectory_id));
      body.append(...found.rows.map((row) => listRow(row, names)));
      more.hidden = ids.length >= found.total;
      count.textContent = `${show(found.total)} of ${show(at.server.num_rows)} rows`;
    } catch (error) {
      count.replaceChildren(failed(error));
    }
    isReading = false;
  }
  new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && ids.length && fill()).observe(more);
  queueMicrotask(fill);
  return el("div.list", count, el("table", el("thead", el("tr", names.map(headCell))), body), more);
}

function headCell(name) {
  const { kind, meaning } = column(name) ?? {}, isSorted = at.params.sort === name, isDown = isSorted && at.params.down;
  const mark = isSorted ? (isDown ? " ▼" : " ▲") : "";
  const link = el("a", { href: linkTo({ sort: name, down: isSorted && !isDown ? "1" : "" }) }, name + mark);
  const sorted = isSorted ? (isDown ? "descending" : "ascending") : null;
  return el("th", { class: kind === "number" ? "n" : "", title: meaning, "aria-sort": sorted }, kind === "list" ? name : link);
}

function listRow(row, names) {
  const id = row.trajectory_id;
  const open = (event) => {
    event.preventDefault();
    list.cursor = list.ids.indexOf(id);
    go(event.shiftKey && at.params.row ? { beside: id } : { row: id, beside: "" });
  };
  const cells = names.map((name) => {
    const text = show(row[name]), kind = column(name)?.kind;
    const shape = kind === "number" ? "n" : kind === "text" && text.length > LONG ? "long" : "";
    const link = name === "trajectory_id" && el("a", { href: linkTo({ row: id, beside: "" }) }, text);
    return el("td", { class: shape, "data-name": name }, link || text);
  });
  return el("tr", { class: [at.params.row, at.params.beside].includes(id) ? "on" : "", onclick: open }, cells);
}

const rowView = (id, place) => later(ask("row", { id }), (row) => rowParts(row, place),
  el("article.detail.card", { "aria-label": `rollout ${id}` }));
const close = (place) => go(place ? { beside: "" } : { row: at.params.beside ?? "", beside: "" });

function rowParts(row, place) {
  const copy = (event) => { navigator.clipboard?.writeText(location.href); event.target.textContent = "copied"; };
  const finding = (key) => [" ", el("a", { href: hashOf({ tab: "rows", finding: key }) }, el("code", key))];
  const columns = Object.entries(row.columns).map(([name, value]) => el("tr", el("td.faint", name), el("td.any", show(value))));
  return [
    el("header", el("h3", el("code", row.id)),
      el("button", { title: "back to the list (Esc)", onclick: () => close(place) }, "✕ close"),
      el("a.button", { href: linkTo({ group: row.id }) }, "group"),
      el("button", { onclick: copy }, "copy link"),
      !at.params.beside && el("span.faint.small", " b: the next one beside it")),
    facts(pairsOf(Object.fromEntries(FACTS.map((name) => [name, row.columns[name]])))),
    Object.keys(row.terms).length > 0 && termsOf(row.terms),
    row.findings.length > 0 && el("p.small", "in the findings:", row.findings.map(finding)),
    row.tokens.length > 0 && tokensOf(row.tokens, Boolean(at.params.tokens)),
    messagesOf(row.messages),
    row.messages.length === 0 && el("p.faint", "This row holds no text."),
    el("details", el("summary", "all columns"), el("table", columns)),
  ];
}

function groupView(id) {
  return later(ask("group", { id }), (found) => {
    const rows = [...found.rows].sort((a, b) => (b.reward ?? -Infinity) - (a.reward ?? -Infinity));
    const left = found.total > rows.length ? `; ${rows.length} are shown` : "";
    return [
      el("div.bar", el("a.button", { href: linkTo({ group: "" }) }, "✕ close"),
        el("span.faint", `attempts at this problem in this step: ${found.total}, highest reward first${left}`)),
      el("div.card", facts(pairsOf(found.about)), el("pre", found.prompt)),
      el("div.group", rows.map((row) => groupCard(row, row.trajectory_id === id))),
    ];
  });
}

function groupCard(row, isOn) {
  const told = IN_GROUP.filter((name) => row[name] != null && row[name] !== "");
  const terms = Object.entries(row).filter(([name, value]) => name.startsWith("term_") && value != null);
  return el("article.card", { class: isOn ? "on" : "" },
    el("h3", el("a", { href: linkTo({ group: "", row: row.trajectory_id, beside: "" }) }, show(row.reward)),
      el("span.faint.small", ` ${told.map((name) => `${name.replace("num_", "")} ${show(row[name])}`).join(" · ")}`)),
    termsOf(Object.fromEntries(terms.map(([name, value]) => [name.slice("term_".length), value]))),
    textOf((row.response ?? "").trim()));
}

// What keys do to the list and to open transcripts.

export function moveBy(by) {
  if (!list.ids.length) return;
  if (at.params.row) list.cursor = list.ids.indexOf(at.params.row);
  list.cursor = Math.min(Math.max(list.cursor + by, 0), list.ids.length - 1);
  [...list.body.children].forEach((one, place) => one.classList.toggle("at", place === list.cursor));
  list.body.children[list.cursor].scrollIntoView({ block: "nearest" });
  if (at.params.row) go({ row: list.ids[list.cursor], beside: "" });
}

export const openRow = () => list.cursor >= 0 && go({ row: list.ids[list.cursor] });

export function putBeside() {
  const place = list.ids.indexOf(at.params.beside || at.params.row);
  if (at.params.row) go({ beside: list.ids[Math.min(place + 1, list.ids.length - 1)] });
}

export function closeOne() {
  if (at.params.group) go({ group: "" });
  else if (at.params.row) close(at.params.beside ? 1 : 0);
  else go({ finding: "", words: "", where: "" });
}
