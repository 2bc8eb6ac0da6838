package dynamodb

import (
	"crypto/sha256"
	"errors"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/emulator/dynamodb/expression"
	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
	"github.com/storespec/storespec/internal/emulator/engine"
)

const (
	maxActions     = 100
	maxTransaction = 4 << 20
	maxToken       = 36
	// transactionFactor is how much more a transaction consumes.
	transactionFactor = 2
)

// action is one of a transaction that writes. Those of TransactWriteItems and of ExecuteTransaction come to it.
type action struct {
	table *table
	key   primaryKey
	// wrong is why the action cannot be done though the request is valid; it cancels the transaction.
	wrong error
	apply func(*write) error
	check bool // nothing is written
	write *write
}

// transaction is a set of actions that happen together or not at all.
type transaction struct {
	account *Account
	space   engine.Space
	actions []*action
	token   string // empty: none
	digest  [sha256.Size]byte
	metrics metricsOf
	// again: the token's request was done before, so nothing is written.
	again bool
}

// readTransaction reads TransactItems of either operation.
func readTransaction(body []byte, kinds ...string) (q *transactRequest, _ error) {
	q = &transactRequest{}
	r := value.NewReader(body)
	return q, r.Object(func(name string) error {
		switch name {
		case "TransactItems":
			q.given = true
			return r.List(func() error { return q.item(r, kinds) })
		case "ReturnConsumedCapacity":
			return readText(r, &q.capacity)
		case "ReturnItemCollectionMetrics":
			return readText(r, &q.metrics)
		case "ClientRequestToken":
			return readText(r, &q.token)
		}
		return r.Skip()
	})
}

// transactRequest is a request of TransactGetItems or TransactWriteItems.
type transactRequest struct {
	given                    bool
	items                    [][]*itemRequest // the actions of each member: one, if the request is right
	capacity, metrics, token *string
}

func (q *transactRequest) item(r *value.Reader, kinds []string) error {
	var actions []*itemRequest
	err := r.Element("TransactItem", func(name string) error {
		if !slices.Contains(kinds, name) {
			return r.Skip()
		}
		each := &itemRequest{op: expression.Transaction, action: name}
		each.in.Operation = expression.Transaction
		actions = append(actions, each)
		return r.Struct(name, func(member string) error { return each.member(r, member) })
	})
	q.items = append(q.items, actions)
	return err
}

// check checks the request as far as it can be without its tables. of are the actions that it may have, for messages.
func (q *transactRequest) check(of string) error {
	var found checks
	if q.token != nil {
		found.length(len(*q.token), *q.token, "clientRequestToken", 1, maxToken)
	}
	found.capacity(q.capacity)
	switch n := len(q.items); {
	case !q.given:
		found.missing("transactItems")
	case n == 0:
		found.add("'[]'", "transactItems", atLeastOne)
	case n > maxActions:
		found.refused("TransactItems", atMostOf+"100")
	}
	for i, actions := range q.items {
		for _, each := range actions {
			each.checkMembers(&found, "transactItems."+itoa(i+1)+".member."+lowerFirst(each.action))
		}
	}
	found.metrics(q.metrics)
	if p := found.problem(); p != nil {
		return p
	}
	for _, actions := range q.items {
		if len(actions) != 1 {
			return invalid("TransactItems can only contain one of %s", of)
		}
		if err := actions[0].checkAction(); err != nil {
			return err
		}
	}
	return nil
}

func lowerFirst(text string) string { return strings.ToLower(text[:1]) + text[1:] }

func (q *itemRequest) checkMembers(found *checks, at string) {
	found.dataTable(q.tableName, at+".tableName")
	if q.action == "Put" && q.item == nil {
		found.missing(at + ".item")
	}
	if q.action != "Put" && q.key == nil {
		found.missing(at + ".key")
	}
	if q.action == "Update" && q.in.Update == nil {
		found.missing(at + ".updateExpression")
	}
	if q.action == "ConditionCheck" && q.in.Condition == nil {
		found.missing(at + ".conditionExpression")
	}
	found.optional(q.onFailure, at+".returnValuesOnConditionCheckFailure", "ALL_OLD", "NONE")
}

// checkAction checks one action as far as it can be without its table.
func (q *itemRequest) checkAction() error {
	if err := q.in.CheckUse(); err != nil {
		return err
	}
	if q.action == "Put" {
		if err := q.item.OlderProblem(); err != nil {
			return err
		}
		if q.item.Size() > maxItem {
			return itemTooLarge()
		}
		return q.parse()
	}
	if err := q.parse(); err != nil {
		return err
	}
	return q.key.OlderProblem()
}

// hoisted says whether a problem of a key refuses the whole request, rather than cancel the transaction.
func hoisted(err error) bool {
	known := problemOf(err)
	return known != nil && strings.HasPrefix(known.message, "One or more parameter values are not valid.")
}

