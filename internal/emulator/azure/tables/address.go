package tables

import (
	"cmp"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/storespec/storespec/internal/emulator/azure"
	"github.com/storespec/storespec/internal/emulator/odata"
)

// resource is the kind of an address.
type resource byte

const (
	theService resource = iota // nothing after the account
	theBatch                   // $batch
	theTables                  // Tables
	oneTable                   // Tables('name')
	entities                   // name or name()
	oneEntity                  // name(PartitionKey='p',RowKey='r')
)

// address is the part of a request's address after the account.
type address struct {
	resource       resource
	table          string
	partition, row string
}

// The names with a special meaning.
const (
	batchName  = "$batch"
	tablesName = "Tables"
)

// parseAddress parses a path as sent. Problems: InvalidInput, InvalidUri, OutOfRangeInput, KeyValueTooLarge.
// https://learn.microsoft.com/rest/api/storageservices/addressing-table-service-resources
func parseAddress(path string) (address, *azure.Problem) {
	text, err := url.PathUnescape(strings.TrimSuffix(path, "/"))
	if err != nil || !utf8.ValidString(text) {
		return address{}, invalidInput()
	}
	switch text {
	case "":
		return address{resource: theService}, nil
	case batchName:
		return address{resource: theBatch}, nil
	case tablesName, tablesName + "()":
		return address{resource: theTables}, nil
	}
	name, rest, hasKeys := strings.Cut(text, "(")
	a := address{resource: entities, table: name}
	if strings.ContainsAny(name, "/$") {
		return a, azure.InvalidURI()
	}
	if !hasKeys || rest == ")" {
		return a, nil
	}
	if name == tablesName {
		if a.table, rest, hasKeys = odata.CutQuoted(rest, "'"); !hasKeys || rest != ")" {
			return a, invalidInput()
		}
		a.resource = oneTable
		return a, nil
	}
	a.resource = oneEntity
	return a, a.parseKeys(rest)
}

// parseKeys parses PartitionKey='p',RowKey='r') in either order.
func (a *address) parseKeys(rest string) *azure.Problem {
	var seen [2]bool
	for end := byte(','); end == ','; {
		name, after, ok := strings.Cut(rest, "=")
		if !ok {
			return invalidInput()
		}
		value, after, ok := odata.CutQuoted(after, "'")
		if !ok || after == "" || after[0] != ',' && after != ")" {
			return invalidInput()
		}
		end, rest = after[0], after[1:]
		switch {
		case name == partitionKey && !seen[0]:
			a.partition, seen[0] = value, true
		case name == rowKey && !seen[1]:
			a.row, seen[1] = value, true
		default:
			return invalidInput()
		}
	}
	if !seen[0] || !seen[1] {
		return invalidInput()
	}
	return cmp.Or(checkKey(partitionKey, a.partition), checkKey(rowKey, a.row))
}

// checkTableName returns what is wrong with the name of a table.
// https://learn.microsoft.com/rest/api/storageservices/understanding-the-table-service-data-model#table-names
func checkTableName(name string) *azure.Problem {
	if len(name) < 3 || len(name) > 63 {
		return tableNameLength()
	}
	for i := range len(name) {
		c := name[i]
		if (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return invalidTableName()
		}
	}
	if strings.EqualFold(name, tablesName) {
		return invalidTableName()
	}
	return nil
}
