package budget

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/wire"
)

// Describe returns a storage call as one line: what it was made to, its keys and its answer.
func Describe(c wire.Call) string {
	text := c.Describe(c.Place()) + ": "
	if c.Status == 0 {
		text += "no answer"
	} else {
		text += strings.TrimSpace(strconv.Itoa(c.Status) + " " + c.ErrorCode)
	}
	if c.Attempts > 1 {
		text += fmt.Sprintf(" after %d attempts", c.Attempts)
	}
	text += brought(c)
	if c.Unprocessed > 0 {
		text += fmt.Sprintf(", %d left unprocessed", c.Unprocessed)
	}
	if c.Capacity != nil {
		text += fmt.Sprintf(", %g units", *c.Capacity)
	}
	if c.Late {
		text += ", late: after the answer"
	}
	if c.Unsure {
		text += "; it may belong to an earlier request"
	}
	return text
}

// DescribeInner returns the operations of a transaction, one line each.
func DescribeInner(c wire.Call) []string {
	lines := make([]string, len(c.Inner))
	for i, op := range c.Inner {
		lines[i] = Describe(op)
		// the store only answers the operation that made the transaction fail
		if c.Status != 0 && op.Status == 0 {
			lines[i] = op.Describe(op.Place()) + ": not done"
		}
	}
	return lines
}

// brought describes what a query has found, if that is known.
func brought(c wire.Call) string {
	if c.Effect != wire.Reads || c.Breadth == wire.One || c.Entities == wire.EntitiesUnknown || c.Status < 200 ||
		c.Status >= 300 {
		return ""
	}
	text := fmt.Sprintf(", %d found", c.Entities)
	if c.More {
		text += ", more to come"
	}
	return text
}
