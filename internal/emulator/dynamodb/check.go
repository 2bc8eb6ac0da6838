package dynamodb

import (
	"fmt"
	"slices"
	"strings"
)

// checks collects the violated constraints of a request, of which DynamoDB reports up to ten together (API Reference,
// "Common Errors": ValidationError).
type checks struct{ found []string }

const maxChecks = 10

func (c *checks) add(value, at, constraint string) {
	if len(c.found) < maxChecks {
		c.found = append(c.found,
			fmt.Sprintf("Value %s at '%s' failed to satisfy constraint: %s", value, at, constraint))
	}
}

// Constraints that are reported without the value.
const (
	atLeastOne = "Member must have length greater than or equal to 1"
	atMostOf   = "Member must have length less than or equal to "
)

// refused is add without the value.
func (c *checks) refused(at, constraint string) {
	c.found = append(c.found, "Value at '"+at+"' failed to satisfy constraint: "+constraint)
}

func (c *checks) missing(at string) { c.add("null", at, "Member must not be null") }

// problem returns what was found; nil: nothing.
func (c *checks) problem() *problem {
	switch len(c.found) {
	case 0:
		return nil
	case 1:
		return invalid("1 validation error detected: %s", c.found[0])
	}
	return invalid("%d validation errors detected: %s", len(c.found), strings.Join(c.found, "; "))
}

// enum checks a value that was given.
func (c *checks) enum(value, at string, of ...string) {
	if !slices.Contains(of, value) {
		c.add("'"+value+"'", at, "Member must satisfy enum value set: ["+strings.Join(of, ", ")+"]")
	}
}

// optional is enum for a value that may be missing, required for one that must not be.
func (c *checks) optional(given *string, at string, of ...string) {
	if given != nil {
		c.enum(*given, at, of...)
	}
}

func (c *checks) required(given *string, at string, of ...string) {
	if given == nil {
		c.missing(at)
	}
	c.optional(given, at, of...)
}

func (c *checks) present(given *string, at string) {
	if given == nil {
		c.missing(at)
	}
}

// limit checks how long a page may be, and returns that.
func (c *checks) limit(given *int64, most int64) int64 {
	if given == nil {
		return most
	}
	c.atLeast(*given, "limit", 1)
	c.atMost(*given, "limit", most)
	return *given
}

func (c *checks) atLeast(value int64, at string, least int64) {
	if value < least {
		c.add(fmt.Sprintf("'%d'", value), at, fmt.Sprintf("Member must have value greater than or equal to %d", least))
	}
}

func (c *checks) atMost(value int64, at string, most int64) {
	if value > most {
		c.add(fmt.Sprintf("'%d'", value), at, fmt.Sprintf("Member must have value less than or equal to %d", most))
	}
}

// length checks how many elements a list or map has; shown is the value in the message.
func (c *checks) length(n int, shown, at string, least, most int) {
	if n < least {
		c.add("'"+shown+"'", at, fmt.Sprintf("Member must have length greater than or equal to %d", least))
	}
	if most > 0 && n > most {
		c.add("'"+shown+"'", at, fmt.Sprintf("Member must have length less than or equal to %d", most))
	}
}

const namePattern = "[a-zA-Z0-9_.-]+"

// name checks the name of a table or an index.
func (c *checks) name(value string, at string) {
	if !isName(value) {
		c.add("'"+value+"'", at, "Member must satisfy regular expression pattern: "+namePattern)
	}
	c.length(len(value), value, at, 3, 255)
}

func isName(value string) bool {
	for i := range len(value) {
		c := value[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '.' && c != '-' {
			return false
		}
	}
	return value != ""
}

// tableNameOf returns the table that a name or an ARN names.
func tableNameOf(text string) string {
	if !strings.HasPrefix(text, "arn:") {
		return text
	}
	if parts := strings.SplitN(text, ":", 6); len(parts) == 6 && strings.HasPrefix(parts[5], "table/") {
		name, _, _ := strings.Cut(parts[5][len("table/"):], "/")
		return name
	}
	return text
}
