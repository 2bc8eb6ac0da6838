package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/source"
	"github.com/storespec/storespec/internal/verify/project"
	"github.com/storespec/storespec/reference"
)

// parts says which parts of a project file a command takes, besides the flags that it knows.
type parts struct {
	systems     bool // its arguments are systems; features is taken with them
	directories bool // an argument may also be a directory of designs
	features    bool // without systems
	command     bool
}

// ofProject annotates a flag with the values that come from the project file, and not from the command line.
const ofProject = "storespec_project"

// withProject makes a command take from the project file what its command line does not say.
func (a *app) withProject(cmd *cobra.Command, takes parts) *cobra.Command {
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
		if takes.systems && (!about(file, beforeDash(cmd, args), takes) || !sameFeatures(file, cmd.Flags())) {
			return run(cmd, args)
		}
		a.project, a.projectFile, a.confided = file.Directory(), file.Path, confided(file)
		if args, err = a.take(cmd, args, file, takes); err != nil {
			return err
		}
		return run(cmd, args)
	}
	return cmd
}

// beforeDash returns the arguments before the server's command.
func beforeDash(cmd *cobra.Command, args []string) []string {
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		return args[:dash]
	}
	return args
}

// about reports whether a command line names a design of the project file, or none at all. A name that is nothing else
// counts as one of its designs, misspelt. For others, nothing that the file says holds.
func about(file *project.File, names []string, takes parts) bool {
	if len(names) == 0 || file.Features == "" && len(file.Systems) == 0 {
		return true
	}
	isPath := func(name string) bool {
		return strings.ContainsAny(name, "/"+string(filepath.Separator)) || name == "." || name == ".."
	}
	return slices.ContainsFunc(names, func(name string) bool {
		switch {
		case takes.directories && isPath(name):
			return false
		case file.Features == "" && slices.Contains(file.Systems, name),
			file.Features != "" && isDirectory(filepath.Join(file.Features, name)):
			return true
		}
		return !slices.Contains(reference.Names(), name) && (!takes.directories || !isDirectory(name))
	})
}

func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// sameFeatures reports whether the command line names no other directory of designs than the file does.
func sameFeatures(file *project.File, flags *pflag.FlagSet) bool {
	flag := flags.Lookup("features")
	if flag == nil || !flag.Changed {
		return true
	}
	here, hereErr := os.Stat(flag.Value.String())
	there, thereErr := os.Stat(file.Features)
	return hereErr == nil && thereErr == nil && os.SameFile(here, there)
}

// take sets the flags that a project file says and the command line does not, and returns the arguments with the
// file's systems and command.
func (a *app) take(cmd *cobra.Command, args []string, file *project.File, takes parts) ([]string, error) {
	flags := cmd.Flags()
	if err := a.setFlags(cmd, file, takes); err != nil {
		return nil, err
	}
	words := slices.Clone(beforeDash(cmd, args))
	if takes.systems && len(words) == 0 && !changed(flags, "features") {
		words = slices.Clone(file.Systems)
	}
	switch dash := cmd.ArgsLenAtDash(); {
	case dash >= 0:
		words = append(append(words, "--"), args[dash:]...)
	case takes.command && !changed(flags, "url") && len(file.Command) > 0:
		words, a.directory = append(append(words, "--"), file.Command...), file.Directory()
	}
	if err := flags.Parse(words); err != nil { // only now does the command know where the dash is
		return nil, err
	}
	return flags.Args(), nil
}

// changed reports whether the command line has a flag, rather than the project file.
func changed(flags *pflag.FlagSet, name string) bool {
	flag := flags.Lookup(name)
	return flag != nil && flag.Changed && flag.Annotations[ofProject] == nil
}

// confided returns the names of the file's variables and flags whose values are confidential.
func confided(file *project.File) (names []string) {
	for _, setting := range slices.Concat(file.Env, file.Flags) {
		if setting.Confidential {
			names = append(names, setting.Name)
		}
	}
	return names
}

// directoryOf returns where a command is run that is the value of a flag: in the project file's directory if it is from
// there, as the server's is; "", the working directory, if it is from the command line.
func (a *app) directoryOf(flags *pflag.FlagSet, name string) string {
	if flag := flags.Lookup(name); flag != nil && flag.Annotations[ofProject] != nil {
		return a.project
	}
	return ""
}

