//go:build unix

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// action is what action.yml says of the GitHub Action.
type action struct {
	Inputs  map[string]struct{ Description string }
	Outputs map[string]struct{ Description, Value string }
	Runs    struct {
		Using string
		Steps []actionStep
	}
}

type actionStep struct {
	ID, Shell, Run, Uses string
	Env                  map[string]string
}

// script is what a step runs of a file next to action.yml.
var script = regexp.MustCompile(`^"\$GITHUB_ACTION_PATH/([\w./-]+)"$`)

// outputs are those of a step by the names of expressions; the step is checked on the way.
func (s actionStep) outputs(t *testing.T, root string) (found []string) {
	t.Helper()
	run := script.FindStringSubmatch(strings.TrimSpace(s.Run))
	if (s.Run == "") == (s.Uses == "") || s.Run != "" && s.Shell == "" {
		t.Errorf("GitHub refuses the step %+v", s)
	}
	if run == nil {
		return nil
	}
	file := filepath.Join(root, run[1])
	if info, err := os.Stat(file); err != nil || info.Mode()&0o111 == 0 {
		t.Errorf("%s cannot be run: %v", run[1], err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name := range s.Env {
		if !regexp.MustCompile(`\b` + name + `\b`).Match(text) {
			t.Errorf("%s does not read %s", run[1], name)
		}
	}
	for _, output := range regexp.MustCompile(`(?m)^\s*echo "(\w+)=`).FindAllStringSubmatch(string(text), -1) {
		found = append(found, "steps."+s.ID+".outputs."+output[1])
	}
	return found
}

// GitHub reads an expression that names nothing as an empty text, so only a reader finds a misspelt one. What the steps
// run is tried by testdata/script/action.txtar.
func TestActionNamesWhatIsThere(t *testing.T) {
	root := filepath.Join("..", "..")
	content, err := os.ReadFile(filepath.Join(root, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var action action
	if err := yaml.Unmarshal(content, &action); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for name, input := range action.Inputs {
		known["inputs."+name] = true
		if input.Description == "" {
			t.Errorf("the input %s has no description", name)
		}
	}
	for _, step := range action.Runs.Steps {
		for _, output := range step.outputs(t, root) {
			known[output] = true
		}
	}
	asked := regexp.MustCompile(`\$\{\{\s*((?:inputs|steps)\.[\w.-]+)`).FindAllStringSubmatch(string(content), -1)
	if len(asked) < len(action.Inputs)+len(action.Outputs) {
		t.Errorf("%d expressions for %d inputs and %d outputs", len(asked), len(action.Inputs), len(action.Outputs))
	}
	for _, expression := range asked {
		if !known[expression[1]] {
			t.Errorf("%s is nowhere", expression[1])
		}
	}
}
