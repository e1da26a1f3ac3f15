// The frame of the page: header, views, keys, and a look at the server every two seconds.

import { ask, el, show } from "./elements.js";
import { findingsView, versionsView } from "./findings.js";
import { numbersView } from "./numbers.js";
import { closeOne, keepList, moveBy, openRow, putBeside, rowsView } from "./rollouts.js";
import { at, go, hashOf, readAddress } from "./state.js";

const LOOK_MILLISECONDS = 2000;
const VIEWS = { numbers: numbersView, findings: findingsView, rows: rowsView, versions: versionsView };
const KEYS = [["1 2 3 4", "numbers, findings, rollouts, versions"], ["/", "filter by words"],
  ["j k", "next and previous rollout"], ["Enter", "open the rollout"], ["b", "put the next one beside the open one"],
  ["g", "its group side by side"], ["t", "its tokens"], ["[ ]", "previous and next step"], ["Esc", "close"], ["?", "these keys"]];

const byId = (id) => document.getElementById(id);

function tabs() {
  const causes = at.server.findings.filter((one) => !one.follows_from).length;
  const found = [["numbers", "Numbers"], ["findings", `Findings ${causes || ""}`], ["rows", "Rollouts"]];
  return at.server.is_campaign ? [...found, ["versions", "Versions"]] : found;
}

function header() {
  const { name, num_rows, is_judged, problem } = at.server;
  document.title = `${name} · EvoTrainer`;
  byId("name").textContent = name;
  byId("size").textContent = `${show(num_rows)} rows${is_judged ? "" : " · looking for faults …"}`;
  byId("problem").textContent = problem;
  byId("problem").hidden = !problem;
  byId("tabs").replaceChildren(...tabs().map(([tab, label]) => {
    const kept = tab === "numbers" || tab === "versions" ? { step: at.params.step, v: at.params.v } : {};
    const isOn = tab === at.params.tab;
    return el("a", { href: hashOf({ tab, ...kept }), class: isOn ? "on" : "", "aria-current": isOn ? "page" : null }, label);
  }));
}

function render() {
  readAddress();
  header();
  const scroll = window.scrollY, view = VIEWS[at.params.tab] ?? rowsView;
  byId("main").className = `on-${at.params.tab}`;
  byId("main").replaceChildren(...view().flat().filter(Boolean));
  window.scrollTo(0, scroll);
}

function focusWords() {
  if (at.params.tab !== "rows" || at.params.group) {
    history.pushState(null, "", hashOf({ tab: "rows" }));
    render();
  }
  document.querySelector("input[name=words]").focus();
}
const press = (title) => document.querySelector(`button[title^="${title} step"]`)?.click();
const PRESSED = {
  "/": focusWords,
  "?": () => byId("keys").showModal(),
  "[": () => press("previous"),
  "]": () => press("next"),
  j: () => moveBy(1),
  k: () => moveBy(-1),
  b: putBeside,
  g: () => at.params.row && go({ group: at.params.row }),
  t: () => go({ tokens: at.params.tokens ? "" : "1" }),
  Enter: openRow,
  Escape: closeOne,
};

addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open) return;
  if (target.matches("input,select")) {
    if (key === "Escape") target.blur();
    return;
  }
  if (key === "Enter" && target.matches("a,button,summary")) return;
  const tab = tabs()[Number(key) - 1]?.[0], act = tab ? () => go({ tab, group: "" }) : PRESSED[key];
  if (!act) return;
  event.preventDefault();
  act();
});

async function look() {
  try {
    const found = await ask("revision");
    if (found.revision !== at.server.revision || found.problem !== at.server.problem) {
      at.server = await ask("state");
      const isRead = at.params.row || at.params.group || document.activeElement.matches("input,select");
      if (isRead) {
        keepList();
        header();
      } else render();
    }
  } catch {
    byId("problem").textContent = "The server has ended: start it again with the same command.";
    byId("problem").hidden = false;
  }
  setTimeout(look, LOOK_MILLISECONDS);
}

addEventListener("hashchange", render);
byId("help").addEventListener("click", PRESSED["?"]);
byId("keys").querySelector("table").append(...KEYS.map(([key, what]) => el("tr", el("td", el("kbd", key)), el("td", what))));
at.server = await ask("state");
render();
setTimeout(look, LOOK_MILLISECONDS);
