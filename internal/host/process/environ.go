package process

import (
	"os"
	"runtime"
	"slices"
	"strings"
)

// Environ returns this process's environment without the variables named by unset, overridden by the given values.
func Environ(values map[string]string, unset ...string) []string {
	env := without(os.Environ(), unset, runtime.GOOS == "windows")
	for name, value := range values {
		env = append(env, name+"="+value) // the last of two equal names wins
	}
	return env
}

// without removes variables from an environment. On Windows the case of a name does not count.
func without(env, names []string, windows bool) []string {
	return slices.DeleteFunc(env, func(entry string) bool {
		have, _, _ := strings.Cut(entry, "=")
		return slices.ContainsFunc(names, func(name string) bool {
			return name == have || windows && strings.EqualFold(name, have)
		})
	})
}
