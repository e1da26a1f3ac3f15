// The page: its state stands in the address after #, so that a link opens the same view again.
// All text goes in as text nodes: nothing that a policy wrote is ever parsed as markup.

const PAGE = 50, CHUNK = 4000, TOKEN_CHUNK = 500, POLL = 2000;
const COLUMNS = ["trajectory_id", "step", "version", "stage", "problem_id", "attempt", "reward", "correct", "advantage",
  "num_tokens", "num_turns", "stop_reason", "response"];
const KEYS = [["1 2 3 4", "numbers, findings, rollouts, versions"], ["/", "filter by words"],
  ["j k", "next and previous rollout"], ["Enter", "open the rollout"], ["b", "put it beside the open one"],
  ["g", "its group side by side"], ["t", "its tokens"], ["[ ]", "previous and next step"], ["Esc", "close"], ["?", "these keys"]];
let S = null, P = {}, cursor = -1, list = null, reading = 0;

const byId = (id) => document.getElementById(id);
const isNumber = (value) => typeof value === "number";

// el("p.faint.small", { title: "why" }, "text", otherElement): classes follow the tag, the object may be left out.
function el(kind, ...content) {
  const [tag, ...classes] = kind.split("."), made = document.createElement(tag);
  const given = content[0] && Object.getPrototypeOf(content[0]) === Object.prototype ? content.shift() : {};
  made.className = [...classes, given.class].filter(Boolean).join(" ");
  for (const [name, value] of Object.entries(given)) {
    if (name === "class" || value == null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name in made) made[name] = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...content.flat(Infinity).filter((one) => one != null && one !== false));
  return made;
}
function draw(tag, given = {}, ...content) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(given)) if (value != null) made.setAttribute(name, value);
  made.append(...content.filter(Boolean));
  return made;
}
function show(value) {
  if (value == null || value === "") return "–";
  if (value === true || value === false) return value ? "yes" : "no";
  if (!isNumber(value)) return String(value);
  return Number.isInteger(value) ? value.toLocaleString("en").replaceAll(",", "\u202f") : String(Number(value.toPrecision(4)));
}
async function ask(name, given = {}) {
  const query = new URLSearchParams(Object.entries(given).filter(([, value]) => value != null && value !== ""));
  const answer = await fetch(`api/${name}?${query}`);
  const found = await answer.json().catch(() => ({ error: "The server could not answer: its terminal says why." }));
  if (!answer.ok) throw new Error(found.error);
  return found;
}
const hashOf = (params) => `#${new URLSearchParams(Object.entries(params).filter(([, value]) => value))}`;
const linkTo = (changes) => hashOf({ ...P, ...changes });
const go = (changes) => { location.hash = linkTo(changes); };
const kindOf = (name) => S.columns.find((one) => one.name === name)?.kind;
const hasColumn = (name) => kindOf(name) !== undefined;
const failed = (error) => el("p.bad", { role: "alert" }, error.message);

// -- the frame of the page

function tabs() {
  const found = [["numbers", "Numbers"], ["findings", `Findings ${S.findings.filter((one) => !one.follows_from).length || ""}`],
    ["rows", "Rollouts"]];
  return S.is_campaign ? [...found, ["versions", "Versions"]] : found;
}
function opening() {
  if (S.is_campaign) return { tab: "versions", v: S.lineage.changed_at ?? "" };
  if (S.numbers?.steps.length > 1) return { tab: "numbers", step: S.numbers.changed_at == null ? ""
    : String(S.numbers.changed_at) };
  return { tab: S.findings.length || !S.is_judged ? "findings" : "rows" };
}
function render() {
  P = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  if (!P.tab) P = { ...opening(), ...P };
  document.title = `${S.name} · EvoTrainer`;
  byId("name").textContent = S.name;
  byId("size").textContent = `${show(S.num_rows)} rows${S.is_judged ? "" : " · looking for faults …"}`;
  byId("problem").textContent = S.problem;
  byId("problem").hidden = !S.problem;
  byId("tabs").replaceChildren(...tabs().map(([name, label]) =>
    el("a", { href: hashOf({ tab: name, ...(name === "numbers" || name === "versions" ? { step: P.step, v: P.v } : {}) }),
      class: P.tab === name ? "on" : "", "aria-current": P.tab === name ? "page" : null }, label)));
  const view = { numbers: numbersView, findings: findingsView, rows: rowsView, versions: versionsView }[P.tab] ?? rowsView;
  const scroll = window.scrollY;
  byId("main").className = `on-${P.tab}`;
  byId("main").replaceChildren(...view());
  window.scrollTo(0, scroll);
}

