package tables

import (
	"bytes"
	"net/http"
	"sort"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azure"
)

const tableNameProperty = "TableName"

// listTables answers with a page of tables.
// https://learn.microsoft.com/rest/api/storageservices/query-tables
func (s *Service) listTables(o *operation, x *scratch) (response, *azure.Problem) {
	want, problem := readOptions(o.query)
	if problem != nil {
		return response{}, problem
	}
	list, err := s.catalogue(o.Account).list()
	if err != nil {
		return response{}, s.broken(err)
	}
	if token := o.query.Get(nextTable); token != "" {
		name, ok := decodeToken(token)
		if !ok {
			return response{}, invalidInput()
		}
		list = list[sort.Search(len(list), func(i int) bool { return strings.ToLower(list[i].name) >= name }):]
	}
	filter := newPredicate(want.filter.Root)
	f := o.form(tablesName)
	f.selected = want.selected
	answer := response{status: http.StatusOK, metadata: o.metadata}
	out, count := append(f.appendContext(x.out[:0], ""), `"value":[`...), 0
	for _, t := range list {
		if filter != nil && filter.of(tableRow(t)) != isTrue {
			continue
		}
		if count == want.top {
			if count > 0 {
				answer.next = []header{{continuation + "Nexttablename", encodeToken(strings.ToLower(t.name))}}
			}
			break
		}
		count++
		out = append(f.appendTable(append(out, '{'), t.name), '}', ',')
	}
	x.out = append(bytes.TrimSuffix(out, []byte(",")), "]}"...)
	answer.body = x.out
	return answer, nil
}

// tableRow returns a table as an entity that a filter can match.
func tableRow(t *table) *entity {
	return &entity{stored: appendProperty(make([]byte, timestampSize), []byte(tableNameProperty),
		value{edmString, []byte(t.name)})}
}

// appendTable appends the members of a table, without braces.
func (f *form) appendTable(dst []byte, name string) []byte {
	if f.metadata == fullMetadata {
		dst = f.appendLinks(dst, tablesName+"('"+name+"')")
	}
	if f.selected == nil {
		return appendString(append(dst, `"TableName":`...), []byte(name))
	}
	for _, property := range f.selected {
		dst = append(appendString(dst, []byte(property)), ':')
		if property == tableNameProperty {
			dst = append(appendString(dst, []byte(name)), ',')
		} else {
			dst = append(dst, "null,"...)
		}
	}
	return trimComma(dst)
}

// createTable creates a table. https://learn.microsoft.com/rest/api/storageservices/create-table
func (s *Service) createTable(o *operation, x *scratch) (response, *azure.Problem) {
	name, problem := x.reader.tableName(o.body)
	if problem != nil {
		return response{}, problem
	}
	created, err := s.catalogue(o.Account).create(name)
	if err != nil {
		return response{}, s.broken(err)
	}
	if !created {
		return response{}, tableExists()
	}
	f := o.form(tablesName)
	a := response{status: http.StatusNoContent, location: f.base + tablesName + "('" + name + "')",
		preferred: o.preference()}
	if a.preferred == returnNoContent {
		return a, nil
	}
	x.out = f.appendContext(x.out[:0], "/@Element")
	x.out = append(f.appendTable(x.out, name), '}')
	a.status, a.metadata, a.body = http.StatusCreated, o.metadata, x.out
	return a, nil
}

// tableName parses the body of Create Table.
func (r *reader) tableName(body []byte) (string, *azure.Problem) {
	if problem := r.parse(body); problem != nil {
		return "", problem
	}
	for i := range r.props {
		p := &r.props[i]
		if string(p.name) == tableNameProperty && p.kind == jsonString {
			return string(p.text), checkTableName(string(p.text))
		}
	}
	return "", invalidInput()
}

// getTable answers whether a table exists.
func (s *Service) getTable(o *operation, x *scratch) (response, *azure.Problem) {
	t, err := s.catalogue(o.Account).lookup(o.table)
	if err != nil {
		return response{}, s.broken(err)
	}
	if t == nil {
		return response{}, azure.ResourceNotFound()
	}
	f := o.form(tablesName)
	x.out = f.appendContext(x.out[:0], "/@Element")
	x.out = append(f.appendTable(x.out, t.name), '}')
	return response{status: http.StatusOK, metadata: o.metadata, body: x.out}, nil
}

// deleteTable deletes a table with all its entities. In Azure it takes at least 40 seconds until the name can be used
// again; here it can be used at once. https://learn.microsoft.com/rest/api/storageservices/delete-table
func (s *Service) deleteTable(o *operation, _ *scratch) (response, *azure.Problem) {
	removed, err := s.catalogue(o.Account).remove(o.table)
	if err != nil {
		return response{}, s.broken(err)
	}
	if !removed {
		return response{}, azure.ResourceNotFound()
	}
	return response{status: http.StatusNoContent}, nil
}
