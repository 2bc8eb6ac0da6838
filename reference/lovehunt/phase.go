package lovehunt

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// phase is a step of the migration from blobs to tables.
type phase string

const (
	blobOnly    phase = "blob-only"    // read and written: blobs. No table call
	dualWrite   phase = "dual-write"   // read: tables, else blob. Written: tables, then blob
	tablesFirst phase = "tables-first" // read: tables, else blob. Written: tables
	tablesOnly  phase = "tables-only"  // read and written: tables. No blob call
)

// phases lists them in the order in which a migration goes through them.
func phases() []phase { return []phase{blobOnly, dualWrite, tablesFirst, tablesOnly} }

// readsTables reports whether the tables are asked first; blobs otherwise.
func (p phase) readsTables() bool { return p != blobOnly }

// fallsBack reports whether a blob is asked for what the tables do not answer.
func (p phase) fallsBack() bool { return p == dualWrite || p == tablesFirst }

// writesBoth reports whether a write is done only when both stores have it.
func (p phase) writesBoth() bool { return p == dualWrite }

// phaseOf reads MIGRATION_PHASE, or the design's three flags, under their own names too. Errors name the
// variables, never their values.
func phaseOf(getenv func(string) string) (phase, error) {
	if given := getenv("MIGRATION_PHASE"); given != "" {
		if p := phase(given); slices.Contains(phases(), p) {
			return p, nil
		}
		return "", fmt.Errorf("MIGRATION_PHASE must be one of %s", strings.Join(names(phases()), ", "))
	}
	tables, noTables := flag(getenv, "ENABLE_AZURE_TABLES")
	both, noBoth := flag(getenv, "DUAL_WRITE_TO_AZURE")
	first, noFirst := flag(getenv, "READ_FROM_AZURE_FIRST")
	switch {
	case errors.Join(noTables, noBoth, noFirst) != nil:
		return "", errors.Join(noTables, noBoth, noFirst)
	case !tables:
		return blobOnly, nil
	case both:
		return dualWrite, nil
	case first:
		return tablesFirst, nil
	}
	return tablesOnly, nil
}

func names(phases []phase) (texts []string) {
	for _, p := range phases {
		texts = append(texts, string(p))
	}
	return texts
}

// flag reads a flag of the design, which may have the prefix VITE_. Unset is false. Errors: another value than true or
// false, and two names with two values.
func flag(getenv func(string) string, name string) (bool, error) {
	given, prefixed := getenv(name), getenv("VITE_"+name)
	if given != "" && prefixed != "" && given != prefixed {
		return false, fmt.Errorf("%s and VITE_%s contradict each other", name, name)
	}
	switch given + prefixed {
	case "true", "truetrue":
		return true, nil
	case "", "false", "falsefalse":
		return false, nil
	}
	return false, fmt.Errorf("%s must be true or false", name)
}