// -- (a) numbers by step

function numbersView() {
  const place = el("div", el("p.faint", "reading …"));
  if (!S.is_campaign) return [S.numbers ? numbersOf(S.numbers) : el("p.faint", S.is_judged
    ? "No number could be read from these rows." : "The numbers are being computed …")];
  const names = [...S.lineage.versions.map((one) => one.version), ...S.lineage.open], chosen = P.v || names.at(-1);
  if (!chosen) return [el("p.faint", "No version has begun.")];
  ask("numbers", { version: chosen }).then((found) => place.replaceChildren(found ? numbersOf(found) : el("p.faint",
    `Nothing of a training of ${chosen} is stored: choose another version.`)), (error) => place.replaceChildren(failed(error)));
  return [el("div.bar", choice("version", names, chosen, (v) => go({ v, step: "", beside_step: "" }))), place];
}
function numbersOf(found) {
  const steps = found.steps, chosen = steps.includes(Number(P.step)) && P.step ? Number(P.step) : found.changed_at
    ?? steps.at(-1);
  const other = P.beside_step && steps.includes(Number(P.beside_step)) ? Number(P.beside_step) : null;
  const at = steps.indexOf(chosen), beside = other == null ? -1 : steps.indexOf(other);
  const isOneStep = steps.length < 2;
  const says = found.changed_at == null ? "No step changed beyond noise." : `Most changed at step ${found.changed_at}.`;
  const bar = el("div.bar",
    !isOneStep && el("button", { title: "previous step ([)", onclick: () => stepBy(steps, chosen, -1) }, "◀"),
    !isOneStep && choice("step", steps.map(String), String(chosen), (step) => go({ step })),
    !isOneStep && el("button", { title: "next step (])", onclick: () => stepBy(steps, chosen, 1) }, "▶"),
    !isOneStep && choice("beside step", ["", ...steps.map(String)], P.beside_step ?? "", (beside_step) => go({ beside_step })),
    el("span.faint.small", isOneStep ? "One step: nothing to compare with."
      : `${says} Choose a step in a curve; with Shift, the one beside it.`));
  const cards = found.numbers.map((one) => numberCard(one, steps, at, beside));
  const extra = S.is_campaign ? { version: P.v || [...S.lineage.versions.map((one) => one.version), ...S.lineage.open].at(-1),
    where: "stage = 'training'" } : {};
  const lists = steps.length && S.num_rows ? [chosen, ...(other == null ? [] : [other])].map((step) => stepRows(step, extra))
    : [];
  return el("div", { id: "numbers", "data-steps": steps.join(" ") }, bar, el("div.cards", cards), lists.length > 0 && el("div",
    { class: lists.length > 1 ? "two" : "" }, lists));
}
const stepBy = (steps, chosen, by) => go({ step: String(steps[Math.min(Math.max(steps.indexOf(chosen) + by, 0),
  steps.length - 1)]) });

