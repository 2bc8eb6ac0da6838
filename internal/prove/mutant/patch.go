package mutant

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

// Patch is one mutant, as its file describes it.
type Patch struct {
	Name   string `json:"mutant"` // the file's name without .patch
	Rule   string `json:"rule"`   // the rule that must detect it, such as FS-MEM-3
	Breaks string `json:"breaks"` // what the change breaks
	Missed string `json:"missed"` // why a reviewer could miss it

	changes []*gitdiff.File
}

// PatchError is a patch file that cannot be used.
type PatchError struct {
	Where  string // file:line
	Reason string
}

func (e *PatchError) Error() string { return e.Where + ": " + e.Reason }

// mutable is where a patch may change files: a mutant is a different server, not a different harness.
const mutable = "reference/"

// Read reads every *.patch of files, in the order of their names. rules are the ids that a patch may name. The error is
// a *PatchError for a file that is not a valid mutant patch.
func Read(files fs.FS, rules []string) ([]Patch, error) {
	names, err := fs.Glob(files, "*.patch")
	if err != nil {
		return nil, fmt.Errorf("find the patches: %w", err)
	}
	var patches []Patch
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("read the patch: %w", err)
		}
		patch, err := parse(name, string(text), rules)
		if err != nil {
			return nil, err
		}
		patches = append(patches, patch)
	}
	return patches, nil
}

func parse(file, text string, rules []string) (Patch, error) {
	patch := Patch{Name: strings.TrimSuffix(file, ".patch")}
	line, reason := patch.readHeader(text)
	if reason == "" && !slices.Contains(rules, patch.Rule) {
		line, reason = 1, fmt.Sprintf("no rule is called %q: a mutant names the one rule that must notice it",
			patch.Rule)
	}
	if reason == "" {
		line, reason = patch.readChanges(text, line)
	}
	if reason != "" {
		return Patch{}, &PatchError{Where: fmt.Sprintf("%s:%d", file, line), Reason: reason}
	}
	return patch, nil
}

// readHeader reads the fields before the first empty line. It returns the last line it read and, if that line is wrong,
// the reason.
func (p *Patch) readHeader(text string) (line int, reason string) {
	fields := map[string]*string{"Rule": &p.Rule, "Breaks": &p.Breaks, "Missed": &p.Missed}
	var current *string
	for content := range strings.Lines(text) {
		line++
		trimmed := strings.TrimSpace(content)
		if trimmed == "" {
			break
		}
		if current != nil && strings.ContainsAny(content[:1], " \t") {
			*current += " " + trimmed
			continue
		}
		name, value, _ := strings.Cut(trimmed, ":")
		field, known := fields[name]
		if !known {
			return line, fmt.Sprintf("the header holds Rule:, Breaks: and Missed:, then comes an empty line, but "+
				"here stands %q", trimmed)
		}
		if current = field; *current != "" {
			return line, "the header has a second " + name
		}
		*current = strings.TrimSpace(value)
	}
	for _, name := range []string{"Rule", "Breaks", "Missed"} {
		if *fields[name] == "" {
			return max(line, 1), fmt.Sprintf("the header has no %s: or nothing behind it", name)
		}
	}
	return line, ""
}

var gitdiffLine = regexp.MustCompile(`^gitdiff: line (\d+): (.+)`)

// readChanges reads the diff after the header, whose last line number is line.
func (p *Patch) readChanges(text string, line int) (int, string) {
	files, _, err := gitdiff.Parse(strings.NewReader(text))
	if err != nil {
		reason := err.Error()
		if m := gitdiffLine.FindStringSubmatch(reason); m != nil {
			_, _ = fmt.Sscan(m[1], &line) // digits
			reason = m[2]
		}
		return line, reason
	}
	if len(files) == 0 {
		return line, "there is no diff below the header"
	}
	for _, file := range files {
		before, after := withoutSide(file.OldName), withoutSide(file.NewName)
		if before != after || len(file.TextFragments) == 0 {
			return line, fmt.Sprintf("a mutant changes lines of a file and nothing else, but of %q the diff makes %q",
				before, after)
		}
		if path.Clean(after) != after || !strings.HasPrefix(after, mutable) {
			return line, fmt.Sprintf("a mutant changes files below %s only, not %q", mutable, after)
		}
		file.OldName, file.NewName = before, after
	}
	p.changes = files
	return line, ""
}

// withoutSide removes the prefix that diffs add to the names of a file. Without a git header both names have that of
// one side.
func withoutSide(name string) string {
	return strings.TrimPrefix(strings.TrimPrefix(name, "a/"), "b/")
}
