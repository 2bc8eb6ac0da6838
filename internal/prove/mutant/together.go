package mutant

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/storespec/storespec/internal/prove/mutation"
	"github.com/storespec/storespec/internal/run/target"
)

// server is a reference server that can be started: its programs, and what is added to their environment.
type server struct {
	programs
	env     map[string]string
	started *started // nil: not asked for
}

// target returns the server of a system as something to verify.
func (s server) target(system string) target.Target {
	return extended{target.Command([]string{s.server, system}), s}
}

// run runs the tools, as a system.Tool.
func (s server) run(ctx context.Context, env map[string]string, args []string) (status int, said string) {
	child := exec.CommandContext(ctx, s.tool, args...)
	for _, more := range []map[string]string{env, s.env} {
		for name, value := range more {
			child.Env = append(child.Env, name+"="+value)
		}
	}
	child.WaitDelay = stopWithin
	out, err := child.CombinedOutput()
	if child.ProcessState == nil {
		return -1, err.Error()
	}
	return child.ProcessState.ExitCode(), string(out)
}

// extended is a target with more in its environment.
type extended struct {
	target.Target
	server server
}

// Start starts the target.
func (t extended) Start(ctx context.Context, launch target.Launch) (*target.Instance, error) {
	promised := launch.Env
	launch.Env = func(port string) map[string]string {
		env := maps.Clone(promised(port))
		maps.Copy(env, t.server.env)
		return env
	}
	instance, err := t.Target.Start(ctx, launch)
	if err == nil && t.server.started != nil {
		t.server.started.add(instance)
	}
	return instance, err
}

// together is one program that is many servers.
type together struct {
	programs
	joined map[string]joined // the patches in it, by their names
	sites  int               // of the program
}

// joined is a patch that is in the program.
type joined struct {
	number int
	sites  []int // where the functions that it changes begin
}

// original returns the unmutated server.
func (t *together) original() server { return server{programs: t.programs} }

// numbered returns the server that is one variant of the program.
func (t *together) numbered(number int) server {
	return server{t.programs, map[string]string{mutation.Variable: strconv.Itoa(number)}, &started{}}
}

// server returns the server with a patch; false: it has to be built alone.
func (t *together) server(patch Patch) (server, bool) {
	in, ok := t.joined[patch.Name]
	return t.numbered(in.number), ok
}

// together builds one program of the server and of all patches that stay inside functions. What is wrong with another
// patch is announced when it is built alone.
func (b *builder) together(ctx context.Context, patches []Patch) (*together, error) {
	program, err := b.load(ctx)
	if err != nil {
		return nil, err
	}
	variants := map[string]joined{}
	for _, patch := range patches {
		changed, err := b.changed(patch)
		if err != nil {
			continue
		}
		if v, err := program.Join(changed); err == nil {
			variants[patch.Name] = joined{v.Number, program.Beginnings(v)}
		}
	}
	dropped, err := program.Check()
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(variants, func(_ string, one joined) bool { return dropped[one.number] != nil })
	made, err := b.build(ctx, program)
	if err != nil {
		return nil, err
	}
	made.joined, made.sites = variants, program.Sites()
	return made, nil
}

// load reads the source of the server.
func (b *builder) load(ctx context.Context) (*mutation.Program, error) {
	from := command
	if b.tool {
		from = toolCommand
	}
	return mutation.Load(ctx, b.root, from, folder, "GOTMPDIR="+b.directory)
}

// build builds a program with its variants.
func (b *builder) build(ctx context.Context, program *mutation.Program) (*together, error) {
	list, err := program.Overlay(b.directory)
	if err != nil {
		return nil, err
	}
	made, err := b.make(ctx, filepath.Join(b.directory, "together"), "-overlay", list, "-ldflags", "-w")
	if err != nil {
		return nil, fmt.Errorf("the program with its mutants: %w", err)
	}
	return &together{programs: made}, nil
}

// linked returns the mutants whose functions are in the server, or in the tools.
func (b *builder) linked(ctx context.Context, program *mutation.Program, all []*mutation.Mutant) ([]*mutation.Mutant,
	error) {
	made, err := b.make(ctx, filepath.Join(b.directory, "linked"), "-gcflags", Module+"/"+folder+"/...=-l", "-ldflags",
		"-w")
	if err != nil {
		return nil, err
	}
	return program.Linked(ctx, cmp.Or(made.tool, made.server), all) // the tools contain the servers
}

// sound returns an error if a patch makes no other program.
func (b *builder) sound(ctx context.Context, patch Patch) error {
	_, remove, err := b.alone(ctx, patch)
	return errors.Join(err, remove())
}
