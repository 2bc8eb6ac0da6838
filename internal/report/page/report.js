"use strict";
(() => {
  const data = JSON.parse(document.getElementById("calls").textContent);
  const text = (i) => data.texts[i] ?? "";
  const milliseconds = (us) => (us >= 10000 ? Math.round(us / 1000) : (us / 1000).toPrecision(2)) + " ms";
  const several = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;

  const make = (tag, className, content) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (content) element.textContent = content;
    return element;
  };

  // A call is [what, key, start, duration, status, count, attempts, flags, error, units, inner]; times are in microseconds,
  // units are of capacity.
  const flag = { odd: 1, late: 2, write: 4, wide: 8, unsure: 16 };

  const callItem = (call, span, isInner) => {
    const [what, key, start = 0, duration = 0, status = 0, count = 0, attempts = 0, flags = 0, error = 0, units = 0] =
      call;
    const item = make("li", (flags & flag.odd ? "odd " : "") + (isInner ? "inner" : ""));
    item.append(make("span", "what", (flags & flag.odd ? "→ " : "") + text(what)));
    item.append(make("span", "key", text(key)));
    const notes = [status ? String(status) : "no answer"];
    if (error) notes.push(text(error));
    if (count) notes.push("× " + count);
    if (units) notes.push(several(units, "unit"));
    if (attempts > 1) notes.push(several(attempts, "attempt"));
    if (flags & flag.late) notes.push("after the answer");
    if (flags & flag.unsure) notes.push("may belong to an earlier request");
    item.append(make("span", "said", notes.join(", ")));
    if (isInner) return item;
    item.append(make("span", "time", milliseconds(duration)));
    const track = make("span", "track"), bar = make("i", flags & flag.wide ? "wide" : flags & flag.write ? "write" : "");
    track.setAttribute("aria-hidden", "true");
    bar.style.left = `min(${(100 * start) / span}%, 100% - 2px)`;
    bar.style.width = `${(100 * duration) / span}%`;
    track.append(bar);
    item.append(track);
    return item;
  };

  // A request is [who and what, status, duration, attribution, calls].
  const waterfall = ([what, status, duration, attribution, calls]) => {
    const section = make("section", "request");
    const heading = make("h4", "", `${text(what)}: ${status || "no answer"} `);
    const how = attribution ? ` by ${text(attribution)}` : "";
    heading.append(make("span", "soft", `${milliseconds(duration)}, ${several(calls.length, "storage call")}${how}`));
    section.append(heading);
    if (!calls.length) return section;
    const span = Math.max(1, duration, ...calls.map((c) => (c[2] ?? 0) + (c[3] ?? 0)));
    const list = make("ol", "calls");
    for (const call of calls) {
      list.append(callItem(call, span, false));
      for (const inner of call[10] ?? []) list.append(callItem(inner, span, true));
    }
    section.append(list);
    return section;
  };

  const draw = (scenario) => {
    const place = scenario.querySelector(".requests");
    if (!place || place.childElementCount) return;
    for (const request of data.scenarios[Number(place.dataset.scenario)]) place.append(waterfall(request));
  };
  document.addEventListener("toggle", (event) => {
    if (event.target.open && event.target.classList.contains("scenario")) draw(event.target);
  }, true);
  for (const scenario of document.querySelectorAll(".scenario[open]")) draw(scenario);

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
  const rules = [...document.querySelectorAll(".rule")].map((element) => ({ element, text: element.textContent.toLowerCase() }));
  const filter = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { element, text } of rules) {
      const outcome = element.dataset.outcome;
      const wanted = !only.value || (only.value === "not passed" ? outcome !== "passed" : outcome === only.value);
      element.hidden = !(wanted && words.every((word) => text.includes(word)));
      if (!element.hidden) shown++;
    }
    found.textContent = `${shown} of ${several(rules.length, "rule")}`;
  };
  const reset = () => { box.value = only.value = ""; filter(); };
  box.addEventListener("input", filter);
  only.addEventListener("change", filter);
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(INPUT|SELECT)$/.test(document.activeElement.tagName)) { event.preventDefault(); box.focus(); }
  });

  // On paper, what did not pass is open.
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")].filter((d) => d.dataset.outcome !== "passed" && d.dataset.outcome !== "skipped");
    for (const d of opened) { d.open = true; if (d.classList.contains("scenario")) draw(d); }
  });
  window.addEventListener("afterprint", () => { for (const d of opened) d.open = false; });

  filter();
  follow();
  document.documentElement.dataset.ready = "true";
})();
