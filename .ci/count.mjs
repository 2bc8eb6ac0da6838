// count.mjs KIND FILE FAILURES: writes "PASSED FAILED", to standard error what people want to know, and appends a line
// for each failure to the file FAILURES.
// KIND is tests (of go test -json), scenarios (of storespec verify --json), selftest (of storespec selftest --json),
// mutants (of storespec mutants --json) or generated (with --generated).
import { appendFileSync, readFileSync } from "node:fs";

const [kind, file, failures] = process.argv.slice(2);
const text = readFileSync(file, "utf8");
const failure = (text) => appendFileSync(failures, `${text.split("\n")[0]}\n`);

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
      if (event.Action === "fail") {
        const last = (output.get(name) ?? "").split("\n").filter((line) => /_test\.go:\d+:/.test(line));
        failure(`test ${name}: ${last.at(-1)?.trim() ?? "see its output above"}`);
      }
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
  const bad = ["failed", "over budget", "unclear", "not prepared", "fixed", "error"];
  for (const { counts, system, error, rules } of text ? JSON.parse(text).systems : []) {
    passed += counts.scenarios.passed ?? 0;
    if (error) failure(`${system}: ${error}`);
    for (const { severity, scenarios } of rules ?? []) {
      for (const { file, line, name, outcome, step, reason } of scenarios) {
        if (!bad.includes(outcome)) continue;
        const text = `${file}:${line} ${name}: ${outcome}: ${step}: ${reason}`;
        if (severity === "SHOULD") console.error(`does not count: ${text}`); // as without --strict
        else {
          failed++;
          failure(text);
        }
      }
    }
  }
  console.log(passed, failed);
}

// A mutant passes when its rule killed it; a rule without one is a failure too.
function mutants() {
  let passed = 0;
  let failed = 0;
  const { systems, scores } = text ? JSON.parse(text) : { systems: [] };
  if (scores) throw new Error("these are generated mutants");
  for (const { counts, rulesWithoutMutant, mutants } of systems) {
    for (const [verdict, count] of Object.entries(counts)) {
      if (verdict === "killed") passed += count;
      else failed += count;
    }
    failed += rulesWithoutMutant.length;
    for (const { mutant, verdict, error } of mutants) {
      if (verdict !== "killed") failure(`${mutant}: ${verdict}${error ? `: ${error}` : ""}`);
    }
    for (const rule of rulesWithoutMutant) failure(`${rule} has no mutant`);
  }
  console.log(passed, failed);
}

// A generated mutant passes when some rule killed it. Those that survive are a failure only together, when they are too
// many.
function generated() {
  let passed = 0;
  let failed = 0;
  for (const { system, counts, outcome, score, wrongInTheList, error } of text ? JSON.parse(text).scores : []) {
    passed += counts.killed ?? 0;
    const wrong = [...wrongInTheList, ...(error ? [`${system}: ${error}`] : [])];
    if (outcome !== "passed" && wrong.length === 0)
      wrong.push(`${system}: score of generated mutants ${score} %: ${outcome}`);
    failed += wrong.length;
    wrong.forEach(failure);
    console.error(`${system}: score of generated mutants ${score} %`);
  }
  console.log(passed, failed);
}

// A case that is skipped is a failure: .ci/setup.sh installs what each needs. Only IPv6 cannot be installed.
function selftest() {
  const { cases } = text ? JSON.parse(text) : { cases: [] };
  const lacksIPv6 = ({ skipped }) => skipped?.includes("has no IPv6");
  for (const one of cases.filter(lacksIPv6)) console.error(`${one.name} skipped: ${one.skipped}`);
  const counted = cases.filter((c) => !lacksIPv6(c));
  for (const { name, differs } of counted) if (differs) failure(`selftest ${name}: ${differs.join("; ")}`);
  for (const { name, skipped } of counted) if (skipped) failure(`selftest ${name}: skipped: ${skipped}`);
  const failed = counted.filter((c) => c.differs || c.skipped).length;
  console.log(counted.length - failed, failed);
}

({ tests, scenarios, selftest, mutants, generated })[kind]();