// atDash returns the arguments before a dash, and the server's command behind it. It notes where f's setup is run.
func (a *app) atDash(cmd *cobra.Command, args []string, f *fittingOptions) (names, started []string, err error) {
	f.setupIn = a.directoryOf(cmd.Flags(), "setup")
	dash := cmd.ArgsLenAtDash()
	switch {
	case dash < 0:
		return args, nil, nil
	case dash == len(args):
		return nil, nil, command.Misused("the command after -- is missing", "")
	}
	return args[:dash], args[dash:], nil
}

// setFlags sets what the file says of the flags of a command.
func (a *app) setFlags(cmd *cobra.Command, file *project.File, takes parts) error {
	flags, known := cmd.Flags(), projectFlags(cmd.Root())
	wrong := []error{a.fromEnv(flags, file)}
	if file.Store != "" && takes.command {
		wrong = append(wrong, set(flags, "store", []string{file.Store}))
	}
	if file.Features != "" && (takes.systems || takes.features) {
		wrong = append(wrong, set(flags, "features", []string{file.Features}))
	}
	for _, setting := range file.Flags {
		name := setting.Name
		if !slices.Contains(known, name) {
			wrong = append(wrong, file.Wrong(setting, "flags: there is no flag --%s%s", name,
				source.Meant(name, known)))
			continue
		}
		if flags.Lookup(name) == nil || flags.Changed(name) { // what only other commands need may be unset
			continue
		}
		values, err := file.Expanded(setting, "flags", a.LookupEnv)
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		if slices.Contains(pathFlags(), name) {
			for i := range values {
				values[i] = file.Seen(values[i])
			}
		}
		if set(flags, name, values) != nil { // whose error would repeat the value
			wrong = append(wrong, file.Wrong(setting, "flags: %s: --%s does not take that value", name, name))
		}
	}
	return errors.Join(wrong...)
}

// set sets a flag to values of the project file, unless the command line has it or the command does not know it.
func set(flags *pflag.FlagSet, name string, values []string) error {
	flag := flags.Lookup(name)
	if flag == nil || flag.Changed {
		return nil
	}
	for _, value := range values {
		if err := flags.Set(name, value); err != nil {
			return err
		}
	}
	annotate(flag, values)
	return nil
}

func annotate(flag *pflag.Flag, values []string) {
	if flag.Annotations == nil {
		flag.Annotations = map[string][]string{}
	}
	flag.Annotations[ofProject] = values
}

// fromEnv adds the file's variables to those of --env, except for those that --env has, which win.
func (a *app) fromEnv(flags *pflag.FlagSet, file *project.File) error {
	flag := flags.Lookup("env")
	if flag == nil || flags.Lookup("url") == nil || len(file.Env) == 0 { // trace starts no server
		return nil
	}
	list := flag.Value.(pflag.SliceValue)
	var texts []string
	var wrong []error
	for _, variable := range file.Env {
		given := func(text string) bool { return strings.HasPrefix(text, variable.Name+"=") }
		if slices.ContainsFunc(list.GetSlice(), given) { // what its value needs may be unset
			continue
		}
		values, err := file.Expanded(variable, "env", a.LookupEnv)
		if wrong = append(wrong, err); err == nil {
			texts = append(texts, variable.Name+"="+values[0])
		}
	}
	if err := errors.Join(wrong...); err != nil {
		return err
	}
	annotate(flag, texts)
	return list.Replace(append(texts, list.GetSlice()...))
}

// pathFlags returns the flags whose values are paths, which the file gives as seen from where it is.
func pathFlags() []string {
	return []string{"baseline", "report", "by-hand", "corpus", "html", "junit", "load", "map", "outbox", "prices",
		"watch-path", "write-map"}
}

// projectFlags returns the flags that a project file can set: those of the commands that take it, except for what the
// file has keys of its own for.
func projectFlags(root *cobra.Command) (names []string) {
	own := []string{"config", "no-config", "features", "store", "env", "help"}
	for _, cmd := range root.Commands() {
		if cmd.Flags().Lookup("no-config") == nil {
			continue
		}
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			if !slices.Contains(own, flag.Name) && !slices.Contains(names, flag.Name) {
				names = append(names, flag.Name)
			}
		})
	}
	slices.Sort(names)
	return names
}
