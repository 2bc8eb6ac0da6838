package lane

import (
	"context"
	"fmt"
	"strings"

	"github.com/storespec/storespec/internal/store"
)

// provision creates the tables that the design says a target finds.
func (l *Lane) provision(ctx context.Context) error {
	if len(l.Maker.System.Tables) == 0 {
		return nil
	}
	provisioner, ok := l.Data.Tables.(store.Provisioner)
	if !ok {
		return fmt.Errorf("the description of %s defines tables, and its store %s takes no definitions",
			l.Maker.System.Name, l.Maker.Store.Name())
	}
	for _, definition := range l.Maker.System.Tables {
		if err := provisioner.Provision(ctx, definition, l.Called); err != nil {
			return err
		}
	}
	return nil
}

// ownTable is the placeholder in a system's names for the table that the lane may use where it is not alone.
const ownTable = "{table}"

// Called returns what the environment of the lane's target calls something that the features have a word for.
func (l *Lane) Called(word string) string {
	name, ok := l.Maker.System.Names[word]
	if !ok {
		return word
	}
	return strings.ReplaceAll(name, ownTable, l.Table())
}

// word returns what the features call something that the environment has a name for.
func (l *Lane) word(called string) string {
	for word := range l.Maker.System.Names {
		if l.Called(word) == called {
			return word
		}
	}
	return called
}

// Table returns the name of the table that the lane may use where it is not alone; "" if its store has no such names.
func (l *Lane) Table() string { return l.Lease.Values(nil)[strings.Trim(ownTable, "{}")] }
