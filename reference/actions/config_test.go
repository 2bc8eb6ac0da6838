package actions

import (
	"strings"
	"testing"
	"time"
)

func TestNamesOfContainers(t *testing.T) {
	for name, want := range map[string]bool{
		"abc": true, "a-b": true, "2026-history": true, strings.Repeat("a", 63): true, strings.Repeat("a-", 31) +
			"a": true,
		"ab": false, "": false, "-ab": false, "ab-": false, "a--b": false, "Abc": false, "a_b": false, "abc\n": false,
		strings.Repeat("a", 64): false, strings.Repeat("a-", 32) + "a": false,
	} {
		if got := isContainerName(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

func TestTimeoutOfTheCache(t *testing.T) {
	for value, want := range map[string]time.Duration{"": 100 * time.Millisecond, "2s": 2 * time.Second, "2": 0,
		"0s": 0, "-1s": 0} {
		config, err := FromEnv(func(name string) string {
			return map[string]string{"ACTIONS_TABLE_CONNECTION": "a=b", "REDIS_TIMEOUT": value}[name]
		})
		switch {
		case want == 0:
			if err == nil || err.Error() != "REDIS_TIMEOUT must be a duration above 0, such as 100ms" {
				t.Errorf("%q: error %v does not name the variable", value, err)
			}
		case err != nil || config.RedisTimeout != want:
			t.Errorf("%q: %s, %v", value, config.RedisTimeout, err)
		}
	}
}