function numberCard(one, steps, at, beside) {
  const isRed = one.red.some(Boolean), redSteps = steps.filter((_, place) => one.red[place]);
  const known = one.values.filter(isNumber), value = one.values[at], other = beside < 0 ? null : one.values[beside];
  return el("section", { class: `card number${one.red[at] ? " red" : ""}`, "aria-label": one.label },
    el("h3", one.label, el("span.faint.small", ` ${one.unit}`)),
    el("p.value", show(value), beside < 0 ? null : el("span.other", ` ${show(other)}`, isNumber(value) && isNumber(other)
      ? ` (${other - value < 0 ? "" : "+"}${show(other - value)})` : "")),
    steps.length > 1 && curve(one, steps, at, beside),
    el("p.small.faint", one.meaning, steps.length > 1 && known.length > 0
      && `; from ${show(Math.min(...known))} to ${show(Math.max(...known))}`),
    isRed && el("p.small.bad", `Red at ${redSteps.length === steps.length ? "every step" : `${redSteps.length} of ${steps.length} steps, first ${redSteps[0]}`}: ${one.advice}.`));
}
function curve(one, steps, at, beside) {
  const width = 240, height = 54, known = one.values.filter(isNumber), low = Math.min(...known), high = Math.max(...known);
  const x = (place) => 4 + place * (width - 8) / Math.max(steps.length - 1, 1);
  const y = (value) => high > low ? height - 5 - (value - low) * (height - 10) / (high - low) : height / 2;
  let path = "", isOn = false;
  one.values.forEach((value, place) => { if (isNumber(value)) path += `${isOn ? "L" : "M"}${x(place).toFixed(1)},${y(value).toFixed(1)}`; isOn = isNumber(value); });
  const mark = (place, name) => place >= 0 && draw("line", { x1: x(place), x2: x(place), y1: 0, y2: height, class: name });
  const dots = one.values.map((value, place) => one.red[place] && isNumber(value) && draw("path",
    { d: `M${x(place)},${y(value)}h0`, class: "redpoint" }));
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, class: "spark", preserveAspectRatio: "none", role: "img",
    "aria-label": `${one.label} by step, from ${show(low)} to ${show(high)}` }, mark(at, "chosen"),
    mark(beside, "chosen second"), draw("path", { d: path, class: "curve" }), ...dots);
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect(), place = Math.round(((event.clientX - box.left) / box.width * width - 4) / (width - 8) * (steps.length - 1));
    go({ [event.shiftKey ? "beside_step" : "step"]: String(steps[Math.min(Math.max(place, 0), steps.length - 1)]) });
  });
  return svg;
}
function stepRows(step, extra) {
  const place = el("section.card.steprows", el("h3", `Rollouts of step ${step} `,
    el("a.small", { href: hashOf({ tab: "rows", step, ...extra }) }, "all")));
  const names = ["reward", "problem_id", "num_tokens", "response"].filter(hasColumn);
  ask("rows", { step, ...extra, sort: hasColumn("reward") ? "reward" : "", columns: names }).then((found) => {
    const half = found.rows.slice(0, 12);
    place.append(el("p.faint.small", `${show(found.total)}, lowest rewards first`), ...half.map((row) =>
      el("a.line", { href: hashOf({ tab: "rows", step, ...extra, row: row.trajectory_id }) }, el("b", show(row.reward)),
        ` ${show(row.problem_id)} `, el("span.faint", row.response ?? ""))));
  }, (error) => place.append(failed(error)));
  return place;
}

// -- (b) findings

function findingsView() {
  const causes = S.findings.filter((one) => !one.follows_from && (!P.version || one.version === P.version));
  const overview = el("ul.overview", S.overview.map((line) => el("li", line)));
  const none = S.is_judged ? "Nothing was found among what these rows let the checks look at." : "The checks are looking …";
  const unjudged = S.unjudged.length > 0 && el("details.card",
    el("summary", `${S.unjudged.length} modes could not be looked for`),
    el("table", S.unjudged.map((one) => el("tr", el("td", one.mode), el("td", one.missing.join(", ")),
      el("td", one.advice.join("; "))))));
  const all = P.version && el("a.button", { href: linkTo({ version: "" }), title: "show all again" }, `${P.version} ✕`);
  return [all, overview, ...(causes.length ? causes.map((one) => findingCard(one, S.findings.filter((other) =>
    other.follows_from === one.mode && other.version === one.version))) : [el("p.faint", none)]), unjudged].filter(Boolean);
}
function findingCard(one, effects) {
  return el("article", { class: `card finding ${one.severity}` },
    el("h3", el("span", { class: `severity ${one.severity}` }, one.severity), " ", el("code", one.mode), S.is_campaign
      && ` ${one.version}`, one.step != null && el("span.faint", ` step ${one.step}`)),
    el("p", one.message), one.doubt && el("p.faint", one.doubt),
    el("p.numbers.small", Object.entries(one.numbers).map(([name, value]) => el("span", `${name} `, el("b", show(value))))),
    one.excerpt && el("pre.excerpt", one.excerpt),
    el("p.small", one.num_rows > 0 && el("a.button", { href: hashOf({ tab: "rows", finding: one.key }) },
      `its ${show(one.num_rows)} rollouts`), one.num_rows > 0 && one.trajectory_ids.slice(0, 3).map((id) => [" ",
      el("a", { href: hashOf({ tab: "rows", finding: one.key, row: id }) }, el("code", id))])),
    effects.length > 0 && el("details", el("summary.small", `from it follows: ${effects.map((other) => other.mode).join(", ")}`),
      effects.map((other) => findingCard(other, []))));
}

