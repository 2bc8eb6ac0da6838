package expression

import (
	"strconv"

	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

// Limits of expressions (Developer Guide, "Service, account, and table quotas": Expression parameters).
const (
	maxBytes     = 4096
	maxOperators = 300
	maxInList    = 100
)

// Messages that begin in several places the same way.
const (
	invalid      = "One or more parameter values were invalid: "
	operandType  = "Incorrect operand type for operator or function; operator or function: "
	operandCount = "Incorrect number of operands for operator or function; operator or function: "
	noPath       = "Operator or function requires a document path; operator or function: "
	badOperand   = value.Problem("An operand in the update expression has an incorrect data type")
	noAttribute  = value.Problem("The provided expression refers to an attribute that does not exist in the item")
	badPath      = value.Problem("The document path provided in the update expression is invalid for update")
)

func badType(n *node, kind value.Kind) value.Problem {
	return value.Problem(operandType + n.label() + ", operand type: " + kind.String())
}

func badCount(n *node) value.Problem {
	return value.Problem(operandCount + n.label() + ", number of operands: " + strconv.Itoa(len(n.args)))
}

// first keeps the first of several problems.
func first(problem *value.Problem, next value.Problem) {
	if *problem == "" {
		*problem = next
	}
}
