package expression

import (
	"cmp"

	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

// Update is an update of an item.
type Update struct {
	actions []action
	// legacy says that the update is an AttributeUpdates, which has another message for a wrong type.
	legacy bool
}

// action is an Action with what it sets, adds or deletes.
type action struct {
	Action
	operand *node // of a REMOVE: nil
}

// Verb is what an action does.
type Verb uint8

// The verbs, which are the clauses of an UpdateExpression.
const (
	Set Verb = iota
	Remove
	Add
	Delete
)

var verbNames = [...]string{Set: "SET", Remove: "REMOVE", Add: "ADD", Delete: "DELETE"}

// String returns the clause, such as SET.
func (v Verb) String() string { return verbNames[v] }

// Action is one action of an update.
type Action struct {
	Verb Verb
	Path Path
	// Kind is the type of the value if the expression alone decides it (a placeholder, +, list_append …), else Invalid.
	Kind value.Kind
}

// Actions returns the update's actions, for checks against the table's keys.
func (u *Update) Actions() []Action {
	if u == nil {
		return nil
	}
	actions := make([]Action, len(u.actions))
	for i := range u.actions {
		actions[i] = u.actions[i].Action
	}
	return actions
}

// Nested returns the names of the top-level attributes that have a path below them in the update.
func (u *Update) Nested() []string { return heads(u.paths(), 2) }

// Heads returns the names of the top-level attributes that the update writes.
func (u *Update) Heads() []string { return heads(u.paths(), 1) }

func (u *Update) paths() []Path {
	if u == nil {
		return nil
	}
	paths := make([]Path, len(u.actions))
	for i := range u.actions {
		paths[i] = u.actions[i].Path
	}
	return paths
}

// Select returns the part of the item that the update names: UPDATED_OLD of the old item, UPDATED_NEW of the new one.
func (u *Update) Select(item value.Item) value.Item {
	if u == nil || len(u.actions) == 0 {
		return value.Item{}
	}
	return NewProjection(u.paths()...).Apply(item)
}

// updateFunctions are the functions of updates and how many operands they take.
var updateFunctions = map[string]int{"if_not_exists": 2, "list_append": 2}

// parseUpdate parses and checks an UpdateExpression.
func (s *scope) parseUpdate(text string) (*Update, value.Problem) {
	if problem := limits(text, false); problem != "" {
		return nil, problem
	}
	p := newParser(text)
	u := &Update{}
	var section value.Problem
	var seen [len(verbNames)]bool
	for {
		verb, ok := p.verb()
		if !ok {
			p.fail()
			break
		}
		if seen[verb] {
			const message = " section can only be used once in an update expression;"
			first(&section, value.Problem(`The "`+verb.String()+`"`+message))
		}
		seen[verb] = true
		p.next()
		p.actions(verb, u)
		if p.err != "" || p.token().kind == end {
			break
		}
	}
	if p.err != "" {
		return nil, p.err
	}
	if problem := s.checkUpdate(u, section); problem != "" {
		return nil, problem
	}
	return u, ""
}

// verb returns the clause that begins with the next token.
func (p *parser) verb() (Verb, bool) {
	for verb, keyword := range verbNames {
		if p.keyword(keyword) {
			return Verb(verb), true
		}
	}
	return 0, false
}

// actions parses the actions of a clause.
func (p *parser) actions(verb Verb, u *Update) {
	for p.err == "" {
		a := action{Action: Action{Verb: verb, Path: p.target()}}
		switch verb {
		case Set:
			p.take("=")
			a.operand = p.sum()
		case Add, Delete:
			if p.token().kind != param {
				p.fail()
				return
			}
			a.operand = p.operand()
		}
		u.actions = append(u.actions, a)
		if !p.is(",") {
			return
		}
		p.next()
	}
}

// target parses the path of an action. A clause's keyword is none.
func (p *parser) target() Path {
	if _, ok := p.verb(); ok {
		p.fail()
		return nil
	}
	return p.path()
}

// sum parses the value of a SET: one operand, or two with + or - between them.
func (p *parser) sum() *node {
	n := p.term()
	operator := opPlus
	if p.is("-") {
		operator = opMinus
	} else if !p.is("+") {
		return n
	}
	if n.op >= opPlus { // the sum of a sum
		p.fail()
		return n
	}
	p.operator()
	return &node{op: operator, args: []*node{n, p.addend()}}
}

// addend parses an operand that is not a sum.
func (p *parser) addend() *node {
	n := p.term()
	if n.op >= opPlus {
		p.fail()
	}
	return n
}

// term parses an operand of a SET, or anything in parentheses.
func (p *parser) term() *node {
	if p.is("(") {
		return p.group(p.sum)
	}
	if _, ok := p.verb(); ok {
		p.fail()
		return &node{op: opPath}
	}
	switch {
	case p.token().kind == param:
		return p.operand()
	case p.callNext():
		return p.function(p.addend)
	}
	return &node{op: opPath, path: p.path()}
}

// checkUpdate returns the problem of an update that DynamoDB reports: of those of one sort the first, and the sorts in
// this order.
func (s *scope) checkUpdate(u *Update, section value.Problem) value.Problem {
	var word, function, misused, names, values, operand, types value.Problem
	var paths overlap
	visit := func(n *node) {
		switch n.op {
		case opPath:
			first(&word, reservedIn(n.path))
			first(&names, s.path(n.path))
		case opValue:
			first(&values, s.value(n))
		case opFunction:
			first(&function, checkName(n.name, updateFunctions, conditionFunctions, "an update"))
		}
		for _, arg := range n.args {
			if n.op == opFunction && arg.op == opFunction && arg.name == "list_append" {
				first(&misused, misuse(arg))
			}
		}
	}
	for i := range u.actions {
		a := &u.actions[i]
		first(&word, reservedIn(a.Path))
		first(&names, s.path(a.Path))
		if a.operand != nil {
			a.operand.walk(visit)
		}
		paths.add(a.Path)
	}
	if values == "" && function == "" {
		operand, types = u.checkOperands()
	}
	return cmp.Or(word, function, misused, section, names, values, paths.overlaps, paths.conflict, operand, types)
}

// checkOperands returns the first problem with the operand of an ADD or DELETE, and of a SET, and notes the kinds.
func (u *Update) checkOperands() (operand, types value.Problem) {
	for i := range u.actions {
		a := &u.actions[i]
		switch {
		case a.operand == nil:
			continue
		case a.Verb == Set:
			a.operand.walk(func(n *node) { first(&types, checkSetOperand(n)) })
		default:
			first(&operand, checkVerb(a.Verb, a.operand.val.Kind))
		}
		a.Kind = a.operand.kind()
	}
	return operand, types
}

// checkBuilt checks an update that has no text.
func checkBuilt(u *Update) value.Problem {
	var paths overlap
	for i := range u.actions {
		paths.add(u.actions[i].Path)
	}
	operand, types := u.checkOperands()
	return cmp.Or(paths.overlaps, paths.conflict, operand, types)
}

// checkSetOperand checks the operands of a function, of + or of -.
func checkSetOperand(n *node) value.Problem {
	switch {
	case n.op == opPlus || n.op == opMinus:
		return only(n, value.N)
	case n.op != opFunction:
		return ""
	case len(n.args) != updateFunctions[n.name]:
		return badCount(n)
	case n.name == "list_append":
		return only(n, value.L)
	case n.args[0].op != opPath:
		return value.Problem(noPath + n.name)
	}
	return ""
}

// typeNames are the types as the messages about ADD and DELETE write them.
var typeNames = map[value.Kind]string{
	value.S: "STRING", value.N: "NUMBER", value.B: "BINARY", value.NULL: "NULL", value.BOOL: "BOOLEAN",
	value.L: "LIST", value.M: "MAP",
}

func checkVerb(verb Verb, kind value.Kind) value.Problem {
	if kind.Set() || verb == Add && kind == value.N {
		return ""
	}
	return value.Problem("Incorrect operand type for operator or function; operator: " + verb.String() +
		", operand type: " + typeNames[kind])
}
