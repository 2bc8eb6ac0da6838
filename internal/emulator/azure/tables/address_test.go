package tables

import (
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/emulator/engine"
)

func TestAddresses(t *testing.T) {
	e := openEmulator(t, engine.Options{})
	e.createTable("Addresses")
	e.put("Addresses", "it's", "100% a+b ü", `"A":1`)
	for _, tt := range []struct {
		name, method, path string
		status             int
		code               string
	}{
		{"as an SDK writes it", "GET", "Addresses(PartitionKey='it%27%27s',RowKey='100%25%20a+b%20%C3%BC')", 200, ""},
		{"bare quotes, keys turned", "GET", "Addresses(RowKey='100%25%20a%2Bb%20%C3%BC',PartitionKey='it''s')", 200,
			""},
		{"the name in another case", "GET", "addresses(PartitionKey='it''s',RowKey='100%25%20a+b%20%C3%BC')", 200, ""},
		{"parentheses encoded", "GET", "Addresses%28PartitionKey='it''s',RowKey='100%25%20a+b%20%C3%BC'%29", 200, ""},
		{"one quote too few", "GET", "Addresses(PartitionKey='it's',RowKey='r')", 400, "InvalidInput"},
		{"one key", "GET", "Addresses(PartitionKey='p')", 400, "InvalidInput"},
		{"a key twice", "GET", "Addresses(PartitionKey='p',PartitionKey='p')", 400, "InvalidInput"},
		{"another key", "GET", "Addresses(PartitionKey='p',Row='p')", 400, "InvalidInput"},
		{"text after it", "GET", "Addresses(PartitionKey='p',RowKey='p')x", 400, "InvalidInput"},
		{"a slash in a key", "GET", "Addresses(PartitionKey='p',RowKey='a%2Fb')", 400, "OutOfRangeInput"},
		{"a slash in the key of a write", "PUT", "Addresses(PartitionKey='p',RowKey='a%2Fb')", 400, "OutOfRangeInput"},
		{"a control character in a key", "PUT", "Addresses(PartitionKey='p',RowKey='a%09b')", 400, "OutOfRangeInput"},
		{"a long key", "PUT", "Addresses(PartitionKey='p',RowKey='" + strings.Repeat("x", 513) + "')", 400,
			"KeyValueTooLarge"},
		{"no UTF-8", "GET", "Addresses(PartitionKey='p',RowKey='%ff')", 400, "InvalidInput"},
		{"a path below a table", "GET", "Addresses/x", 400, "InvalidUri"},
		{"$metadata", "GET", "$metadata", 400, "InvalidUri"},
		{"wrong method", "POST", "Addresses(PartitionKey='p',RowKey='r')", 405, "MethodNotAllowed"},
		{"wrong method for a table", "PUT", "Addresses", 405, "MethodNotAllowed"},
		{"wrong method for the tables", "DELETE", "Tables", 405, "MethodNotAllowed"},
		{"wrong method for a batch", "GET", "$batch", 405, "MethodNotAllowed"},
		{"the service", "GET", "", 200, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := e.do(tt.method, tt.path, "{}")
			if tt.code == "" {
				if a.status != tt.status {
					t.Errorf("%d %s, want %d", a.status, a.body, tt.status)
				}
				return
			}
			a.failsWith(t, tt.status, tt.code)
		})
	}
}
