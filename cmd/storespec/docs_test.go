package main

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/storespec/storespec/docs"
	"github.com/storespec/storespec/internal/host/command"
)

// A command in a document: a line of a code block that begins with one of these programs. What follows two spaces
// and # is said about it; where a shell puts what it writes is not looked at.
var (
	documented = regexp.MustCompile(`^(?: {4}|\t)(?:\$ )?((?:storespec|make|go|git|npm) -{0,2}\w[\w-]*(?:\s.*)?)$`)
	fenced     = regexp.MustCompile("^```")
	said       = regexp.MustCompile(`\s{2,}#.*$|\s>\s.*$`)
	executed   = regexp.MustCompile(`^(?:exec|status \d+) (.*)$`)
	notRun     = regexp.MustCompile(`^# not run, (.+): ((?:storespec|make|go|git|npm) .*)$`)
)

// commands are the commands of a document, each once.
func commands(text string) []string {
	var found []string
	inside := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if fenced.MatchString(line) {
			inside = !inside
			continue
		}
		if inside {
			line = "    " + line
		}
		if m := documented.FindStringSubmatch(line); m != nil {
			if command := strings.TrimSpace(said.ReplaceAllString(m[1], "")); !slices.Contains(found, command) {
				found = append(found, command)
			}
		}
	}
	return found
}

// document is README.md, CONTRIBUTING.md, CHANGELOG.md or a page of docs/.
type document struct{ folder, text string }

// documents are these, by the name of their script.
func documents(t *testing.T) map[string]document {
	t.Helper()
	root := filepath.Join("..", "..")
	files := []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md"}
	pages, err := pagesOf(root)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]document{}
	for _, file := range append(files, pages...) {
		content, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".md")
		if _, twice := all[name]; twice {
			t.Fatalf("two pages are called %s: help could show only one", name)
		}
		all[name] = document{filepath.Join(root, filepath.Dir(file)), string(content)}
	}
	return all
}

// pagesOf returns the pages of docs/, with their paths from root.
func pagesOf(root string) (pages []string, err error) {
	err = filepath.WalkDir(filepath.Join(root, "docs"), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		page, err := filepath.Rel(root, path)
		pages = append(pages, page)
		return err
	})
	return pages, err
}

// Each page in a folder of docs/ is a topic of storespec help.
func TestEveryGuideIsATopic(t *testing.T) {
	embedded, err := fs.Glob(docs.Files, "*/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, folder := range docs.Folders {
		for _, guide := range folder.Guides {
			listed = append(listed, folder.Name+"/"+guide+".md")
		}
	}
	slices.Sort(listed)
	if !slices.Equal(listed, embedded) {
		t.Errorf("docs.Folders lists\n%v\nnot\n%v", listed, embedded)
	}
	for old, page := range moved {
		if !slices.ContainsFunc(listed, func(file string) bool { return strings.HasSuffix(file, "/"+page+".md") }) {
			t.Errorf("%s has moved to %s, which is not a guide", old, page)
		}
	}
}

// Lines end at 120 columns, except for what cannot be broken: rows of tables that a test or make bench writes, and
// commands and output in code blocks.
func TestLinesOfDocumentsAreShort(t *testing.T) {
	for name, document := range documents(t) {
		generated := strings.HasSuffix(name, "-contract") || name == "benchmarks"
		fence := false
		for line := range strings.Lines(document.text) {
			line = strings.TrimRight(line, "\n")
			switch {
			case strings.HasPrefix(line, "<!-- end of"):
				generated = false
			case strings.HasPrefix(line, "<!--"):
				generated = true
			case fenced.MatchString(line):
				fence = !fence
			case fence || generated || strings.HasPrefix(line, "    "):
			case utf8.RuneCountInString(line) > 120:
				t.Errorf("%s has a line of more than 120 columns: %s", name, line)
			}
		}
	}
}

// TestDocumentedCommandsAreRun holds each document to its script, testdata/script/doc_NAME.txtar: each command of the
// document is run there as it stands, or named with the reason why it is not, and then at least parsed.
func TestDocumentedCommandsAreRun(t *testing.T) {
	total := 0
	for name, document := range documents(t) {
		t.Run(name, func(t *testing.T) {
			wanted := commands(document.text)
			if total += len(wanted); len(wanted) == 0 {
				return
			}
			script, err := os.ReadFile(filepath.Join("testdata", "script", "doc_"+name+".txtar"))
			if err != nil {
				t.Fatalf("%v; it must run\n%s", err, strings.Join(wanted, "\n"))
			}
			var run, left []string
			for line := range strings.Lines(string(script)) {
				line = strings.TrimSpace(line)
				if m := executed.FindStringSubmatch(line); m != nil {
					run = append(run, m[1])
				}
				if m := notRun.FindStringSubmatch(line); m != nil {
					left = append(left, m[2])
				}
			}
			for _, command := range wanted {
				switch {
				case slices.Contains(run, command):
				case slices.Contains(left, command):
					parses(t, command)
				default:
					t.Errorf("the script does not run %q, and does not say why", command)
				}
			}
			for _, command := range left {
				if !slices.Contains(wanted, command) {
					t.Errorf("the script leaves out %q, which the document does not have", command)
				}
			}
		})
	}
	if total < 20 {
		t.Errorf("only %d commands were found in all documents", total)
	}
}

