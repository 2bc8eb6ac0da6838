package main

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/host/shell"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/verify/designs"
	"github.com/storespec/storespec/internal/verify/rerun"
)

// serverOptions holds how a command line names the server under test; neither way: the reference server.
type serverOptions struct {
	url     string
	command []string // after --
}

// addURL adds the flag for a server that is already running.
func (o *serverOptions) addURL(flags *pflag.FlagSet) {
	flags.StringVar(&o.url, "url", "", "`URL` of a server that is already running, such as http://localhost:7071")
}

func (o *serverOptions) isReference() bool { return o.url == "" && len(o.command) == 0 }

// checkServer rejects what names no server, or two. own says that a design has no reference server.
func (o *serverOptions) checkServer(own bool) error {
	switch {
	case o.url != "" && len(o.command) > 0:
		return command.Misused("--url and a command cannot be combined", "leave one of them out")
	case o.isReference() && own:
		return command.Misused("no server is given, and storespec has no reference server for a design of your own",
			"put its command after --, or give its address by --url")
	case namesUser(o.url):
		return command.Misused("--url contains a user name or a password, which every report would show",
			"--header 'Authorization: …' sends them")
	case o.url != "" && !command.IsAddress(o.url):
		return command.Misused(fmt.Sprintf("--url %s is not an http address", shell.MaskedText(o.url)),
			"such as http://localhost:7071")
	}
	return nil
}

// check rejects invalid options and fills in the derived ones.
func (o *verifyOptions) check(wanted []string) ([]system.System, error) {
	list, err := designsOf(o.features).Chosen(wanted)
	if usage, ok := errors.AsType[*command.UsageError](err); ok &&
		(len(o.command) == 0 || o.commandIn != "") && slices.ContainsFunc(wanted, isProgram) {
		usage.Hint = "put the server's command after --"
	}
	if err != nil {
		return nil, err
	}
	ownOnes := slices.ContainsFunc(list, designs.IsOwn)
	switch {
	case len(wanted) == 0 && o.features == "":
		return nil, command.Misused("no system is named", "known: "+strings.Join(system.Names(list), ", ")+"; "+
			designs.OwnHint)
	case !o.isReference() && len(list) > 1 && (o.url == "" || len(o.command) == 0):
		return nil, command.Misused("a server follows one design, but several systems are named",
			"verify them one by one: "+strings.Join(system.Names(list), ", "))
	case twice(wanted) != "":
		return nil, command.Misused(twice(wanted)+" is named twice", "")
	}
	if err := cmp.Or(o.checkServer(ownOnes), command.Between("parallel", o.parallel, 1, 64),
		command.OneOf("budgets", o.budgets, "warn", "fail")); err != nil {
		return nil, err
	}
	if o.failed.only && o.directory == "" && o.failed.memory == nil {
		return nil, command.Misused("--only-failed needs --report DIR",
			"DIR is that of the run whose failures are meant")
	}
	if o.store == "account" {
		o.parallel = 1 // a real account is one namespace
	}
	return list, cmp.Or(o.storeOptions.check(), o.known.check(o, list), o.fitting.check(list), o.baseline.check(),
		designs.Lackable(list, o.without))
}

// plan is what a command line asks verify to run, and what is known of it before.
type plan struct {
	list    []system.System
	loaded  []*verify.Catalogue        // the rules of list
	all     []*verify.Catalogue        // also of systems without a selected rule
	others  func() []*verify.Catalogue // of systems that are not named
	failing *verify.Known
	before  rerun.List // the scenarios that failed before; nil: nothing is remembered

	asked      []system.System     // of a run limited to what failed before: list without that limit
	askedRules []*verify.Catalogue // and their rules
}

// plan reads what is to be run. Its list is empty if no scenario is left that failed before, which has been said.
func (o *verifyOptions) plan(names []string) (p plan, err error) {
	o.inRepository = inRepository(o.features, o.Getenv("GITHUB_WORKSPACE"))
	if p.list, err = o.check(names); err != nil {
		return p, err
	}
	p.all, err = designsOf(o.features).Catalogues(p.list)
	p.others = designsOf(o.features).Besides(p.list)
	failing, wrong := o.baseline.open(p.all, p.others)
	if p.failing, err = failing, errors.Join(err, wrong, designs.OnTables(o.fitting.mapping, p.list,
		p.all)); err != nil {
		return p, err
	}
	if p.list, p.loaded, err = selected(o.rules, p.list, p.all); err != nil {
		return p, err
	}
	if err := o.checkReplay(p.list, p.loaded); err != nil {
		return p, err
	}
	if p.before, err = o.remembered(); err != nil || !o.failed.only {
		return p, err
	}
	p.asked, p.askedRules = p.list, p.loaded
	p.list, p.loaded, err = o.limit(p.list, p.loaded, p.before)
	return p, err
}

// isProgram reports whether name can be run, or is at least the path of a file.
func isProgram(name string) bool {
	_, err := exec.LookPath(name)
	return err == nil || strings.Contains(name, "/")
}

// selected returns the systems that have one of the chosen rules, and rejects a rule that no system has. IDs may be
// given in lower case; it converts those in rules to upper case.
func selected(rules []string, list []system.System, loaded []*verify.Catalogue) ([]system.System, []*verify.Catalogue,
	error) {
	if len(rules) == 0 {
		return list, loaded, nil
	}
	var all []string
	for _, catalogue := range loaded {
		all = append(all, catalogue.IDs()...)
	}
	for i, id := range rules {
		if rules[i] = strings.ToUpper(id); !slices.Contains(all, rules[i]) {
			return nil, nil, command.UnknownName("rule", id, all)
		}
	}
	var systems []system.System
	var kept []*verify.Catalogue
	for i, catalogue := range loaded {
		if slices.ContainsFunc(catalogue.IDs(), func(id string) bool { return slices.Contains(rules, id) }) {
			systems, kept = append(systems, list[i]), append(kept, catalogue)
		}
	}
	return systems, kept, nil
}

// namesUser reports whether an address contains user information, or might: text that is not an address is searched as
// is.
func namesUser(text string) bool {
	if !command.IsAddress(text) {
		return strings.Contains(text, "@")
	}
	parsed, err := url.Parse(text)
	return err == nil && parsed.User != nil
}

// twice returns a name that occurs more than once in names, or "".
func twice(names []string) string {
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return name
		}
	}
	return ""
}
