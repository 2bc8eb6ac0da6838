package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/vacuity"
)

func (a *app) vacuityCommand() *cobra.Command {
	var (
		asJSON   bool
		features string
	)
	cmd := &cobra.Command{
		Use:   "vacuity SYSTEM",
		Short: "Show that every rule can fail: run them against servers that never touch a store",
		Long: `vacuity runs all rules against stubs: servers that answer 200, 403 or 404 to everything, and one that
answers what the reference server answered before. None of them touches the store, so a rule that one of
them keeps tells nothing of such a server. Its description must say why that is right:

    Passes on the stub 403: it is about refusals; FS-GATE-3 is about who is let in.

A rule that a stub keeps without such a line, and a line that is not needed any more, are errors.`,
		Example: "  storespec vacuity familyscheduler\n  storespec vacuity familyscheduler --json",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, names []string) (err error) {
			list, err := chosen(names, features)
			if err == nil {
				err = needReference("vacuity", list)
			}
			if err != nil {
				return err
			}
			loaded, err := catalogues(list, features)
			if err != nil {
				return err
			}
			opened, err := store.Open(cmd.Context(), store.Options{Name: "embedded", Lanes: vacuity.Lanes, Cold: coldNamespaces})
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, end(cmd.Context(), opened)) }()
			stubs, err := vacuity.Run(cmd.Context(), vacuity.Options{
				Catalogue: loaded[0], System: list[0], Store: opened, Reference: referenceOpener(list[0].Name),
			})
			if err != nil {
				return err
			}
			return a.tellVacuity(list[0].Name, stubs, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write one JSON document")
	addFeatures(cmd, &features)
	return cmd
}

// tellVacuity writes what became of the rules, and says by the exit status whether all is well.
func (a *app) tellVacuity(system string, stubs []vacuity.Stub, asJSON bool) error {
	write := writeVacuity
	if asJSON {
		write = writeVacuityJSON
	}
	if err := write(a.stdout, system, stubs); err != nil {
		return err
	}
	for _, stub := range stubs {
		if !stub.Sound() {
			return statusError(statusBroken)
		}
	}
	return nil
}

func writeVacuity(w io.Writer, system string, stubs []vacuity.Stub) error {
	text := fmt.Sprintf("%s: rules against servers that never touch a store\n", system)
	for _, stub := range stubs {
		text += fmt.Sprintf("\nstub %s, which %s: %d rules fail, %d pass\n", stub.Name, stub.Description, stub.Failed, len(stub.Kept))
		for _, kept := range stub.Kept {
			reason := kept.Reason
			if reason == "" {
				reason = "ERROR: nothing says why"
			}
			text += fmt.Sprintf("  %s passes: %s\n", kept.Rule, reason)
		}
		for _, rule := range stub.Needless {
			text += fmt.Sprintf("  %s fails: ERROR: its description says that it passes\n", rule)
		}
	}
	_, err := io.WriteString(w, text)
	return err
}

func writeVacuityJSON(w io.Writer, system string, stubs []vacuity.Stub) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(map[string]any{"system": system, "stubs": stubs})
}
