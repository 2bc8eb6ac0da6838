package main

import (
	"cmp"
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/host/command"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of storespec",
		Args:  command.Takes(),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(a.Stdout, "storespec %s\n", buildVersion())
			return err
		},
	}
}

// buildVersion returns the version that the Go toolchain recorded in the binary, such as "v0.1.0 (4f2f933, go1.26)".
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	version, details := cmp.Or(info.Main.Version, "(devel)"), info.GoVersion
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" && len(setting.Value) >= 7 {
			details = setting.Value[:7] + ", " + details
		}
	}
	return fmt.Sprintf("%s (%s)", version, details)
}
