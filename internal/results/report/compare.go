package report

import (
	"io"

	"github.com/storespec/storespec/internal/results/compare"
)

// CompareJSON writes a comparison of two runs as one JSON document.
func CompareJSON(w io.Writer, found *compare.Comparison) error { return writeJSON(w, found) }
