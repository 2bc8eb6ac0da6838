package matching

import (
	"fmt"
	"maps"
	"slices"
)

// EachLeaf calls a function for each value in decoded JSON that is not an object or a list, with its path as Lookup
// takes it, in the order of the paths.
func EachLeaf(value any, each func(path string, value any)) { leaf(value, "", each) }

func leaf(value any, path string, each func(path string, value any)) {
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			inner := name
			if path != "" {
				inner = path + "." + name
			}
			leaf(value[name], inner, each)
		}
	case []any:
		for i, item := range value {
			leaf(item, fmt.Sprintf("%s[%d]", path, i), each)
		}
	default:
		each(path, value)
	}
}
