package azure

import (
	"testing"

	"github.com/storespec/storespec/internal/emulator/odata"
)

func TestClassOfQuery(t *testing.T) {
	tests := []struct {
		name, filter string
		want         string
	}{
		{"no filter", "", TableScan},
		{"point query", "(PartitionKey eq 'Sales') and (RowKey eq '2')", PointRead},
		{"point query, constants on the left", "'2' eq RowKey and 'Sales' eq PartitionKey", PointRead},
		{"point query with one more condition", "PartitionKey eq 'a' and RowKey eq 'b' and status eq 'x'", PointRead},
		{"range query", "PartitionKey eq 'Sales' and RowKey ge 'S' and RowKey lt 'T'", PartitionRange},
		{"range query, open above", "PartitionKey eq 'a' and RowKey gt 'S'", PartitionRange},
		{"range query, constant on the left", "PartitionKey eq 'a' and 'S' ge RowKey", PartitionRange},
		{"range in parentheses", "PartitionKey eq 'a' and (RowKey ge 'S' and RowKey le 'T')", PartitionRange},
		{"whole partition", "PartitionKey eq 'a'", PartitionQuery},
		{"partition, other condition", "PartitionKey eq 'a' and status eq 'x'", PartitionQuery},
		{"partition, row keys under or", "PartitionKey eq 'Sales' and (RowKey eq '121' or RowKey eq '322')",
			PartitionQuery},
		{"partition, row key ne", "PartitionKey eq 'a' and RowKey ne 'b'", PartitionQuery},
		{"partition, negated row key", "PartitionKey eq 'a' and not (RowKey eq 'b')", PartitionQuery},
		{"partition, row keys that contradict", "PartitionKey eq 'a' and RowKey eq 'b' and RowKey eq 'c'",
			PartitionQuery},
		{"partition, row keys that contradict, and a range",
			"PartitionKey eq 'a' and RowKey eq 'b' and RowKey eq 'c' and RowKey gt 'a'", PartitionQuery},
		{"partition named twice", "PartitionKey eq 'a' and PartitionKey eq 'a'", PartitionQuery},
		{"partition under or", "PartitionKey eq 'a' or status eq 'x'", TableScan},
		{"two partitions", "PartitionKey eq 'a' or PartitionKey eq 'b'", TableScan},
		{"partitions that contradict", "PartitionKey eq 'a' and PartitionKey eq 'b'", TableScan},
		{"contradiction, then again", "PartitionKey eq 'a' and PartitionKey eq 'b' and PartitionKey eq ''", TableScan},
		{"negated partition", "not (PartitionKey eq 'a')", TableScan},
		{"range of partitions", "PartitionKey ge 'a' and PartitionKey lt 'b'", TableScan},
		{"row key alone", "RowKey eq 'b'", TableScan},
		{"other property", "LastName eq 'Jones'", TableScan},
		{"partition key is case-sensitive", "partitionkey eq 'a'", TableScan},
		{"partition key of another type", "PartitionKey eq 5", TableScan},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := odata.ParseFilter(tt.filter)
			if err != nil {
				t.Fatal(err)
			}
			if got := classOfQuery(f); got != tt.want {
				t.Errorf("%q is a %s, want a %s", tt.filter, got, tt.want)
			}
		})
	}
}
