package actions

import (
	"cmp"
	"slices"
)

// Limits of an entity group transaction (REST documentation, "Performing entity group transactions"). It also holds at
// most 100 operations, which is as many as a batch has records.
const (
	maxTransaction = 4 << 20 // bytes of its body
	// What the body has besides the entities: boundaries, and for each operation its headers and its address, in which
	// each byte of a key may take three.
	envelope  = 1 << 10
	operation = 512
)

// transactions distributes the records to be written over as few transactions as the limits allow: each of one owner,
// in the order of the batch's owners. The largest are placed first, each in the first transaction with room, which
// leaves the least space unused.
func transactions(items []*item) [][]*item {
	var owners []string
	ofOwner := map[string][]*item{}
	var groups [][]*item
	for _, it := range items {
		switch {
		case it.next == nil:
		case it.alone():
			groups = append(groups, []*item{it})
		default:
			if len(ofOwner[it.key.partition]) == 0 {
				owners = append(owners, it.key.partition)
			}
			ofOwner[it.key.partition] = append(ofOwner[it.key.partition], it)
		}
	}
	for _, owner := range owners {
		groups = append(groups, pieces(ofOwner[owner])...)
	}
	return groups
}

// alone: a record that replaces a row under a key with an apostrophe cannot go into a transaction. Go SDK: it does not
// double the apostrophe in the addresses inside a transaction (aztables v1.4.1, generateEntitySubset).
func (it *item) alone() bool { return it.old != nil && it.key.quoted() }

// piece is a transaction that is being filled.
type piece struct {
	items []*item
	size  int // bytes of its body
}

// pieces distributes the records of one owner.
func pieces(items []*item) [][]*item {
	slices.SortStableFunc(items, func(a, b *item) int { return cmp.Compare(b.sent(), a.sent()) })
	var filling []*piece
	for _, it := range items {
		at := slices.IndexFunc(filling, func(t *piece) bool {
			return t.size+it.sent() <= maxTransaction
		})
		if at < 0 {
			at = len(filling)
			filling = append(filling, &piece{size: envelope})
		}
		filling[at].items = append(filling[at].items, it)
		filling[at].size += it.sent()
	}
	groups := make([][]*item, len(filling))
	for i, t := range filling {
		groups[i] = t.items
	}
	return groups
}

// sent returns how many bytes of a transaction's body a record takes.
func (it *item) sent() int {
	return operation + 3*(len(it.key.partition)+len(it.key.row)) + len(it.entity)
}
