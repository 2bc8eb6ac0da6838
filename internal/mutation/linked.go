package mutation

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// Linked returns the mutants whose functions are in a binary of the overlay, by the linker's own account; the others
// belong to other commands. It also keeps those for which reached says that they ran.
func (p *Program) Linked(ctx context.Context, binary string, all []*Mutant, reached func(*Mutant) bool) ([]*Mutant,
	error) {
	var said bytes.Buffer
	asked := exec.CommandContext(ctx, "go", "tool", "nm", binary)
	asked.Dir, asked.Stderr = p.root, &said
	symbols, err := asked.Output()
	if err != nil {
		return nil, fmt.Errorf("list the functions of the server: %w\n%s", err, bytes.TrimSpace(said.Bytes()))
	}
	known := map[string]bool{}
	for line := range bytes.Lines(symbols) {
		if fields := strings.Fields(string(line)); len(fields) > 2 {
			known[plainSymbol(strings.Join(fields[2:], " "))] = true
		}
	}
	var linked []*Mutant
	for _, m := range all {
		u := m.unit
		if u.function == nil || known[u.object.Pkg().Path()+"."+u.name] || reached(m) {
			linked = append(linked, m)
		}
	}
	return linked, nil
}

// plainSymbol returns the name of a function as a unit has it, after its package, without type arguments: of
// p/q.(*T[go.shape.int]).M.func1 it is p/q.T.M.
func plainSymbol(symbol string) string {
	var plain strings.Builder
	depth := 0
	for _, r := range symbol {
		switch r {
		case '[':
			depth++
		case ']':
			depth--
		case '(', ')', '*':
		default:
			if depth == 0 {
				plain.WriteRune(r)
			}
		}
	}
	name, _, _ := strings.Cut(plain.String(), ".func")
	return strings.TrimSuffix(name, "-fm")
}
