// What an attempt holds: its reward terms, messages and tokens. Long texts are laid out, and tokens made, as they are seen.

import { el, isNumber, show } from "./elements.js";

const CHUNK = 4000, LONG = 16000, TOKENS = 500;
const SURE = [0.9, 0.5, 0.1, 0.01];

export function termsOf(terms) {
  const most = Math.max(...Object.values(terms).filter(isNumber).map(Math.abs), 1e-9);
  return el("dl.terms", { "aria-label": "reward terms" }, Object.entries(terms).map(([name, value]) =>
    el("div", el("dt", name), el("dd", el("meter", { min: 0, max: most, value: Math.abs(value) }), ` ${show(value)}`))));
}

export function messagesOf(messages) {
  const calls = messages.filter((one) => one.role === "call");
  return el("ol.messages", messages.filter((one) => one.role !== "call").map((one) =>
    messageOf(one, calls.filter((call) => call.turn === one.turn))));
}

function messageOf(one, calls) {
  const marks = [
    one.tool,
    one.role === "assistant" && !one.is_policy && "not written by the policy",
    one.num_tokens && `${show(one.num_tokens)} tokens`,
    isNumber(one.mean_logprob) && `mean log-probability ${show(one.mean_logprob)}`,
  ];
  return el("li", { class: `${one.role}${one.is_policy ? " own" : ""}` },
    el("span.role", `${one.role} `, el("span.faint", marks.filter(Boolean).join(" · ")), one.ok === false && el("span.bad", " failed")),
    textOf(one.text ?? ""),
    calls.map((call) => el("pre.call", `${call.tool ?? ""} ${call.arguments ?? ""}`)));
}

export function textOf(text) {
  const parts = text.split(/(<think>[\s\S]*?(?:<\/think>|$))/).filter((one) => one.trim());
  return parts.map((part) => el("pre", { class: part.startsWith("<think>") ? "thought" : "" },
    part.length <= LONG ? part : chunksOf(part).map((chunk) => el("span.chunk", chunk))));
}

function chunksOf(text) {
  const found = [];
  for (let start = 0, end; start < text.length; start = end) {
    end = start + CHUNK;
    if (end < text.length) end = Math.max(text.lastIndexOf("\n", end), text.lastIndexOf(" ", end), start + CHUNK / 2) + 1;
    found.push(text.slice(start, end));
  }
  return found;
}

export function tokensOf(turns, isOpen) {
  const made = el("details.tokens", { open: isOpen }, el("summary", "tokens by log-probability"),
    el("p.small.legend", ["over 90%", "over 50%", "over 10%", "over 1%", "less"].map((word, level) => el(`span.p${level}`, word)),
      el("span.masked", "not in the loss")));
  made.addEventListener("toggle", () => made.append(...turns.map(tokenBox)), { once: true });
  return made;
}

function tokenBox(turn) {
  const ids = turn.token_ids ?? turn.logprobs ?? turn.loss_mask ?? [];
  const text = (place) => turn.texts?.[place] ?? ` ${turn.token_ids ? ids[place] : "·"}`;
  const places = (start) => Array.from({ length: Math.min(TOKENS, ids.length - start) }, (_, number) => start + number);
  const box = el("pre.tokenbox", turn.turn != null && el("span.faint", `turn ${turn.turn}\n`));
  const seen = new IntersectionObserver((entries) => {
    for (const { target } of entries.filter((one) => one.isIntersecting)) {
      seen.unobserve(target);
      target.replaceChildren(...places(Number(target.dataset.start)).map((place) => tokenOf(turn, place, text(place))));
    }
  }, { rootMargin: "400px" });
  for (let start = 0; start < ids.length; start += TOKENS) {
    const chunk = el("span.chunk", { "data-start": start }, places(start).map(text).join(""));
    box.append(chunk);
    seen.observe(chunk);
  }
  return box;
}

function tokenOf(turn, place, text) {
  const logprob = turn.logprobs?.[place], trainer = turn.trainer_logprobs?.[place];
  const isMasked = turn.loss_mask ? !turn.loss_mask[place] : turn.in_loss === false;
  const level = isNumber(logprob) ? SURE.filter((limit) => Math.exp(logprob) <= limit).length : 0;
  const title = [
    `token ${place}`,
    turn.token_ids && `id ${turn.token_ids[place]}`,
    isNumber(logprob) && `log-probability ${show(logprob)} (${show(100 * Math.exp(logprob))}%)`,
    isNumber(trainer) && `trainer ${show(trainer)}`,
    isMasked && "not in the loss",
  ];
  return el(`span.p${level}${isMasked ? ".masked" : ""}`, { title: title.filter(Boolean).join(", ") }, text);
}
