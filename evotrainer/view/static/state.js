// What the page shows: its state stands in the address after #, so that a link opens the same view again.

export const at = { server: null, params: {} };

export const hashOf = (params) => `#${new URLSearchParams(Object.entries(params).filter(([, value]) => value))}`;
export const linkTo = (changes) => hashOf({ ...at.params, ...changes });
export const go = (changes) => { location.hash = linkTo(changes); };
export const column = (name) => at.server.columns.find((one) => one.name === name);

// Versions of a campaign: the closed ones, then those that are open.
export const closedVersions = () => at.server.lineage?.versions.map((one) => one.version) ?? [];
export const allVersions = () => [...closedVersions(), ...(at.server.lineage?.open ?? [])];

export function readAddress() {
  const params = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  at.params = params.tab ? params : { ...opening(), ...params };
}

// Without an address the page opens on the step or version where something changed.
function opening() {
  const { is_campaign, is_judged, lineage, numbers, findings } = at.server;
  if (is_campaign) return { tab: "versions", v: lineage.changed_at ?? "" };
  if (numbers?.steps.length > 1) return { tab: "numbers", step: String(numbers.changed_at ?? "") };
  return { tab: findings.length || !is_judged ? "findings" : "rows" };
}
