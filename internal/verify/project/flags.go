package project

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
)

// Takes says which parts of a project file a command takes, besides the flags that it knows.
type Takes struct {
	Systems     bool // its arguments are systems; features is taken with them
	Directories bool // an argument may also be a directory of designs
	Features    bool // without systems
	Command     bool
}

// Use is what a command has from a project file; the zero value: no file is used.
type Use struct {
	Path      string
	Directory string   // where the file is
	CommandIn string   // where the server's command is started, if that is from the file; "": here
	Confided  []string // what the file sets to something confidential, by name
}

// In returns where a command is run that is the value of a flag: in the project file's directory if it is from there,
// as the server's is; "", the working directory, if it is from the command line.
func (u Use) In(flags *pflag.FlagSet, name string) string {
	if flag := flags.Lookup(name); flag != nil && flag.Annotations[command.FromFile] != nil {
		return u.Directory
	}
	return ""
}

// Applies reports whether a command line is about what the file says. builtIn are the names of the built-in designs.
func (f *File) Applies(cmd *cobra.Command, args, builtIn []string, takes Takes) bool {
	return !takes.Systems || f.about(beforeDash(cmd, args), builtIn, takes) && f.sameFeatures(cmd.Flags())
}

// beforeDash returns the arguments before the server's command.
func beforeDash(cmd *cobra.Command, args []string) []string {
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		return args[:dash]
	}
	return args
}

// about reports whether a command line names a design of the project file, or none at all. A name that is nothing else
// counts as one of its designs, misspelled. For other designs, nothing in the file applies.
func (f *File) about(names, builtIn []string, takes Takes) bool {
	if len(names) == 0 || f.Features == "" && len(f.Systems) == 0 {
		return true
	}
	isPath := func(name string) bool {
		return strings.ContainsAny(name, "/"+string(filepath.Separator)) || name == "." || name == ".."
	}
	return slices.ContainsFunc(names, func(name string) bool {
		switch {
		case takes.Directories && isPath(name):
			return false
		case f.Features == "" && slices.Contains(f.Systems, name),
			f.Features != "" && isDirectory(filepath.Join(f.Features, name)):
			return true
		}
		return !slices.Contains(builtIn, name) && (!takes.Directories || !isDirectory(name))
	})
}

func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// sameFeatures reports whether the command line names no other directory of designs than the file does.
func (f *File) sameFeatures(flags *pflag.FlagSet) bool {
	flag := flags.Lookup("features")
	if flag == nil || !flag.Changed {
		return true
	}
	here, hereErr := os.Stat(flag.Value.String())
	there, thereErr := os.Stat(f.Features)
	return hereErr == nil && thereErr == nil && os.SameFile(here, there)
}

// Apply sets the flags that the file says and the command line does not, and returns the arguments with the file's
// systems and command, and what the command has from the file. lookup returns variables of the environment.
func (f *File) Apply(cmd *cobra.Command, args []string, takes Takes,
	lookup func(name string) (string, bool)) (_ []string, use Use, err error) {
	use = Use{Path: f.Path, Directory: f.Directory()}
	for _, setting := range slices.Concat(f.Env, f.Flags) {
		if setting.Confidential {
			use.Confided = append(use.Confided, setting.Name)
		}
	}
	flags := cmd.Flags()
	if err := f.setFlags(cmd, takes, lookup); err != nil {
		return nil, use, err
	}
	words := slices.Clone(beforeDash(cmd, args))
	if takes.Systems && len(words) == 0 && !Changed(flags, "features") {
		words = slices.Clone(f.Systems)
	}
	switch dash := cmd.ArgsLenAtDash(); {
	case dash >= 0:
		words = append(append(words, "--"), args[dash:]...)
	case takes.Command && !Changed(flags, "url") && len(f.Command) > 0:
		words, use.CommandIn = append(append(words, "--"), f.Command...), f.Directory()
	}
	if err := flags.Parse(words); err != nil { // only now does the command know where the dash is
		return nil, use, err
	}
	return flags.Args(), use, nil
}

// Changed reports whether the command line has a flag, rather than the project file.
func Changed(flags *pflag.FlagSet, name string) bool {
	flag := flags.Lookup(name)
	return flag != nil && flag.Changed && flag.Annotations[command.FromFile] == nil
}

// setFlags sets the flags of a command that the file says.
func (f *File) setFlags(cmd *cobra.Command, takes Takes, lookup func(name string) (string, bool)) error {
	flags, known := cmd.Flags(), projectFlags(cmd.Root())
	wrong := []error{f.fromEnv(flags, lookup)}
	if f.Store != "" && takes.Command {
		wrong = append(wrong, set(flags, "store", []string{f.Store}))
	}
	if f.Features != "" && (takes.Systems || takes.Features) {
		wrong = append(wrong, set(flags, "features", []string{f.Features}))
	}
	for _, setting := range f.Flags {
		name := setting.Name
		if !slices.Contains(known, name) {
			wrong = append(wrong, f.Wrong(setting, "flags: there is no flag --%s%s", name,
				source.Meant(name, known)))
			continue
		}
		if flags.Lookup(name) == nil || flags.Changed(name) { // what only other commands need may be unset
			continue
		}
		values, err := f.Expanded(setting, "flags", lookup)
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		if slices.Contains(pathFlags(), name) {
			for i := range values {
				values[i] = f.Seen(values[i])
			}
		}
		if set(flags, name, values) != nil { // whose error would repeat the value
			wrong = append(wrong, f.Wrong(setting, "flags: %s: --%s does not take that value", name, name))
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
	flag.Annotations[command.FromFile] = values
}

// fromEnv adds the file's variables to those of --env, except for those that --env has, which win.
func (f *File) fromEnv(flags *pflag.FlagSet, lookup func(name string) (string, bool)) error {
	flag := flags.Lookup("env")
	if flag == nil || flags.Lookup("url") == nil || len(f.Env) == 0 { // trace starts no server
		return nil
	}
	list := flag.Value.(pflag.SliceValue)
	var texts []string
	var wrong []error
	for _, variable := range f.Env {
		given := func(text string) bool { return strings.HasPrefix(text, variable.Name+"=") }
		if slices.ContainsFunc(list.GetSlice(), given) { // what its value needs may be unset
			continue
		}
		values, err := f.Expanded(variable, "env", lookup)
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
