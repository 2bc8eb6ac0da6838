package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/verify"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// A server that lacks a part is spared the scenarios and rows in testdata/lacking, and nothing else.
func TestWhatEachMissingPartTakesAway(t *testing.T) {
	all, err := designsOf("").BuiltIn()
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := designsOf("").Catalogues(all)
	if err != nil {
		t.Fatal(err)
	}
	for i, design := range all {
		if len(design.Capabilities) == 0 {
			continue
		}
		t.Run(design.Name, func(t *testing.T) {
			var text strings.Builder
			for _, c := range design.Capabilities {
				fmt.Fprintf(&text, "--without %s\n", c.Name)
				takenAway(&text, loaded[i], design.Capabilities, c.Name)
			}
			golden := filepath.Join("testdata", "lacking", design.Name+".txt")
			if *update {
				if err := os.WriteFile(golden, []byte(text.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), text.String()); diff != "" {
				t.Errorf("what is skipped (-want +got; -update writes it):\n%s", diff)
			}
		})
	}
}

// takenAway writes a line for each scenario that is skipped without a capability, and for each row that is left out.
func takenAway(text *strings.Builder, rules *verify.Catalogue, capabilities []system.Capability, name string) {
	without := []string{name}
	for _, document := range rules.Documents {
		for _, pickle := range document.Pickles {
			rule := strings.TrimPrefix(pickle.Tags[0].Name, "@")
			if scenario.Lacking(pickle, capabilities, without) != nil {
				fmt.Fprintf(text, "  %s %s\n", rule, pickle.Name)
				continue
			}
			for _, step := range pickle.Steps {
				if !strings.HasSuffix(step.Text, scenario.EachOfThese) {
					continue
				}
				for _, row := range step.Argument.DataTable.Rows[1:] {
					if scenario.RowLacks(row, capabilities, without) != nil {
						fmt.Fprintf(text, "  %s %s, row: %s\n", rule, pickle.Name, row.Cells[0].Value)
					}
				}
			}
		}
	}
}