// -- (c) rollouts

const asked = () => Object.fromEntries(["words", "where", "step", "version", "finding", "sort", "down"].map((name) => [name,
  P[name]]));
const shownColumns = () => P.columns ? P.columns.split(",") : COLUMNS.filter((name) => hasColumn(name) && (S.is_campaign
  || name !== "version" && (name !== "step" || S.numbers?.steps.length > 1)));

function rowsView() {
  if (P.group) return [groupView(P.group)];
  const key = JSON.stringify([asked(), P.columns, S.revision]);
  if (list?.key !== key) list = { key, ids: [], view: listView() };
  const details = [P.row, P.beside].filter(Boolean).map((id, place) => rowView(id, place));
  list.view.querySelectorAll("tr.on").forEach((one) => one.classList.remove("on"));
  list.ids.forEach((id, place) => { if (id === P.row || id === P.beside) list.body.children[place].classList.add("on"); });
  const shape = details.length > 1 ? "two" : details.length ? "split" : "";
  return [toolbar(), el("div", { class: shape }, details.length < 2 && list.view, details)];
}
function field(name, label, given = {}) {
  const input = el("input", { name, value: P[name] ?? "", placeholder: label, "aria-label": label, autocomplete: "off",
    spellcheck: false, ...given });
  return el("form", { class: `field ${name}`, onsubmit: (event) =>
    { event.preventDefault(); go({ [name]: input.value.trim() }); input.blur(); } }, input);
}
function choice(label, values, chosen, onchange) {
  return el("label.choice", el("span.faint.small", label), el("select", { "aria-label": label, onchange: (event) =>
    onchange(event.target.value) }, values.map((value) => el("option", { value, selected: value === chosen }, value || "–"))));
}
function toolbar() {
  const versions = S.lineage?.versions.map((one) => one.version) ?? [];
  const sortable = S.columns.filter((one) => one.kind !== "list").map((one) => one.name);
  const boxes = S.columns.map((one) => el("label", { title: one.meaning }, el("input", { type: "checkbox",
    checked: shownColumns().includes(one.name), onchange: (event) => go({ columns: (event.target.checked ? [...shownColumns(),
    one.name] : shownColumns().filter((name) => name !== one.name)).join(",") }) }), one.name, el("span.faint.small",
    ` ${one.meaning || one.kind}`)));
  return el("div.bar",
    field("words", "words, \"a phrase\"  ( / )"), field("where", "SQL, like reward > 0.5 and num_turns < 3"),
      field("step", "step", { inputMode: "numeric" }),
    S.is_campaign && choice("version", ["", ...versions], P.version ?? "", (version) => go({ version })),
    choice("sort", ["", ...sortable], P.sort ?? "", (sort) => go({ sort })),
    el("button", { title: "turn the order", onclick: () => go({ down: P.down ? "" : "1" }) }, P.down ? "▼" : "▲"),
    P.finding && el("a.button", { href: linkTo({ finding: "" }), title: "show all again" }, `${P.finding} ✕`),
    el("details.columns", el("summary", "columns"), el("div.card", boxes)));
}
function listView() {
  const names = shownColumns(), body = el("tbody"), count = el("p.faint.small", { role: "status" }, "reading …");
  const head = names.map((name) => el("th", { class: kindOf(name) === "number" ? "n" : "", title: S.columns.find((one) =>
    one.name === name)?.meaning, "aria-sort": P.sort === name ? (P.down ? "descending" : "ascending") : null },
    kindOf(name) === "list" ? name : el("a", { href: linkTo({ sort: name, down: P.sort === name && !P.down ? "1" : "" }) }, name,
      P.sort === name ? (P.down ? " ▼" : " ▲") : "")));
  const more = el("button.more", { onclick: () => fill(), hidden: true }, "more");
  const made = el("div.list", count, el("table", el("thead", el("tr", head)), body), more);
  const mine = ++reading;
  let isReading = false;
  async function fill() {
    if (isReading) return;
    isReading = true;
    try {
      const found = await ask("rows", { ...asked(), columns: names, offset: body.children.length });
      if (mine !== reading) return;
      list.ids.push(...found.rows.map((row) => row.trajectory_id));
      list.body = body;
      body.append(...found.rows.map((row) => listRow(row, names)));
      more.hidden = body.children.length >= found.total;
      count.textContent = `${show(found.total)} of ${show(S.num_rows)} rows`;
    } catch (error) { count.replaceChildren(failed(error)); }
    isReading = false;
  }
  new IntersectionObserver((seen) => { if (seen.some((one) => one.isIntersecting)
    && body.children.length) fill(); }).observe(more);
  queueMicrotask(fill);
  return made;
}
function listRow(row, names) {
  const open = (event) => { cursor = list.ids.indexOf(row.trajectory_id); go(event.shiftKey && P.row
    ? { beside: row.trajectory_id } : { row: row.trajectory_id, beside: "" }); };
  const cells = names.map((name) => {
    const value = row[name], text = show(value), kind = kindOf(name);
    return el("td", { class: kind === "number" ? "n" : kind === "text" && text.length > 30 ? "long" : "", "data-name": name },
      name === "trajectory_id" ? el("a", { href: linkTo({ row: value, beside: "" }), onclick: (event) =>
      { if (event.shiftKey) event.preventDefault(); } }, text) : text);
  });
  return el("tr", { class: row.trajectory_id === P.row || row.trajectory_id === P.beside ? "on" : "", onclick: open }, cells);
}

