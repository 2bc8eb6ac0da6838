package mutation

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

// Linked returns the mutants whose functions are in a binary, by the linker's own account; the others belong to other
// commands. The binary must be built without inlining.
func (p *Program) Linked(ctx context.Context, binary string, all []*Mutant) ([]*Mutant, error) {
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
	return slices.DeleteFunc(slices.Clone(all), func(m *Mutant) bool {
		return m.unit.function != nil && !known[m.unit.object.Pkg().Path()+"."+m.unit.name]
	}), nil
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
