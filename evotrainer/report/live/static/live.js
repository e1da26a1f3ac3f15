// Follows a running campaign: the live part every two seconds, the whole page when a version was finished.
"use strict";
const INTERVAL = 2000;

async function replace(selector, address) {
  const answer = await fetch(address, { credentials: "same-origin" });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const found = page.querySelector(selector);
  const shown = document.querySelector(selector);
  if (found && shown) shown.replaceWith(document.adoptNode(found));
}

async function follow() {
  const before = document.getElementById("live");
  if (before && !document.hidden) {
    const stamp = before.dataset.stamp;
    try {
      await replace("#live", "/live");
      if (document.getElementById("live").dataset.stamp !== stamp) await replace("main", location.href);
    } catch (error) {
      const dot = document.querySelector(".state .dot");
      if (dot) dot.classList.remove("on"); // the server was ended
    }
  }
  setTimeout(follow, INTERVAL);
}

setTimeout(follow, INTERVAL);
