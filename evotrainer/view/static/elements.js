// Elements of the page. All text goes in as text nodes: nothing that a policy wrote is ever parsed as markup.

export const isNumber = (value) => typeof value === "number";
const isTold = (one) => one != null && one !== false;

// el("p.faint.small", { title: "why" }, "text", element): classes follow the tag, the object may be left out.
export function el(kind, ...content) {
  const [tag, ...classes] = kind.split(".");
  const made = document.createElement(tag);
  const given = content[0] && Object.getPrototypeOf(content[0]) === Object.prototype ? content.shift() : {};
  made.className = [...classes, given.class].filter(Boolean).join(" ");
  for (const [name, value] of Object.entries(given)) {
    if (name === "class" || !isTold(value)) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name in made) made[name] = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...content.flat(Infinity).filter(isTold));
  return made;
}

export function draw(tag, given, ...content) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(given)) made.setAttribute(name, value);
  made.append(...content.filter(Boolean));
  return made;
}

export function show(value) {
  if (value == null || value === "") return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (!isNumber(value)) return String(value);
  if (Number.isInteger(value)) return value.toLocaleString("en").replaceAll(",", "\u202f");
  return String(Number(value.toPrecision(4)));
}

export const failed = (error) => el("p.bad", { role: "alert" }, error.message);

export function facts(pairs) {
  const known = pairs.filter(([, value]) => value != null && value !== "");
  return el("dl.facts", known.map(([name, value]) => el("div", el("dt", name.replaceAll("_", " ")), el("dd", show(value)))));
}

export function table(head, rows, numeric = []) {
  const kind = (place) => (numeric.includes(place) ? ".n" : "");
  const cells = (tag, row) => row.map((cell, place) => el(tag + kind(place), cell));
  return el("table", el("thead", el("tr", cells("th", head))), el("tbody", rows.map((row) => el("tr", cells("td", row)))));
}

export function choice(label, values, chosen, onchange) {
  const options = values.map((value) => el("option", { value, selected: value === chosen }, value || "–"));
  const select = el("select", { "aria-label": label, onchange: () => onchange(select.value) }, options);
  return el("label.choice", el("span.faint.small", label), select);
}

export async function ask(name, given = {}) {
  const told = Object.entries(given).filter(([, value]) => value != null && value !== "");
  const answer = await fetch(`api/${name}?${new URLSearchParams(told)}`);
  const found = await answer.json().catch(() => ({ error: "The server could not answer: its terminal says why." }));
  if (!answer.ok) throw new Error(found.error);
  return found;
}

// A place that is filled once the server has answered.
export function later(answer, make, place = el("div")) {
  place.append(el("p.faint", "reading …"));
  const fill = (...content) => place.replaceChildren(...content.flat(Infinity).filter(isTold));
  answer.then((found) => fill(make(found))).catch((error) => fill(failed(error)));
  return place;
}
