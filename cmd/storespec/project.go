package main

import (
	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/verify/project"
	"github.com/storespec/storespec/reference"
)

// withProject makes a command take from the project file what its command line does not say.
func (a *app) withProject(cmd *cobra.Command, takes project.Takes) *cobra.Command {
	var config string
	var none bool
	cmd.Flags().StringVar(&config, "config", "",
		"the project `FILE`; without it, "+project.Name+" here or above, up to the root of the repository")
	cmd.Flags().BoolVar(&none, "no-config", false, "ignore the project file")
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case none && config != "":
			return command.Misused("--config and --no-config cannot be combined", "")
		case none:
			return run(cmd, args)
		case config == "":
			if config = project.Find("."); config == "" {
				return run(cmd, args)
			}
		}
		file, err := project.Read(config)
		if err != nil {
			return err
		}
		if !file.Applies(cmd, args, reference.Names(), takes) {
			return run(cmd, args)
		}
		if args, a.from, err = file.Apply(cmd, args, takes, a.LookupEnv); err != nil {
			return err
		}
		return run(cmd, args)
	}
	return cmd
}

// atDash returns the arguments before a dash, and the server's command behind it. It notes where f's setup is run.
func (a *app) atDash(cmd *cobra.Command, args []string, f *fittingOptions) (names, started []string, err error) {
	f.setupIn = a.from.In(cmd.Flags(), "setup")
	dash := cmd.ArgsLenAtDash()
	switch {
	case dash < 0:
		return args, nil, nil
	case dash == len(args):
		return nil, nil, command.Misused("the command after -- is missing", "")
	}
	return args[:dash], args[dash:], nil
}
