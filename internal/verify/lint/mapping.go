package lint

import (
	"errors"
	"math"

	"github.com/storespec/storespec/internal/run/mapping"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/source"
)

// Mapping reads the mapping file of a server, and returns the design that it is for: of several, the one in whose
// contract and tables it has the fewest mistakes. The error joins a *source.Error for each of those; ok is false if
// none of the designs has a contract.
func Mapping(file string, list []Design) (of system.System, ok bool, wrong error) {
	least := 0
	for _, design := range list {
		s := design.System
		if s.Contract == nil {
			continue
		}
		read, err := mapping.Read(file, s)
		if design.Catalogue != nil && !design.Catalogue.Partial() {
			names := design.Catalogue.Tables(s).Names()
			err = errors.Join(err, read.OnTables(names, len(s.Tables) > 0))
		}
		found, rest := source.All(err)
		mistakes := len(found)
		if rest != nil { // the mistakes could not be counted
			mistakes = math.MaxInt
		}
		if !ok || mistakes < least {
			of, ok, wrong, least = s, true, err, mistakes
		}
	}
	return of, ok, wrong
}
