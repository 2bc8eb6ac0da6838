package expression

import "github.com/storespec/storespec/internal/emulator/dynamodb/value"

// Lookup is what a condition says about keys.
type Lookup struct {
	// Ranges are ranges of keys, without common keys, that hold every item the condition matches; none if it can match
	// items in any partition.
	Ranges []KeyRange
	// Exact says that there are ranges and each is one key.
	Exact bool
	// Rest says that the condition asks for more than that a key is in the ranges.
	Rest bool
}

// branch is what one branch of a disjunction says.
type branch struct {
	ranges []KeyRange
	rest   bool
	// negated says that the branch has a condition on the sort key that is not a range: with NOT or <>.
	negated bool
}

// Lookup returns what the condition says about the keys of a table or an index.
func (c *Condition) Lookup(schema Schema) (Lookup, error) {
	if c == nil {
		return Lookup{}, nil
	}
	branches, problem := c.root.branches(schema)
	if problem != "" {
		return Lookup{}, problem
	}
	var out Lookup
	for _, b := range branches {
		if len(b.ranges) == 0 {
			return Lookup{Rest: true}, nil
		}
		out.Rest = out.Rest || b.rest
	}
	if out.Ranges, problem = union(branches, &out.Rest); problem != "" {
		return Lookup{}, problem
	}
	out.Exact = true
	for _, r := range out.Ranges {
		out.Exact = out.Exact && (schema.Sort == "" || r.Sort == Equal)
	}
	return out, nil
}

// keySpan is a range with its bounds.
type keySpan struct {
	KeyRange
	lower, upper string
	bounded      bool
	negated      bool
}

func (s *keySpan) overlaps(t *keySpan) bool {
	return (!s.bounded || t.lower < s.upper) && (!t.bounded || s.lower < t.upper)
}

// union returns the ranges of all branches without common keys: ranges of a partition that overlap become the whole
// partition, which DynamoDB only takes if a negated condition is among them, or none on the sort key.
func union(branches []branch, rest *bool) ([]KeyRange, value.Problem) {
	partitions := map[string][]keySpan{} // by the partition key, whose type is the schema's
	var order []string
	for _, b := range branches {
		for _, r := range b.ranges {
			s := keySpan{KeyRange: r, negated: b.negated}
			s.lower, s.upper, s.bounded = r.Bounds()
			spans, ok := partitions[r.Partition.Text]
			if !ok {
				order = append(order, r.Partition.Text)
			}
			whole := false
			for i := range spans {
				if !spans[i].overlaps(&s) {
					continue
				}
				if !spans[i].negated && !s.negated && (spans[i].Sort != Any || s.Sort != Any) {
					return nil, "Overlapping conditions with range keys are not supported in where clause"
				}
				whole = true
			}
			if whole {
				*rest = true
				spans = []keySpan{{KeyRange: KeyRange{Partition: r.Partition}, negated: true}}
			} else {
				spans = append(spans, s)
			}
			partitions[r.Partition.Text] = spans
		}
	}
	var out []KeyRange
	for _, partition := range order {
		for _, s := range partitions[partition] {
			out = append(out, s.KeyRange)
		}
	}
	return out, ""
}

// branches returns the branches of a disjunction, or the one that every other condition is.
func (n *node) branches(schema Schema) ([]branch, value.Problem) {
	if n.op != opOr {
		b, problem := n.branch(schema)
		return []branch{b}, problem
	}
	left, problem := n.args[0].branches(schema)
	if problem != "" {
		return nil, problem
	}
	right, problem := n.args[1].branches(schema)
	return append(left, right...), problem
}

// conjuncts returns the conditions of a conjunction.
func (n *node) conjuncts() []*node {
	if n.op != opAnd {
		return []*node{n}
	}
	return append(n.args[0].conjuncts(), n.args[1].conjuncts()...)
}

// branch finds the conditions on keys in a conjunction: the first of each key counts, and the rest is left.
func (n *node) branch(schema Schema) (branch, value.Problem) {
	var b branch
	var partitions, sorts []keyTerm
	for _, c := range n.conjuncts() {
		terms, name := c.keyTerms()
		var problem value.Problem
		switch {
		case name == schema.Partition && partitions == nil && len(terms) > 0 && terms[0].operator == Equal:
			partitions, problem = terms, checkTerms(terms, schema.PartitionKind)
		case name == schema.Sort && name != "" && sorts == nil && len(terms) > 0:
			sorts, problem = terms, checkTerms(terms, schema.SortKind)
		default:
			b.rest = true
			b.negated = b.negated || (c.op == opNot || c.op == opUnequal) && c.reads(schema.Sort)
		}
		if problem != "" {
			return b, problem
		}
	}
	for _, p := range partitions {
		if sorts == nil {
			b.ranges = append(b.ranges, KeyRange{Partition: p.values[0]})
		}
		for _, s := range sorts {
			r := KeyRange{Partition: p.values[0], Sort: s.operator, Low: s.values[0]}
			if r.Sort == Between {
				r.High = s.values[1]
			}
			b.ranges = append(b.ranges, r)
		}
	}
	return b, ""
}

func checkTerms(terms []keyTerm, kind value.Kind) value.Problem {
	for i := range terms {
		if problem := terms[i].check(kind, false); problem != "" {
			return problem
		}
	}
	return ""
}

// reads says whether a condition reads the top-level attribute.
func (n *node) reads(name string) bool {
	found := false
	n.walk(func(n *node) { found = found || n.op == opPath && n.path[0].Name == name })
	return found
}

// keyTerms returns a condition on one attribute, with values only, in the form of key conditions: several for IN.
func (n *node) keyTerms() ([]keyTerm, string) {
	operator, ok := keyOperators[n.op]
	if n.op == opIn {
		operator, ok = Equal, true
	}
	if !ok || n.op == opFunction && n.name != "begins_with" {
		return nil, ""
	}
	at := 0
	if len(n.args) == 2 && n.args[1].op == opPath && n.op != opFunction {
		at, operator = 1, mirrored[operator]
	}
	if n.args[at].op != opPath || len(n.args[at].path) > 1 {
		return nil, ""
	}
	term := keyTerm{name: n.args[at].path[0].Name, operator: operator}
	for i, arg := range n.args {
		if i != at && arg.op != opValue {
			return nil, ""
		}
		if i != at {
			term.values = append(term.values, arg.val)
		}
	}
	if n.op != opIn {
		return []keyTerm{term}, term.name
	}
	var terms []keyTerm
	for _, v := range term.values {
		terms = append(terms, keyTerm{term.name, Equal, []value.Value{v}})
	}
	return terms, term.name
}

// Key returns the key that a condition demands by equality with every key attribute, and whether it demands more.
func (c *Condition) Key(schema Schema) (key value.Item, rest, ok bool) {
	if c == nil {
		return nil, false, false
	}
	for _, n := range c.root.conjuncts() {
		terms, name := n.keyTerms()
		isKey := name != "" && (name == schema.Partition || name == schema.Sort)
		if isKey && len(terms) == 1 && terms[0].operator == Equal && !key.Has(name) {
			key = key.With(name, terms[0].values[0])
			continue
		}
		rest = true
	}
	ok = key.Has(schema.Partition) && (schema.Sort == "" || key.Has(schema.Sort))
	return key, rest, ok
}
