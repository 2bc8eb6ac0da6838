package byhand

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/verify"
)

// Server says how the server under test is started, and where.
type Server struct {
	Command   []string // empty: it is already running at URL
	URL       string
	Directory string            // where its command is run
	Ready     string            // the path that answers 200 when it is ready
	Promised  []system.Mapping  // its environment
	Given     []system.Mapping  // and what its owner adds, which may be confidential
	Values    map[string]string // of the placeholders of both that storespec trace does not know
	Confided  []string          // the names of those of Given, and "setup", that are certainly confidential
	Zone      string            // its time zone, if it was given one
	Header    http.Header       // of every request; its values may be confidential
	Setup     string            // a command of the shell that prepares its store; "": none
	SetupIn   string            // where Setup is run
	TLS       bool
	Store     string            // the flag by which storespec trace emulates its kind of store; "": it needs none
	Gateway   map[string]string // where it looks for services of its store, if it cannot be configured
}

// longestWord is the size up to which a body is written into the script, in bytes.
const longestWord = 8 << 10

// Write writes the files for each broken scenario whose request can be sent again, and stores the path of the script in
// its result. The directory must exist. Its files are replaced.
func (s Server) Write(directory string, result *verify.Result) error {
	for _, rule := range result.Rules {
		for i := range rule.Results {
			one := &rule.Results[i]
			if one.Repeat == nil || !one.Outcome.Noticed() && one.Outcome != verify.Unclear {
				continue
			}
			path, err := s.write(directory, nameOf(rule.Rule, *one), *one)
			if err != nil {
				return err
			}
			one.Script = path
		}
	}
	return nil
}

// nameOf returns the name of the files for a scenario: its rule and its line, and its number among those of the line if
// there are several.
func nameOf(rule verify.Rule, result verify.ScenarioResult) string {
	name := fmt.Sprintf("%s-%d", result.Rule, result.Line)
	number, count := 0, 0
	for _, other := range rule.Scenarios {
		if other.Line != result.Line {
			continue
		}
		if count++; other.Name == result.Name {
			number = count
		}
	}
	if count < 2 {
		return name
	}
	return fmt.Sprintf("%s-%d", name, number)
}

// write writes the files of that name for one scenario, and returns the path of the script.
func (s Server) write(directory, name string, result verify.ScenarioResult) (path string, err error) {
	base := filepath.Join(directory, name)
	if err := create(base+".json", func(w io.Writer) error {
		_, err := result.Repeat.Before.WriteTo(w)
		return err
	}); err != nil {
		return "", err
	}
	if large(result.Repeat) {
		if err := create(base+".body", text(result.Repeat.Body)); err != nil {
			return "", err
		}
	}
	return base + ".sh", create(base+".sh", text(s.script(name, result)))
}

// large reports whether a request's body has a file of its own.
func large(r *scenario.Repeat) bool {
	return len(r.Body) > longestWord || !utf8.ValidString(r.Body) || strings.Contains(r.Body, "\x00")
}

func text(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

// create writes a file that no one else can read, and replaces any other of its name.
func create(path string, fill func(io.Writer) error) error {
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := fill(file); err != nil {
		_ = file.Close()
		return fmt.Errorf("write %s: %w", path, err)
	}
	return file.Close()
}
