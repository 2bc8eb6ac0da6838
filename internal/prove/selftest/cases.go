package selftest

import (
	"fmt"
	"net"
	"os/exec"
	"runtime"
	"slices"
)

// Case is one server and the verdict that must come of it.
type Case struct {
	Name  string
	Shows string   // what it shows, for people
	words []string // how its server behaves (server/behavior.go)
	node  bool     // its server is the one for Node
	flags []string // of storespec verify
	needs []need
	want  verdict
}

// verdict is what storespec says of a server.
type verdict struct {
	status   int
	outcomes map[string]string // by scenario; one that is not named: passed. Nil: nothing was judged
	says     []string          // in the text for people
}

// The scenarios of the design.
const (
	stores = "storing an item writes its row and a line of the log"
	reads  = "reading a stored item is one point read"
	misses = "reading a missing item is one point read and a 404"
)

// holds is the verdict of a server that is right.
func holds(says ...string) verdict { return verdict{0, map[string]string{}, says} }

// broken is the verdict of a server that is wrong.
func broken(outcomes map[string]string, says ...string) verdict { return verdict{1, outcomes, says} }

// unusable is the verdict of a server that cannot be judged.
func unusable(says ...string) verdict { return verdict{3, nil, says} }

// need returns why a case cannot be run here; "": it can.
type need func() string

func needsNode() string {
	if _, err := exec.LookPath("node"); err != nil {
		return "there is no node in PATH"
	}
	return ""
}

func needsUnix() string {
	if runtime.GOOS == "windows" {
		return "Windows has no SIGTERM, and hands no listener on"
	}
	return ""
}

func needsIPv6() string {
	listener, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		return "this machine has no IPv6: " + err.Error()
	}
	if err := listener.Close(); err != nil {
		return err.Error()
	}
	return ""
}

// Cases returns all cases, in the order in which they are run.
func Cases() []Case {
	over := map[string]string{stores: "over budget"}
	return slices.Concat(
		both("keeps", "keeps everything", nil, holds(`all selected rules hold`)),
		both("drops", "does its work and closes the connection instead of answering", []string{"drops"},
			broken(map[string]string{stores: "failed", reads: "not prepared"}, "got no answer",
				"the server closed the connection")),
		late("5ms"), late("20ms"), late("60ms"), // on a busy machine some arrive before the answer does
		late("300ms", `late storage calls?, after the answer`),
		both("late-traced", "writes within its budget 300 ms after its answer, with a trace",
			[]string{"late=300ms"}, holds(`late storage calls?, after the answer`)),
		both("over", "writes once too often, 60 ms after its answer, without a trace",
			[]string{"untraced", "over=60ms"}, broken(over, `run again alone: `, `→ table upsert on Log`)),
		both("over-traced", "writes once too often, 60 ms after its answer, with a trace",
			[]string{"over=60ms"}, broken(over, `→ table upsert on Log`)),
		both("polls", "looks for a job every 500 ms, without a trace", []string{"polls=500ms"}, holds()),
		both("polls-and-peeks", "polls, and reads the same row for each request, without a trace",
			[]string{"untraced", "polls=500ms", "peeks"}, broken(map[string]string{stores: "over budget",
				reads: "over budget", misses: "over budget"}, `point read on Jobs`)),
		both("deaf", "ignores SIGTERM", []string{"deaf"},
			holds(`the server ignored SIGTERM; it was killed after 5 s`), needsUnix),
		both("slow", "listens after 2 s", []string{"slow=2s"}, holds()),
		[]Case{{Name: "wrong-port", Shows: "listens on another port", words: []string{"wrong-port"},
			flags: []string{"--ready-within", "2s"}, want: unusable(`nothing listens on port \d+`)}},
		both("ipv6", "listens on ::1 only", []string{"ipv6"}, holds(), needsIPv6),
		both("twice", "two processes on one port", []string{"twice"}, holds(), needsUnix),
		both("chatty", "prints all the time", []string{"chatty"}, holds()),
		both("prints-late", "prints 200 ms after its answer", []string{"prints-late=200ms"}, holds()),
		both("fails", "answers 500 with a body", []string{"fails"},
			broken(map[string]string{reads: "failed", misses: "failed"}, `answered 500, not 200`,
				`answer: .*out of cheese`)),
		[]Case{{Name: "refuses", Shows: "refuses plain http", words: []string{"refuses"},
			want: verdict{3, map[string]string{stores: "failed", reads: "not prepared", misses: "failed"},
				[]string{`the server's SDK refuses plain http`, `--tls serves the store over https`}}}})
}

// late returns the cases of servers whose last write, within their budget, comes late.
func late(delay string, says ...string) []Case {
	return both("late-"+delay, fmt.Sprintf("writes within its budget %s after its answer, without a trace", delay),
		[]string{"untraced", "late=" + delay}, holds(says...))
}

// both returns a case for the server in Go, and the same for that in Node.
func both(name, shows string, words []string, want verdict, needs ...need) []Case {
	return []Case{
		{Name: name, Shows: shows, words: words, want: want, needs: needs},
		{Name: name + "-node", Shows: shows + " (Node)", words: words, node: true, want: want,
			needs: append([]need{needsNode}, needs...)},
	}
}

// Names returns the names of cases.
func Names(list []Case) []string {
	names := make([]string, len(list))
	for i, c := range list {
		names[i] = c.Name
	}
	return names
}
