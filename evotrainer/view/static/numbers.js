// Numbers by step: each with its meaning, its curve, and what to do where it is red.

import { ask, choice, draw, el, isNumber, later, show } from "./elements.js";
import { allVersions, at, column, go, hashOf } from "./state.js";

const WIDTH = 240, HEIGHT = 54, EDGE = 4, ROWS = 12;

export function numbersView() {
  const { is_campaign, is_judged, numbers } = at.server;
  if (!is_campaign) {
    const none = is_judged ? "No number could be read from these rows." : "The numbers are being computed …";
    return [numbers ? numbersOf(numbers, {}) : el("p.faint", none)];
  }
  const version = at.params.v || allVersions().at(-1);
  if (!version) return [el("p.faint", "No version has begun.")];
  const none = `Nothing of a training of ${version} is stored: choose another version.`;
  const rows = { version, where: "stage = 'training'" };
  return [
    el("div.bar", choice("version", allVersions(), version, (v) => go({ v, step: "", beside_step: "" }))),
    later(ask("numbers", { version }), (found) => (found ? numbersOf(found, rows) : el("p.faint", none))),
  ];
}

function numbersOf(found, rows) {
  const { steps } = found;
  const asked = steps.map(String).indexOf(at.params.step);
  const chosen = asked >= 0 ? asked : found.changed_at == null ? steps.length - 1 : steps.indexOf(found.changed_at);
  const beside = steps.map(String).indexOf(at.params.beside_step);
  const shown = beside < 0 ? [chosen] : [chosen, beside];
  const lists = at.server.num_rows ? shown.map((place) => stepRows({ step: steps[place], ...rows })) : [];
  return el("div", steps.length > 1 ? stepBar(found, chosen) : el("p.faint.small", "One step: nothing to compare with."),
    el("div.cards", found.numbers.map((one) => numberCard(one, steps, chosen, beside))),
    el("div", { class: lists.length > 1 ? "two" : "" }, lists));
}

function stepBar(found, chosen) {
  const steps = found.steps.map(String);
  const to = (place) => go({ step: steps[Math.min(Math.max(place, 0), steps.length - 1)] });
  const says = found.changed_at == null ? "No step changed beyond noise." : `Most changed at step ${found.changed_at}.`;
  return el("div.bar",
    el("button", { title: "previous step ([)", onclick: () => to(chosen - 1) }, "◀"),
    choice("step", steps, steps[chosen], (step) => go({ step })),
    el("button", { title: "next step (])", onclick: () => to(chosen + 1) }, "▶"),
    choice("beside step", ["", ...steps], at.params.beside_step ?? "", (beside_step) => go({ beside_step })),
    el("span.faint.small", `${says} Choose a step in a curve; with Shift, the one beside it.`));
}

function numberCard(one, steps, chosen, beside) {
  const known = one.values.filter(isNumber), red = steps.filter((_, place) => one.red[place]);
  const value = one.values[chosen], other = one.values[beside];
  const moved = isNumber(value) && isNumber(other) ? ` (${other < value ? "" : "+"}${show(other - value)})` : "";
  const range = `; from ${show(Math.min(...known))} to ${show(Math.max(...known))}`;
  const when = red.length === steps.length ? "every step" : `${red.length} of ${steps.length} steps, first ${red[0]}`;
  return el("section.card.number", { class: one.red[chosen] ? "red" : "", "aria-label": one.label },
    el("h3", one.label, el("span.faint.small", ` ${one.unit}`)),
    el("p.value", show(value), beside >= 0 && el("span.other", ` ${show(other)}${moved}`)),
    steps.length > 1 && curve(one, steps, known, [chosen, beside]),
    el("p.small.faint", one.meaning, steps.length > 1 && known.length > 0 && range),
    red.length > 0 && el("p.small.bad", `Red at ${when}: ${one.advice}.`));
}

function curve(one, steps, known, marked) {
  const low = Math.min(...known), high = Math.max(...known), last = steps.length - 1;
  const x = (place) => (EDGE + (place * (WIDTH - 2 * EDGE)) / last).toFixed(1);
  const y = (value) => (high > low ? HEIGHT - 5 - ((value - low) * (HEIGHT - 10)) / (high - low) : HEIGHT / 2).toFixed(1);
  const points = one.values.map((value, place) => isNumber(value) && `${x(place)},${y(value)}`);
  const path = points.map((point, place) => (point ? (points[place - 1] ? "L" : "M") + point : "")).join("");
  const lines = marked.filter((place) => place >= 0).map((place, number) =>
    draw("line", { x1: x(place), x2: x(place), y1: 0, y2: HEIGHT, class: number ? "chosen second" : "chosen" }));
  const dots = points.map((point, place) => point && one.red[place] && draw("path", { d: `M${point}h0`, class: "redpoint" }));
  const label = `${one.label} by step, from ${show(low)} to ${show(high)}`;
  const given = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", class: "spark", role: "img", "aria-label": label };
  const svg = draw("svg", given, ...lines, draw("path", { d: path, class: "curve" }), ...dots);
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const share = (((event.clientX - box.left) / box.width) * WIDTH - EDGE) / (WIDTH - 2 * EDGE);
    const step = steps[Math.min(Math.max(Math.round(share * last), 0), last)];
    go({ [event.shiftKey ? "beside_step" : "step"]: String(step) });
  });
  return svg;
}

function stepRows(rows) {
  const link = (more) => hashOf({ tab: "rows", ...rows, ...more });
  const columns = ["reward", "problem_id", "response"].filter(column);
  const line = (row) => el("a.line", { href: link({ row: row.trajectory_id }) },
    el("b", show(row.reward)), ` ${show(row.problem_id)} `, el("span.faint", row.response ?? ""));
  return el("section.card.steprows",
    el("h3", `Rollouts of step ${rows.step} `, el("a.small", { href: link({}) }, "all")),
    later(ask("rows", { ...rows, sort: columns.includes("reward") ? "reward" : "", columns }), (found) => [
      el("p.faint.small", `${show(found.total)}, lowest rewards first`), found.rows.slice(0, ROWS).map(line)]));
}