function rowView(id, place) {
  const made = el("article.detail.card", { "aria-label": `rollout ${id}` }, el("p.faint", "reading …"));
  ask("row", { id }).then((row) => made.replaceChildren(...rowParts(row, place)), (error) => made.replaceChildren(failed(error),
    el("button", { onclick: () => close(place) }, "close")));
  return made;
}
const close = (place) => go(place ? { beside: "" } : { row: P.beside ?? "", beside: "" });

function rowParts(row, place) {
  const { columns } = row, facts = ["version", "stage", "step", "problem_id", "attempt", "reward", "correct", "advantage",
    "in_loss", "num_tokens", "mean_logprob", "stop_reason", "is_truncated", "format_ok", "error", "gold", "answer", "final"];
  const tokens = row.tokens.length > 0 && el("details.tokens", { open: Boolean(P.tokens), ontoggle: (event) =>
    { if (event.target.open && !event.target.dataset.drawn) { event.target.dataset.drawn = 1; event.target.append(...row.tokens.map(tokensOf)); } } },
    el("summary", "tokens by log-probability"), el("p.small.legend", ["sure", "90%", "50%", "10%", "1%"].map((word, level) =>
      el("span", { class: `p${level}` }, word)), el("span.masked", "not in the loss")));
  return [
    el("header", el("h3", el("code", row.id)),
      el("button", { title: "next to the list again (Esc)", onclick: () => close(place) }, "✕ close"),
      el("a.button", { href: linkTo({ group: row.id }) }, "group"),
      el("button", { onclick: (event) => { navigator.clipboard?.writeText(location.href); event.target.textContent = "copied"; } }, "copy link"),
      !P.beside && el("span.faint.small", " b: the next one beside it")),
    el("dl.facts", facts.filter((name) => columns[name] != null && columns[name] !== "" && (name !== "version"
      || S.is_campaign)).map((name) => el("div", el("dt", name.replaceAll("_", " ")), el("dd", show(columns[name]))))),
    Object.keys(row.terms).length > 0 && termsOf(row.terms),
    row.findings.length > 0 && el("p.small", "in the findings: ",
      row.findings.map((key) => [el("a", { href: hashOf({ tab: "rows", finding: key }) }, el("code", key)), " "])),
    tokens,
    el("ol.messages", row.messages.filter((one) => one.role !== "call").map((one) => messageOf(one, row.messages.filter((call) =>
      call.role === "call" && call.turn === one.turn)))),
    row.messages.length === 0 && el("p.faint", "This row holds no text."),
    el("details", el("summary", "all columns"), el("table", Object.entries(columns).map(([name, value]) => el("tr",
      el("td.faint", name), el("td.any", show(value)))))),
  ].filter(Boolean);
}
function termsOf(terms) {
  const most = Math.max(...Object.values(terms).filter(isNumber).map(Math.abs), 1e-9);
  return el("dl.terms", { "aria-label": "reward terms" }, Object.entries(terms).map(([name, value]) => el("div", el("dt", name),
    el("dd", el("meter", { min: 0, max: most, value: Math.abs(value), class: value < 0 ? "less" : "" }), ` ${show(value)}`))));
}
function messageOf(one, calls) {
  const marks = [one.tool, one.role === "assistant" && !one.is_policy && "not written by the policy", one.num_tokens
    && `${show(one.num_tokens)} tokens`, isNumber(one.mean_logprob)
    && `mean log-probability ${show(one.mean_logprob)}`].filter(Boolean).join(" · ");
  return el("li", { class: `${one.role}${one.is_policy ? " own" : ""}` }, el("span.role", `${one.role} `, el("span.faint",
    marks), one.ok === false && el("span.bad", " failed")),
    textOf(one.text ?? ""), calls.map((call) => el("pre.call", `${call.tool ?? ""} ${call.arguments ?? ""}`)));
}
function textOf(text) {
  const parts = text.split(/(<think>[\s\S]*?(?:<\/think>|$))/).filter((one) => one.trim());
  return parts.map((part) => el("pre", { class: part.startsWith("<think>") ? "thought" : "" }, part.length <= CHUNK * 4 ? part
    : chunksOf(part).map((chunk) => el("span.chunk", chunk))));
}
function chunksOf(text) {
  const found = [];
  for (let start = 0; start < text.length;) {
    let end = start + CHUNK;
    if (end < text.length) end = Math.max(text.lastIndexOf("\n", end), text.lastIndexOf(" ", end), start + CHUNK / 2) + 1;
    found.push(text.slice(start, end));
    start = end;
  }
  return found;
}
function tokensOf(one) {
  const ids = one.token_ids ?? one.logprobs ?? one.loss_mask ?? [], text = (place) => one.texts?.[place]
    ?? ` ${one.token_ids ? ids[place] : "·"}`;
  const level = (value) => value == null ? "" : value > Math.log(0.9) ? "p0" : value > Math.log(0.5) ? "p1"
    : value > Math.log(0.1) ? "p2" : value > Math.log(0.01) ? "p3" : "p4";
  const box = el("pre.tokenbox", one.turn == null ? null : el("span.faint", `turn ${one.turn}\n`));
  const fill = new IntersectionObserver((seen) => seen.filter((one) => one.isIntersecting).forEach(({ target }) => {
    fill.unobserve(target);
    const start = Number(target.dataset.start), spans = [];
    for (let place = start; place < Math.min(start + TOKEN_CHUNK, ids.length); place++) {
      const logprob = one.logprobs?.[place], trainer = one.trainer_logprobs?.[place], isMasked = one.loss_mask
        ? !one.loss_mask[place] : one.in_loss === false;
      const title = [`token ${place}`, one.token_ids && `id ${one.token_ids[place]}`, logprob != null
        && `log-probability ${show(logprob)} (${show(100 * Math.exp(logprob))}%)`, trainer != null && `trainer ${show(trainer)}`,
        isMasked && "not in the loss"].filter(Boolean).join(", ");
      spans.push(el("span", { class: `${level(logprob)}${isMasked ? " masked" : ""}`, title }, text(place)));
    }
    target.replaceChildren(...spans);
  }), { rootMargin: "400px" });
  for (let start = 0; start < ids.length; start += TOKEN_CHUNK) {
    const chunk = el("span.chunk", { "data-start": start }, Array.from({ length: Math.min(TOKEN_CHUNK, ids.length - start) },
      (_, place) => text(start + place)).join(""));
    box.append(chunk);
    fill.observe(chunk);
  }
  return box;
}
function groupView(id) {
  const place = el("section", el("p.faint", "reading …"));
  ask("group", { id }).then((found) => {
    const rows = [...found.rows].sort((a, b) => (b.reward ?? -Infinity) - (a.reward ?? -Infinity));
    const about = Object.entries(found.about).filter(([name, value]) => value != null && value !== "" && (name !== "version"
      || S.is_campaign)).map(([name, value]) => el("div", el("dt", name.replaceAll("_", " ")), el("dd", show(value))));
    place.replaceChildren(
      el("div.bar", el("a.button", { href: linkTo({ group: "" }) }, "✕ close"), el("span.faint",
        `attempts at this problem in this step: ${found.total}, highest reward first${found.total > rows.length ? `; ${rows.length} are shown` : ""}`)),
      el("div.card", el("dl.facts", about), el("pre", found.prompt)),
      el("div.group", rows.map((row) => el("article", { class: `card${row.trajectory_id === id ? " on" : ""}` },
        el("h3", el("a", { href: linkTo({ group: "", row: row.trajectory_id, beside: "" }) }, show(row.reward)),
          el("span.faint.small", ` ${["correct", "num_tokens", "advantage", "stop_reason", "final", "answer"].filter((name) => row[name] != null && row[name] !== "").map((name) => `${name.replace("num_", "")} ${show(row[name])}`).join(" · ")}`)),
        termsOf(Object.fromEntries(Object.entries(row).filter(([name, value]) => name.startsWith("term_")
          && value != null).map(([name, value]) => [name.slice(5), value]))),
        textOf((row.response ?? "").trim())))));
  }, (error) => place.replaceChildren(failed(error), el("a", { href: linkTo({ group: "" }) }, "close")));
  return place;
}

