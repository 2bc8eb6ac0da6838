package lint

import (
	"github.com/storespec/storespec/internal/diagnostic"
	"github.com/storespec/storespec/internal/mapping"
	"github.com/storespec/storespec/internal/spelling"
	"github.com/storespec/storespec/internal/system"
)

// Mapping reads the mapping file of a server, and returns the design that it is for: of several, the one in whose
// contract it has the fewest mistakes. The error joins a *diagnostic.Error for each of those; ok is false if none of
// the designs has a contract.
func Mapping(file string, list []system.System) (of system.System, ok bool, wrong error) {
	least := 0
	for _, s := range list {
		if s.Contract == nil {
			continue
		}
		_, err := mapping.Read(file, s, spelling.Nearest)
		found, _ := diagnostic.All(err)
		if !ok || len(found) < least {
			of, ok, wrong, least = s, true, err, len(found)
		}
	}
	return of, ok, wrong
}