// transactWriteItems is TransactWriteItems (API Reference, "TransactWriteItems").
func transactWriteItems(c *call) error {
	q, err := readTransaction(c.body, "ConditionCheck", "Put", "Delete", "Update")
	if err != nil {
		return err
	}
	if err := q.check("Check, Put, Update or Delete"); err != nil {
		return err
	}
	t := &transaction{account: c.account, space: c.account.space.Data(), token: text(q.token, ""),
		metrics: metricsOf{mode: text(q.metrics, "NONE")}}
	if t.token != "" {
		t.digest = q.digest()
	}
	for _, actions := range q.items {
		each := actions[0]
		table, err := c.account.table(*each.tableName)
		if err != nil {
			return err
		}
		one := &action{table: table, apply: each.apply, check: each.action == "ConditionCheck"}
		if one.key, one.wrong = each.resolve(table); hoisted(one.wrong) {
			return one.wrong
		}
		t.actions = append(t.actions, one)
	}
	used, err := t.run()
	if err != nil {
		return err
	}
	return c.finish(t.metrics.append([]byte(`{`)), used, q.capacity)
}

// run does the actions, or returns why the transaction is canceled.
func (t *transaction) run() (*usages, error) {
	seen := map[string]bool{}
	keys := make([][]byte, 0, len(t.actions)+1)
	for _, one := range t.actions {
		one.write = &write{table: one.table, key: one.key, at: one.table.at(t.space, one.key)}
		if one.wrong != nil {
			continue
		}
		if seen[string(one.write.at)] {
			return nil, invalid("Transaction request cannot include multiple operations on one item")
		}
		seen[string(one.write.at)] = true
		keys = append(keys, one.write.at)
	}
	if t.token != "" {
		keys = append(keys, t.tokenKey())
	}
	defer t.account.space.LockAll(keys)()
	if err := t.recall(); err != nil {
		return nil, err
	}
	if err := t.prepare(); err != nil {
		return nil, err
	}
	used := &usages{}
	if t.again {
		for _, one := range t.actions {
			u := used.of(one.table)
			u.units += transactionFactor * readUnits(one.write.oldSize(), true)
			u.kind = "Read"
		}
		return used, nil
	}
	return used, t.commit(used)
}

// prepare reads the items, checks the conditions, and collects the reasons of a cancellation.
func (t *transaction) prepare() error {
	reasons := make([]error, len(t.actions))
	failed, size := false, 0
	for i, one := range t.actions {
		if one.wrong == nil {
			if err := t.account.reread(one.write); err != nil {
				return err
			}
			if t.again {
				continue
			}
			one.wrong = one.apply(one.write)
		}
		if one.wrong != nil && problemOf(one.wrong) == nil {
			return one.wrong
		}
		reasons[i], failed = one.wrong, failed || one.wrong != nil
		size += max(one.write.oldSize(), one.write.newSize())
	}
	if failed && !t.again {
		return canceled(reasons)
	}
	if size > maxTransaction {
		return invalid("Collection size of the items in the transaction exceeds the limit of 4 MB")
	}
	return nil
}

// reasonCodes are the codes of the reasons by the types of the errors.
var reasonCodes = map[string]string{
	kindCondition: "ConditionalCheckFailed", kindValidation: "ValidationError", kindDuplicate: "DuplicateItem",
	kindThroughput: "ProvisionedThroughputExceeded", kindCollection: "ItemCollectionSizeLimitExceeded",
	kindNotFound: "ResourceNotFound",
}

// appendReason appends the problem of one action or statement.
func (p *problem) appendReason(dst []byte) []byte {
	dst = value.AppendString(append(dst, `{"Code":`...), reasonCodes[p.kind])
	dst = value.AppendString(append(dst, `,"Message":`...), p.message)
	if p.more != nil {
		dst = append(append(dst, ','), p.more...)
	}
	return append(dst, '}')
}

// canceled is a TransactionCanceledException with the reasons in the order of the actions.
func canceled(reasons []error) error {
	codes := make([]string, len(reasons))
	more := []byte(`"CancellationReasons":[`)
	for i, reason := range reasons {
		more = value.Comma(more)
		p := problemOf(reason)
		if p == nil {
			codes[i] = "None"
			more = append(more, `{"Code":"None"}`...)
			continue
		}
		codes[i] = reasonCodes[p.kind]
		more = p.appendReason(more)
	}
	p := refuse(kindCanceled, "%s", "Transaction cancelled, please refer cancellation reasons for specific reasons ["+
		strings.Join(codes, ", ")+"]")
	more = append(more, ']')
	p.more = more
	return p
}

// commit writes everything in one batch.
func (t *transaction) commit(used *usages) error {
	s := newStaging(t.account, t.space)
	defer s.batch.Discard()
	for _, one := range t.actions {
		u := used.of(one.table)
		u.kind = "Write"
		w := one.write
		if one.check {
			u.units += writeUnits(w.oldSize())
			continue
		}
		u.units += writeUnits(max(w.oldSize(), w.newSize()))
		if err := s.add(w, u); err != nil {
			return err
		}
	}
	for _, u := range used.all {
		u.scale(transactionFactor)
	}
	if err := errors.Join(t.remember(s.batch), s.commit()); err != nil {
		return err
	}
	for _, one := range t.actions {
		if one.check {
			continue
		}
		if err := t.metrics.add(t.account, t.space, one.write); err != nil {
			return err
		}
	}
	return nil
}
