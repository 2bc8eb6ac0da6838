package system

import (
	"encoding/json"
	"io/fs"
	"path"
	"path/filepath"

	"go.yaml.in/yaml/v3"

	"github.com/storespec/storespec/internal/source/yamldoc"
)

// tables reads the files that define tables. What a definition says is for the store to understand.
func (r *reader) tables(k key, value *yaml.Node) error {
	var names []string
	if err := r.list(&names, func(string) bool { return true })(k, value); err != nil {
		return err
	}
	var own [][]byte
	for i, name := range names {
		content, err := fs.ReadFile(r.files, path.Join(r.system.Name, name))
		if err != nil {
			shown := filepath.Join(filepath.Dir(r.Path), filepath.FromSlash(name))
			return r.At(value.Content[i], "%s: %s", k.name,
				yamldoc.Reader{Path: shown}.Unread("the definition of a table", err))
		}
		if !json.Valid(content) {
			return r.At(value.Content[i], "%s: %s is not JSON", k.name, name)
		}
		own = append(own, content)
	}
	r.system.Tables = append(own, r.system.Tables...) // the first definition of a table holds
	return nil
}
