package expression

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

// scope has the placeholders of a request, and which of them its expressions have used.
type scope struct {
	names      map[string]string
	values     value.Item
	usedNames  map[string]bool
	usedValues map[string]bool
}

// path replaces the placeholders in a path by what they stand for.
func (s *scope) path(path Path) value.Problem {
	for i := range path {
		placeholder := path[i].Name
		if !strings.HasPrefix(placeholder, "#") {
			continue
		}
		attribute, ok := s.names[placeholder]
		if !ok {
			const message = "An expression attribute name used in the document path is not defined; attribute name: "
			return value.Problem(message + placeholder)
		}
		if s.usedNames == nil {
			s.usedNames = map[string]bool{}
		}
		s.usedNames[placeholder] = true
		path[i].Name = attribute
	}
	return ""
}

// value gives the node of a placeholder its value.
func (s *scope) value(n *node) value.Problem {
	v, ok := s.values.Get(n.name)
	if !ok {
		const message = "An expression attribute value used in expression is not defined; attribute value: "
		return value.Problem(message + n.name)
	}
	if s.usedValues == nil {
		s.usedValues = map[string]bool{}
	}
	s.usedValues[n.name] = true
	n.val = v
	return ""
}

// resolve replaces the placeholders below a node and returns the first that is not defined.
func (s *scope) resolve(n *node) value.Problem {
	var problem value.Problem
	n.walk(func(n *node) {
		if problem != "" {
			return
		}
		switch {
		case n.op == opPath:
			problem = s.path(n.path)
		case n.op == opValue && n.name != "":
			problem = s.value(n)
		}
	})
	return problem
}

// checkNames checks the placeholders of names as such.
func (s *scope) checkNames() value.Problem {
	if s.names == nil {
		return ""
	}
	if len(s.names) == 0 {
		return "ExpressionAttributeNames must not be empty"
	}
	for _, key := range slices.Sorted(maps.Keys(s.names)) {
		if !placeholder(key, '#') {
			return value.Problem("ExpressionAttributeNames contains invalid key: Syntax error; key: \"" + key + "\"")
		}
		if s.names[key] == "" {
			return "ExpressionAttributeNames contains invalid value: Empty attribute name for key " + value.Problem(key)
		}
	}
	return ""
}

// checkValues checks the placeholders of values as such. The older wording names the key of every value that is
// refused, the newer one only of those that are not refused while the request is read.
func (s *scope) checkValues(older bool) value.Problem {
	if s.values == nil {
		return ""
	}
	if len(s.values) == 0 {
		return "ExpressionAttributeValues must not be empty"
	}
	for i := range s.values {
		if key := s.values[i].Name; !placeholder(key, ':') {
			return value.Problem("ExpressionAttributeValues contains invalid key: Syntax error; key: \"" + key + "\"")
		}
	}
	for i := range s.values {
		v := &s.values[i].Value
		problem := v.Problem()
		if older {
			problem = v.OlderProblem()
		}
		switch {
		case problem == nil:
		case v.Early() && !older:
			return value.Problem(problem.Error())
		default:
			const message = "ExpressionAttributeValues contains invalid value: "
			return value.Problem(message + problem.Error() + " for key " + s.values[i].Name)
		}
	}
	return ""
}

func placeholder(key string, mark byte) bool {
	return len(key) > 1 && key[0] == mark && skip(key, 1, part) == len(key)
}

// checkUnused returns which placeholders no expression has used.
func (s *scope) checkUnused() value.Problem {
	if len(s.usedNames) < len(s.names) {
		keys := slices.DeleteFunc(slices.Sorted(maps.Keys(s.names)), func(k string) bool { return s.usedNames[k] })
		return unused("ExpressionAttributeNames", keys)
	}
	var keys []string
	for i := range s.values {
		if !s.usedValues[s.values[i].Name] {
			keys = append(keys, s.values[i].Name)
		}
	}
	if len(keys) > 0 {
		return unused("ExpressionAttributeValues", keys)
	}
	return ""
}

func unused(parameter string, keys []string) value.Problem {
	const message = " unused in expressions: keys: {"
	return value.Problem("Value provided in " + parameter + message + strings.Join(keys, ", ") + "}")
}

// limits checks what all expressions have in common before they are parsed.
func limits(text string, sized bool) value.Problem {
	if strings.TrimLeft(text, " \t\r\n") == "" {
		return "The expression can not be empty;"
	}
	if len(text) > maxBytes {
		problem := value.Problem("Expression size has exceeded the maximum allowed size;")
		if sized {
			problem += value.Problem(" expression size: " + strconv.Itoa(len(text)))
		}
		return problem
	}
	return ""
}