// parses holds the line of a command of storespec to its commands, flags and systems, without running it.
func parses(t *testing.T, line string) {
	t.Helper()
	words := split(line)
	switch words[0] {
	case "make":
		isTarget(t, words[1])
		return
	case "go":
		if len(words) > 3 && words[1] == "run" {
			words = words[2:] // and its package for "storespec"
			break
		}
		return
	case "storespec":
	default:
		return
	}
	unset := func(string) (string, bool) { return "", false }
	a := &app{Env: command.Env{Stdout: io.Discard, Stderr: io.Discard, LookupEnv: unset}}
	cmd, rest, err := a.root().Find(words[1:])
	if err == nil {
		err = cmd.ParseFlags(rest)
	}
	if err != nil {
		t.Errorf("%s: %v", line, err)
		return
	}
	args := cmd.Flags().Args()
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		args = args[:dash]
	}
	if err := cmd.ValidateArgs(args); err != nil {
		t.Errorf("%s: %v", line, err)
	}
	if featuresOf(cmd) == "" && strings.Contains(cmd.Use, "SYSTEM") {
		if _, err := designsOf("").Chosen(args); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// isTarget holds a word to the targets of the Makefile.
func isTarget(t *testing.T, name string) {
	t.Helper()
	makefile, err := os.ReadFile(filepath.Join("..", "..", "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(makefile), "\n"+name+":") {
		t.Errorf("the Makefile has no target %s", name)
	}
}

var shellWord = regexp.MustCompile(`(?:'[^']*'|[^\s'])+`)

// split is a command's words as a shell sees them, as far as documents go.
func split(command string) []string {
	words := shellWord.FindAllString(command, -1)
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], "'", "")
	}
	return words
}

// TestTroubleshootingNamesWhatIsPrinted holds each heading of the guide to the sources: one of them must have the
// message.
func TestTroubleshootingNamesWhatIsPrinted(t *testing.T) {
	var sources strings.Builder
	for _, folder := range []string{"cmd/storespec", "steps", "internal"} {
		err := filepath.WalkDir(filepath.Join("..", "..", folder), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			content, err := os.ReadFile(path)
			sources.Write(content)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	// These are the system's and the flag's, or are put together.
	elsewhere := []string{"address already in use", "holds features, but no system.yaml",
		"processes that a server leaves behind"}
	headings := regexp.MustCompile(`(?m)^### (.+)$`).FindAllStringSubmatch(documents(t)["troubleshooting"].text, -1)
	if len(headings) < 20 {
		t.Fatalf("only %d messages", len(headings))
	}
	// a long message stands on several lines
	joined := regexp.MustCompile(`" *\+\s+"`).ReplaceAllLiteralString(sources.String(), "")
	for _, heading := range headings {
		if message := heading[1]; !slices.Contains(elsewhere, message) && !strings.Contains(joined, message) {
			t.Errorf("nothing prints %q", message)
		}
	}
}

// TestLinksOfDocumentsLeadSomewhere holds links between documents to files and headings that are there.
func TestLinksOfDocumentsLeadSomewhere(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#]*)(?:#([^)]*))?\)`)
	for name, document := range documents(t) {
		folder, text := document.folder, document.text
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			to, heading := m[1], m[2]
			if strings.Contains(to, "://") {
				continue
			}
			target := text
			if to != "" {
				content, err := os.ReadFile(filepath.Join(folder, to))
				if _, isThere := os.Stat(filepath.Join(folder, to)); isThere != nil {
					t.Errorf("%s links to %s, which is not there", name, to)
				}
				if err != nil {
					continue // a directory has no headings
				}
				target = string(content)
			}
			if heading != "" && !slices.Contains(anchors(target), heading) {
				t.Errorf("%s links to %s#%s; there is no such heading", name, to, heading)
			}
		}
	}
}

// anchors are the headings of a document as GitHub makes links of them.
func anchors(text string) []string {
	var found []string
	for _, m := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(text, -1) {
		plain := regexp.MustCompile(`[^\w\- ]`).ReplaceAllString(strings.ToLower(m[1]), "")
		found = append(found, strings.ReplaceAll(plain, " ", "-"))
	}
	return found
}

// The manual of the package names each command, and none that is not there.
func TestPackageManualNamesTheCommands(t *testing.T) {
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var named, there []string
	for _, m := range regexp.MustCompile(`(?m)^//\t([a-z]+)(?: [^ ].*?)?  +\S.*$`).FindAllStringSubmatch(string(text),
		-1) {
		named = append(named, m[1])
	}
	a := &app{Env: command.Env{Stdout: io.Discard, Stderr: io.Discard, LookupEnv: os.LookupEnv}}
	for _, c := range a.root().Commands() {
		if c.Runnable() && !c.Hidden && !slices.Contains([]string{"completion", "help", "version"}, c.Name()) {
			there = append(there, c.Name())
		}
	}
	slices.Sort(named)
	if !slices.Equal(named, there) {
		t.Errorf("the manual names %v, not %v", named, there)
	}
}
