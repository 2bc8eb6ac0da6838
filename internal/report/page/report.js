"use strict";
// The page reads without this script. It adds the filter, buttons that copy, and what links and printing open.
(() => {
  const several = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;

  // A link to a rule or a scenario opens it.
  const follow = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.closest("[hidden]")) reset();
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    target.scrollIntoView();
    target.querySelector("summary")?.focus({ preventScroll: true });
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
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !event.ctrlKey && !event.metaKey && !/^(INPUT|SELECT)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      box.focus();
    }
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
