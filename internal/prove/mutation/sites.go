package mutation

import (
	"fmt"
	"go/ast"
	"go/token"
)

// site is where a block of the original begins, or goes on after a statement that may have left it; or where a
// condition does.
type site struct {
	number   int // in the program, from 1
	file     *source
	offset   int
	text     string    // that describes it
	from, to token.Pos // the statements that are reached with it; of a condition, none
}

// Trace is the environment variable with the name of a file that has a byte for each of Sites: it becomes 1 when the
// site is reached.
const Trace = "STORESPEC_REACHED"

// Sites returns how many bytes the file of Trace has.
func (p *Program) Sites() int { return p.sites + 1 }

// Site returns which byte of Trace's file says that a mutant's change is reached and makes a difference, as far as that
// is known; 0: whenever the server starts.
func (p *Program) Site(m *Mutant) int {
	if number, ok := p.conditions[m.when]; ok && m.when != token.NoPos {
		if !m.whether {
			number++
		}
		return number
	}
	number, size := 0, token.Pos(0)
	for _, of := range p.packages {
		for _, s := range of.sites {
			if s.file == m.unit.file && s.from <= m.edits[0].from && m.edits[0].from < s.to &&
				(number == 0 || s.to-s.from < size) {
				number, size = s.number, s.to-s.from
			}
		}
	}
	return number
}

// Beginning returns which byte of Trace's file says that the function of a mutant is called; 0: it is a variable.
func (p *Program) Beginning(m *Mutant) int { return p.beginning(m.unit) }

// Beginnings returns that of each function that a variant changes.
func (p *Program) Beginnings(v *Variant) []int {
	var numbers []int
	for _, c := range v.changes {
		numbers = append(numbers, p.beginning(c.unit))
	}
	return numbers
}

func (p *Program) beginning(u *unit) int {
	for _, of := range p.packages {
		for _, s := range of.sites {
			if s.file == u.file && s.from == u.from {
				return s.number
			}
		}
	}
	return 0
}

// mark finds the sites of all functions.
func (p *Program) mark() {
	for _, of := range p.packages {
		for _, u := range of.units {
			ast.Inspect(u.node, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SwitchStmt:
					for _, clause := range n.Body.List {
						for _, one := range clause.(*ast.CaseClause).List {
							if n.Tag == nil {
								p.condition(of, u, one)
							}
						}
					}
					p.clauses(of, u, n.Body)
				case *ast.TypeSwitchStmt:
					p.clauses(of, u, n.Body)
				case *ast.IfStmt:
					p.condition(of, u, n.Cond)
				case *ast.ForStmt:
					p.condition(of, u, n.Cond)
				case *ast.SelectStmt:
					p.clauses(of, u, n.Body)
				case *ast.BlockStmt:
					if len(n.List) == 0 || !clausal(n.List[0]) {
						p.block(of, u, n.Lbrace, n.Lbrace+1, n.Rbrace+1, n.List)
					}
				}
				return true
			})
		}
	}
}

func clausal(n ast.Stmt) bool {
	switch n.(type) {
	case *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

func (p *Program) clauses(of *pack, u *unit, body *ast.BlockStmt) {
	for _, clause := range body.List {
		switch clause := clause.(type) {
		case *ast.CaseClause:
			p.block(of, u, clause.Colon, clause.Colon+1, clause.End(), clause.Body)
		case *ast.CommClause:
			p.block(of, u, clause.Colon, clause.Colon+1, clause.End(), clause.Body)
		}
	}
}

// condition marks two sites: that a condition is true, and, with the next number, that it is false.
func (p *Program) condition(of *pack, u *unit, condition ast.Expr) {
	if condition == nil {
		return
	}
	number := p.sites + 1
	p.sites += 2
	p.conditions[condition.Pos()] = number
	of.sites = append(of.sites,
		site{number, u.file, u.file.at.Offset(condition.Pos()), fmt.Sprintf("storespecWhether(%d, ", number), 0, 0},
		site{number, u.file, u.file.at.Offset(condition.End()), ")", 0, 0})
}

// block marks the beginning of a block, whose text begins at a position, and each statement after one that may have
// left it.
func (p *Program) block(of *pack, u *unit, from, at, to token.Pos, list []ast.Stmt) {
	begin := func(from, at token.Pos) {
		if n := len(of.sites); n > 0 && of.sites[n-1].file == u.file && of.sites[n-1].to == to &&
			of.sites[n-1].from < from {
			of.sites[n-1].to = from // the one before it in the same block
		}
		p.sites++
		of.sites = append(of.sites, site{p.sites, u.file, u.file.at.Offset(at),
			fmt.Sprintf("storespecReached(%d); ", p.sites), from, to})
	}
	begin(from, at)
	for i, statement := range list {
		if i > 0 && compound(list[i-1]) {
			begin(statement.Pos(), statement.Pos())
		}
	}
}

// compound reports whether a statement contains others.
func compound(n ast.Stmt) bool {
	switch n.(type) {
	case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt,
		*ast.BlockStmt, *ast.LabeledStmt:
		return true
	}
	return false
}
