"use strict";
// The page reads without this script. It adds the filter, the way from failure to failure, buttons that copy, and what
// links and printing open.
(() => {
  const several = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;

  const show = (target) => {
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    target.scrollIntoView();
    target.querySelector("summary")?.focus({ preventScroll: true });
  };

  // A link to a rule or a scenario opens it.
  const follow = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.closest("[hidden]")) reset();
    show(target);
  };
  window.addEventListener("hashchange", follow);

  const box = document.getElementById("filter"), only = document.getElementById("only"), found = document.getElementById("found");
  const rules = [...document.querySelectorAll(".rule")];
  let texts; // read at the first search: a large page is shown sooner
  const filter = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length) texts ??= new Map(rules.map((rule) => [rule, rule.textContent.toLowerCase()]));
    let shown = 0;
    for (const rule of rules) {
      const outcome = rule.dataset.outcome;
      const wanted = !only.value || (only.value === "not passed" ? outcome !== "passed" : outcome === only.value);
      rule.hidden = !(wanted && words.every((word) => texts.get(rule).includes(word)));
      if (!rule.hidden) shown++;
    }
    if (words.length || only.value) for (const rest of document.querySelectorAll(".rest")) rest.open = true;
    found.textContent = `${shown} of ${several(rules.length, "rule")}`;
  };
  const reset = () => { box.value = only.value = ""; filter(); };
  box.addEventListener("input", filter);
  only.addEventListener("change", filter);

  // From where the focus is to the next scenario that failed, or the one before; after the last one comes the first.
  let at = null; // where the last step led
  const failures = [...document.querySelectorAll(".scenario:not([data-outcome=passed], [data-outcome=skipped])")];
  const step = (on) => {
    const shown = failures.filter((failure) => !failure.closest("[hidden]"));
    if (!shown.length) return;
    const focus = document.activeElement;
    const from = focus.closest(".scenario") ?? (at && (focus === document.body || focus.closest(".find")) ? at : focus);
    const lies = (failure) => failure.compareDocumentPosition(from);
    const after = shown.findIndex((failure) => failure !== from && lies(failure) & Node.DOCUMENT_POSITION_PRECEDING);
    const before = shown.findLastIndex((failure) => failure !== from && lies(failure) & Node.DOCUMENT_POSITION_FOLLOWING);
    at = on ? shown.at(Math.max(after, 0)) : shown.at(before);
    show(at);
  };
  if (failures.length > 1) {
    for (const [text, key, on] of [["◀ Failure", "p", false], ["Failure ▶", "n", true]]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = text;
      button.title = `${on ? "the next" : "the previous"} failure (key ${key})`;
      button.addEventListener("click", () => step(on));
      document.getElementById("failures").append(button, " ");
    }
  }

  const keys = { "/": () => box.focus(), n: () => step(true), p: () => step(false) };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT)$/.test(document.activeElement.tagName)) return;
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  });

  // A button for each command; without the permission to write to the clipboard, what is to be copied is selected.
  for (const place of document.querySelectorAll(".copy")) {
    const command = place.querySelector(".command"), button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(command.textContent);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(command);
        button.textContent = "Selected: press Ctrl+C";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 3000);
    });
    command.before(button);
  }

  // On paper, what did not pass is open.
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")].filter((d) => d.dataset.outcome !== "passed" && d.dataset.outcome !== "skipped" && !d.closest("[data-outcome=passed]"));
    for (const d of opened) d.open = true;
  });
  window.addEventListener("afterprint", () => { for (const d of opened) d.open = false; });

  filter();
  follow();
  document.documentElement.dataset.ready = "true";
})();
