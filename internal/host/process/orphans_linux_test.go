package process

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// leaves starts a child that runs a shell script, in which $PIDS is a file for process ids, and waits until that holds
// so many.
func leaves(t *testing.T, script string, count int) (child *Process, pids []int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "pids")
	child, err := Start([]string{"sh", "-c", script}, Options{Env: Environ(map[string]string{"PIDS": file})})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(child.Kill)
	waitFor(t, func() bool {
		text, _ := os.ReadFile(file)
		return strings.Count(string(text), "\n") == count
	})
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		pid, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	return child, pids
}

func isGone(pid int) bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

// The server is a shell; its grandchild is in a session, and so in a group, of its own.
const inOwnSession = `setsid sh -c 'echo $$ >>"$PIDS"; sleep 300; :' & `

func TestDescendantsEndThatHaveLeftTheGroup(t *testing.T) {
	for name, test := range map[string]struct {
		script string
		count  int
	}{
		"while their parent runs":     {inOwnSession + `sleep 300`, 1},
		"when their parent has ended": {inOwnSession + `exec sleep 300`, 1},
		"when the child has ended":    {inOwnSession + `exit 0`, 1},
		"and their own children with them": {`setsid sh -c 'setsid sh -c "echo \$\$ >>\"\$PIDS\"; sleep 300; :" & ` +
			`echo $$ >>"$PIDS"; wait' & wait`, 2},
	} {
		t.Run(name, func(t *testing.T) {
			for how, end := range map[string]func(*Process){
				"stop": func(p *Process) {
					if err := p.Stop(t.Context()); err != nil {
						t.Error(err)
					}
				},
				"kill": (*Process).Kill,
			} {
				child, pids := leaves(t, test.script, test.count)
				if end(child); !isGone(pids[0]) || !isGone(pids[len(pids)-1]) {
					t.Errorf("%s: %v: some are still there", how, pids)
				}
			}
		})
	}
}

func TestOtherChildrenKeepTheirDescendants(t *testing.T) {
	one, _ := leaves(t, inOwnSession+`sleep 300`, 1)
	_, others := leaves(t, inOwnSession+`exec sleep 300`, 1)
	if one.Kill(); isGone(others[0]) {
		t.Error("what another child has started was ended too")
	}
}

// The shell that starts it ends at once, so that this process adopts it; a moment later it ends by itself.
func TestAdoptedProcessesDoNotBecomeZombies(t *testing.T) {
	_, pids := leaves(t,
		`setsid sh -c 'echo $$ >>"$PIDS"; while kill -0 "$1" 2>/dev/null; do :; done' - $$ & exit 0`, 1)
	waitFor(t, func() bool { return isGone(pids[0]) })
}

// A storespec that is started by another must not hide its children from that one.
func TestMarksOfNestedRunsAddUp(t *testing.T) {
	outer := marked([]string{"A=1"}, "OUTER")
	inner := marked(outer, "INNER")
	if got := inner[len(inner)-1]; got != markName+"=OUTER:INNER" {
		t.Errorf("the inner mark is %s", got)
	}
	if len(outer) != 2 || outer[1] != markName+"=OUTER" {
		t.Errorf("the outer environment became %q", outer)
	}
}
