package process

import (
	"slices"
	"testing"
)

func TestEnvironLeavesOutWhatIsUnset(t *testing.T) {
	t.Setenv("PROCESS_TEST_KEPT", "own")
	t.Setenv("PROCESS_TEST_UNSET", "own")
	t.Setenv("PROCESS_TEST_EMPTY", "")
	t.Setenv("PROCESS_TEST_GIVEN", "own")
	env := Environ(map[string]string{"PROCESS_TEST_GIVEN": "given"}, "PROCESS_TEST_UNSET", "PROCESS_TEST_EMPTY",
		"PROCESS_TEST_GIVEN")
	for entry, want := range map[string]bool{"PROCESS_TEST_KEPT=own": true, "PROCESS_TEST_UNSET=own": false,
		"PROCESS_TEST_EMPTY=": false, "PROCESS_TEST_GIVEN=own": false, "PROCESS_TEST_GIVEN=given": true} {
		if slices.Contains(env, entry) != want {
			t.Errorf("has %q: %t", entry, !want)
		}
	}
}

// Windows has variables such as "=C:" for the directory on a drive.
func TestNamesOfVariablesOnWindows(t *testing.T) {
	own := []string{`=C:=C:\here`, "Azure_Tenant_Id=own", "PATH=x"}
	for _, c := range []struct {
		windows bool
		want    []string
	}{{true, []string{`=C:=C:\here`, "PATH=x"}}, {false, own}} {
		if got := without(slices.Clone(own), []string{"AZURE_TENANT_ID"}, c.windows); !slices.Equal(got, c.want) {
			t.Errorf("on Windows (%t): %q, want %q", c.windows, got, c.want)
		}
	}
}
