package main

import (
	"io"
	"os"

	"github.com/spf13/cobra"
)

// app holds what the commands share.
type app struct {
	stdout, stderr io.Writer
	getenv         func(string) string
	started        bool   // the arguments were valid and a command runs
	usage          string // usage of the requested command
	directory      string // where the server's command is started; "": here
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "storespec",
		Short: "Check which rules of a storage design a server follows",
		Long: `storespec turns a written storage design into something that runs: rules in Gherkin,
a reference server that follows them, and a harness that counts every storage call on the wire.

Exit status: 0 all rules hold, 1 a rule is broken, 2 the command was not understood,
3 the server or the store could not be used, 130 interrupted.`,
		Example: `  storespec verify familyscheduler                       the reference server, on the embedded store
  storespec verify familyscheduler -- node server.js     your own server
  storespec rules familyscheduler                        what it must do`,
		SilenceErrors:    true,
		SilenceUsage:     true,
		Version:          buildVersion(), // --version, besides the command
		PersistentPreRun: func(*cobra.Command, []string) { a.started = true },
	}
	root.SetVersionTemplate("storespec {{.Version}}\n")
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(flagError)
	server := parts{systems: true, command: true}
	group(root, a.withProject(a.verifyCommand(), server), a.serveCommand(), a.emulateCommand(),
		a.withProject(a.rulesCommand(), parts{systems: true}), a.mutantsCommand(), a.vacuityCommand(),
		a.reportCommand(), a.withProject(a.traceCommand(), parts{}), a.actionsCommand(), a.lovehuntCommand(),
		a.dynamodbCommand(), a.initCommand(), a.stepsCommand(), a.docsCommand(), a.compareCommand(),
		a.selftestCommand(), a.withProject(a.exploreCommand(), server),
		a.withProject(a.checkCommand(), parts{systems: true}), a.versionCommand())
	addTopics(root)
	complete(root)
	return root
}

// onTerminal reports whether people watch standard error. /dev/null counts as well, which makes no visible difference.
func (a *app) onTerminal() bool {
	return a.getenv("TERM") != "dumb" && isCharDevice(a.stderr)
}

// isCharDevice reports whether a stream is a terminal, or another character device, such as /dev/null.
func isCharDevice(stream any) bool {
	file, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// colored follows https://no-color.org.
func (a *app) colored() bool { return a.onTerminal() && a.getenv("NO_COLOR") == "" }