// -- (d) versions of a campaign

function versionsView() {
  if (!S.lineage) return [el("p.faint", "These rows are of no campaign: there are no versions.")];
  if (!S.lineage.versions.length) return [el("ul.overview", ["No version is closed yet:", ...S.overview].map((line) => el("li",
    line)))];
  const chosen = S.lineage.versions.some((one) => one.version === P.v) ? P.v : S.lineage.changed_at;
  const figure = el("figure.card.scroll", document.importNode(new DOMParser().parseFromString(S.lineage.lineage,
    "image/svg+xml").documentElement, true));
  figure.addEventListener("click", (event) => { const link = event.target.closest("a"); if (link) { event.preventDefault(); go({ v: link.getAttribute("href").slice(1), against: "" }); } });
  const change = (one) => one ? `${show(one.difference)} [${show(one.low)}, ${show(one.high)}]${one.is_fresh ? " fresh" : ""}`
    : "–";
  const rows = S.lineage.versions.map((one) => el("tr", { class: one.version === chosen ? "on" : "", onclick: () =>
    go({ v: one.version, against: "" }) }, el("td", el("a", { href: linkTo({ v: one.version, against: "" }) }, one.version)),
    el("td.n", show(one.verdict.score)), el("td.n", show(one.verdict.greedy_score)),
    el("td", el("span", { class: `badge ${one.verdict.outcome}` }, one.verdict.outcome)),
      el("td", change(one.against_incumbent)), el("td", one.change), el("td.faint", one.parents.join(" + "))));
  const head = ["version", "score", "greedy", "verdict", "difference to its incumbent", "change", "from"].map((name, place) =>
    el("th", { class: place === 1 || place === 2 ? "n" : "" }, name));
  return [S.overview.length > 0 && el("ul.overview", S.overview.map((line) => el("li", line))), figure,
    el("div.card.scroll.list", el("table", el("thead", el("tr", head)), el("tbody", rows))),
    versionDetail(chosen)].filter(Boolean);
}
function versionDetail(name) {
  const one = S.lineage.versions.find((other) => other.version === name), names = S.lineage.versions.map((other) =>
    other.version);
  if (!one) return el("p.bad", `There is no closed version ${name}.`);
  const against = P.against || one.parents[0] || "", place = el("div");
  if (against && against !== name) ask("diff", { first: against, second: name }).then((found) => {
    const line = ([key, [old, now]]) => el("tr", el("td", key), el("td.n", show(old)), el("td.n", show(now)));
    const metrics = found.leading.map((key) => [key, found.metrics[key]]);
    place.append(el("table.diff", el("thead", el("tr", el("th", ""), el("th.n", found.first), el("th.n", found.second))),
      el("tbody", line(["outcome", found.outcomes]), Object.entries(found.changes).map(line), metrics.map(line))));
  }, (error) => place.append(failed(error)));
  return el("article.card.version", el("h3", one.version, " ", el("span", { class: `badge ${one.verdict.outcome}` },
    one.verdict.outcome)),
    el("p.small", el("a.button", { href: hashOf({ tab: "numbers", v: name }) }, "numbers of its training"), " ", el("a.button",
      { href: hashOf({ tab: "rows", version: name }) }, "its rollouts"), " ", el("a.button",
      { href: hashOf({ tab: "findings", version: name }) }, "its findings")),
    one.lines.map((line) => el("p", { class: line.startsWith(" ") ? "inner" : "" }, line.trim())),
    el("div.bar", choice("differences from", ["", ...names.filter((other) => other !== name)], against,
      (value) => go({ against: value }))), place);
}

