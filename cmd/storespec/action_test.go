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

// GitHub reads an expression that names nothing as an empty text, so only a reader finds a misspelt one. What the steps run is
// tried by testdata/script/action.txtar.
func TestActionNamesWhatIsThere(t *testing.T) {
	root := filepath.Join("..", "..")
	content, err := os.ReadFile(filepath.Join(root, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var action struct {
		Inputs  map[string]struct{ Description string }
		Outputs map[string]struct{ Description, Value string }
		Runs    struct {
			Using string
			Steps []struct {
				ID, Shell, Run, Uses string
				Env                  map[string]string
			}
		}
	}
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
	script := regexp.MustCompile(`^"\$GITHUB_ACTION_PATH/([\w./-]+)"$`)
	written := regexp.MustCompile(`(?m)^\s*echo "(\w+)=`)
	for _, step := range action.Runs.Steps {
		run := script.FindStringSubmatch(strings.TrimSpace(step.Run))
		if (step.Run == "") == (step.Uses == "") || step.Run != "" && step.Shell == "" {
			t.Errorf("GitHub refuses the step %+v", step)
		}
		if run == nil {
			continue
		}
		file := filepath.Join(root, run[1])
		if info, err := os.Stat(file); err != nil || info.Mode()&0o111 == 0 {
			t.Errorf("%s cannot be run: %v", run[1], err)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for name := range step.Env {
			if !regexp.MustCompile(`\b` + name + `\b`).Match(text) {
				t.Errorf("%s does not read %s", run[1], name)
			}
		}
		for _, output := range written.FindAllStringSubmatch(string(text), -1) {
			known["steps."+step.ID+".outputs."+output[1]] = true
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
