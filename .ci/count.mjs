// count.mjs KIND FILE: writes "PASSED FAILED", and to standard error what people want to know.
// KIND is tests (of go test -json), scenarios (of storespec verify --json) or mutants (of storespec mutants --json).
import { readFileSync } from "node:fs";

const [kind, file] = process.argv.slice(2);
const text = readFileSync(file, "utf8");

function tests() {
  const output = new Map(); // of each test, until it has passed
  const ended = { pass: 0, fail: 0, skip: 0 };
  for (const line of text.split("\n")) {
    if (!line.startsWith("{")) {
      if (line) console.error(line); // what the go command itself has to say
      continue;
    }
    const event = JSON.parse(line);
    const name = `${event.Package} ${event.Test ?? ""}`;
    if (event.Action === "build-output") process.stderr.write(event.Output);
    else if (event.Action === "output" && !event.Test) {
      if (/^(ok|FAIL|---|panic)/.test(event.Output)) process.stderr.write(event.Output);
    } else if (event.Action === "output") output.set(name, (output.get(name) ?? "") + event.Output);
    else if (event.Test && event.Action in ended) {
      ended[event.Action]++;
      if (event.Action !== "pass") process.stderr.write(output.get(name) ?? "");
      output.delete(name);
    }
  }
  if (ended.skip) console.error(`${ended.skip} skipped`);
  console.log(ended.pass, ended.fail);
}

// The report for people is on standard error already.
function scenarios() {
  let passed = 0;
  let failed = 0;
  for (const { counts } of text ? JSON.parse(text).systems : []) {
    passed += counts.scenarios.passed ?? 0;
    for (const outcome of ["failed", "over budget", "fixed", "error"]) failed += counts.scenarios[outcome] ?? 0;
  }
  console.log(passed, failed);
}

// A mutant passes when its rule killed it; a rule without one is a failure too.
function mutants() {
  let passed = 0;
  let failed = 0;
  for (const { counts, rulesWithoutMutant } of text ? JSON.parse(text).systems : []) {
    for (const [verdict, count] of Object.entries(counts)) {
      if (verdict === "killed") passed += count;
      else failed += count;
    }
    failed += rulesWithoutMutant.length;
  }
  console.log(passed, failed);
}

({ tests, scenarios, mutants })[kind]();
