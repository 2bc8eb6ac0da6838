package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/host/terminal"
	"github.com/storespec/storespec/internal/verify/project"
	actions "github.com/storespec/storespec/reference/actions/tools"
	calendsync "github.com/storespec/storespec/reference/calendsync/tools"
	lovehunt "github.com/storespec/storespec/reference/lovehunt/tools"
)

// app holds what the commands share.
type app struct {
	command.Env
	started bool        // the arguments were valid and a command runs
	usage   string      // usage of the requested command
	from    project.Use // what the project file says
	colors  terminal.Colors
	verbose bool // reports also say how a run went about it
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
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	root.SetFlagErrorFunc(command.FlagError)
	command.Group(root)
	for _, group := range a.groups() {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title + ":"})
		for _, cmd := range group.commands {
			cmd.GroupID = group.title
			root.AddCommand(cmd)
		}
	}
	root.AddCommand(a.docsCommand(), a.versionCommand())
	addTopics(root)
	complete(root)
	return root
}

// commandGroup is commands that --help lists together.
type commandGroup struct {
	title    string
	commands []*cobra.Command
}

// groups returns the commands by purpose, as doc.go lists them.
func (a *app) groups() []commandGroup {
	systems, server := project.Takes{Systems: true}, project.Takes{Systems: true, Command: true}
	return []commandGroup{
		{"Rules and servers", []*cobra.Command{a.withProject(a.verifyCommand(), server),
			a.withProject(a.probeCommand(), server), a.withProject(a.exploreCommand(), server),
			a.withProject(a.checkCommand(), project.Takes{Systems: true, Directories: true}),
			a.withProject(a.rulesCommand(), systems), a.withProject(a.stepsCommand(), project.Takes{Features: true}),
			a.lspCommand(), a.initCommand(), a.serveCommand()}},
		{"The results of a run", []*cobra.Command{a.reportCommand(), a.compareCommand()}},
		{"Are the rules any good", []*cobra.Command{a.mutantsCommand(), a.vacuityCommand(), a.selftestCommand()}},
		{"Storage without rules", []*cobra.Command{a.withProject(a.traceCommand(), project.Takes{}),
			a.emulateCommand()}},
		{"Records of one system", []*cobra.Command{actions.Command(&a.Env), lovehunt.Command(&a.Env),
			calendsync.Command(&a.Env)}},
	}
}

// colored reports whether text on a stream has colors.
func (a *app) colored(stream io.Writer) bool { return a.colors.On(stream, a.Getenv) }

// addVerbose adds the flag of a command that reports a run.
func (a *app) addVerbose(cmd *cobra.Command) {
	cmd.Flags().BoolVarP(&a.verbose, "verbose", "v", false, "in the report for people, also say how many servers ran "+
		"at once (lanes), how storage calls were attributed to requests, and which scenarios were the slowest")
}

// addColor adds the flag of a command whose output may have colors.
func (a *app) addColor(cmd *cobra.Command) {
	cmd.Flags().Func("color", "`WHEN` the text has colors: auto (on a terminal, unless NO_COLOR is set; elsewhere if "+
		"CLICOLOR_FORCE is), always or never (default auto)", func(text string) (err error) {
		a.colors, err = terminal.ParseColors(text)
		return err
	})
}