// -- keys, links, and files that grow

function moveBy(by) {
  if (!list?.ids.length) return;
  if (P.row) cursor = list.ids.indexOf(P.row);
  cursor = Math.min(Math.max(cursor + by, 0), list.ids.length - 1);
  list.body.querySelectorAll("tr.at").forEach((one) => one.classList.remove("at"));
  list.body.children[cursor].classList.add("at");
  list.body.children[cursor].scrollIntoView({ block: "nearest" });
  if (P.row) go({ row: list.ids[cursor], beside: "" });
}
const closeOne = () => P.group ? go({ group: "" }) : P.beside ? close(1) : P.row ? close(0) : go({ finding: "", words: "",
  where: "" });
const PRESSED = {
  "/": () => { if (P.tab !== "rows") go({ tab: "rows" }); setTimeout(() =>
    document.querySelector("input[name=words]")?.focus()); },
  "?": () => byId("keys").showModal(),
  j: () => moveBy(1), ArrowDown: () => P.row && moveBy(1), k: () => moveBy(-1), ArrowUp: () => P.row && moveBy(-1),
  Enter: () => cursor >= 0 && P.tab === "rows" && go({ row: list.ids[cursor] }),
  b: () => { if (!P.row) return; const at = list.ids.indexOf(P.beside || P.row); go({ beside: list.ids[Math.min(at + 1,
    list.ids.length - 1)] }); },
  g: () => P.row && go({ group: P.row }),
  t: () => go({ tokens: P.tokens ? "" : "1" }),
  "[": () => document.querySelector("button[title^=previous]")?.click(),
    "]": () => document.querySelector("button[title^=next\\ step]")?.click(),
  Escape: closeOne,
};
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open) return;
  if (event.target.matches("input,select,textarea")) { if (event.key === "Escape") event.target.blur(); return; }
  const place = Number(event.key) - 1, act = PRESSED[event.key];
  if (tabs()[place]) go({ tab: tabs()[place][0], group: "" });
  else if (act && !(event.key === "Enter" && event.target.matches("a,button,summary"))) { event.preventDefault(); act(); }
});
addEventListener("hashchange", render);
byId("help").addEventListener("click", PRESSED["?"]);
byId("keys").querySelector("table").append(...KEYS.map(([key, what]) => el("tr", el("td", el("kbd", key)), el("td", what))));

async function follow() {
  try {
    const found = await ask("revision");
    if (found.revision !== S.revision || found.problem !== S.problem) {
      S = await ask("state");
      const isBusy = P.row || P.group || document.activeElement?.matches("input,select");
      if (isBusy) { list = list && { ...list, key: JSON.stringify([asked(), P.columns,
        S.revision]) }; byId("size").textContent = `${show(S.num_rows)} rows`; } else render();
    }
  } catch { byId("problem").textContent = "The server has ended: start it again with the same command."; byId("problem").hidden = false; }
  setTimeout(follow, POLL);
}
S = await ask("state");
render();
setTimeout(follow, POLL);
