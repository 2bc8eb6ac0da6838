package system

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/internal/source"
)

func offers() Offers {
	return Offers{
		Stores: []Store{
			{Name: "azure", Placeholders: []string{"account", "blobs", "connection", "key", "tables"},
				Reach: []string{"connection", "tables", "blobs"}},
			{Name: "kv", Placeholders: []string{"base-url"}, Reach: []string{"base-url"}},
		},
		Companions: []string{"openai", "outbox"}, References: []string{"ours"},
		Placeholders: []string{"ca", "container", "port", "secret", "storage-try-timeout"},
		Contract:     func(reference string) string { return "the contract of " + reference },
	}
}

// read reads a description of the design "notes", next to another file.
func read(description, contract string) (System, error) {
	return offers().Read(fstest.MapFS{
		"notes/" + File: {Data: []byte(description)}, "api.yaml": {Data: []byte(contract)},
	}, "designs", "notes")
}

const whole = `ready: /healthz
needs-store: /notes
environment:
  STORAGE: "{base-url}"
  LISTEN: 127.0.0.1:{port}
person-headers: {X-User: "{userKey}"}
session: {header: X-Session, cookie: sid, answer: session.id, expires: until}
error-code: code
trace-id: traceId
store: kv
companions: [outbox]
container: pictures
names: {notes: Notes2024}
ids: "note-{name}-{tag}"
shared-tables: [Counts]
shared-routes: [/stats, "/notes?all"]
not-in-keys: {an e-mail: '\S+@\S+'}
secret-names: [sessions, sign.in]
reference: ours
tags: ["@slow", fast]
capabilities:
  search: finding notes by a word
  full-text: {description: likewise, shown: ['(?i)FULL', ^all$]}
`

func TestRead(t *testing.T) {
	s, err := read(whole, "")
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Env) != 2 || s.Env[0].Name != "STORAGE" || !s.Env[1].Uses("port") || len(s.People) != 1 ||
		s.People[0].Name != "X-User" {
		t.Errorf("environment %v, headers %v", s.Env, s.People)
	}
	shown := s.Capabilities[1].Shown
	if !shown.MatchString("fullest") || !shown.MatchString("all") || shown.MatchString("ALL") {
		t.Errorf("full-text is shown by %v", shown)
	}
	if got := s.SecretBlobs.ReplaceAllString("box/sign.in/s3cret.json, signXin/open", "$1/…"); got !=
		"box/sign.in/…, signXin/open" {
		t.Errorf("of a secret name is left %q", got)
	}
	if forbidden := s.NotInKeys; forbidden.What != "an e-mail" || !forbidden.Pattern.MatchString("a@b") {
		t.Errorf("in no key: %v", forbidden)
	}
	if id := s.NewID("Milk", "x1y2z3"); id != "note-Milk-x1y2z3" {
		t.Errorf("an id is %q", id)
	}
	s.IDs, s.Env, s.People, s.SecretBlobs, s.NotInKeys, s.Capabilities[1].Shown = nil, nil, nil, nil, nil, nil
	want := System{
		Name: "notes", Ready: "/healthz", NeedsStore: "/notes", Container: "pictures",
		Session:   Session{Header: "X-Session", Cookie: "sid", Answer: "session.id", Expires: "until"},
		ErrorCode: "code", TraceID: "traceId", Store: "kv",
		Companions: []string{"outbox"}, Names: map[string]string{"notes": "Notes2024"},
		Shared: []string{"Counts", "/stats", "/notes?all"}, Reference: "ours", Contract: []byte("the contract of ours"),
		Tags: []string{"slow", "fast", "needs-search", "needs-full-text"},
		Capabilities: []Capability{{Name: "search", Description: "finding notes by a word"},
			{Name: "full-text", Description: "likewise"}},
	}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
}

const least = "ready: /\nneeds-store: /a\nenvironment: {STORE: '{openai}{connection}'}\n"

func TestWhatIsNotSaid(t *testing.T) {
	s, err := read(least+"contract: ../api.yaml\n", "openapi: 3.1.0\ninfo: {title: T, version: v}\npaths: {}\n")
	if err != nil {
		t.Fatal(err)
	}
	s.Env = nil
	want := System{Name: "notes", Ready: "/", NeedsStore: "/a", Container: "state", Store: "azure",
		Companions: []string{"openai"}, Contract: s.Contract}
	if diff := cmp.Diff(want, s); diff != "" || !strings.HasPrefix(string(s.Contract), "openapi") {
		t.Errorf("read (-want +got):\n%s", diff)
	}
}

// mistake is a description that is not understood, and how a line of the error begins, without the column.
type mistake struct{ name, description, want string }

var column = regexp.MustCompile(`^(:\d+):\d+`)

func TestEveryMistakeIsReported(t *testing.T) {
	s, err := read("ready: healthz\nneeds-store: /a\nenvironment: {STORE: '{con_nection}', OTHER: '{conn}'}\n"+
		"tags: [slow, 'a b']\ncont_ainer: notes\n", "")
	found, rest := source.All(err)
	var got []string
	for _, one := range found {
		got = append(got, strings.TrimPrefix(one.Error(), "designs/notes/system.yaml:"))
	}
	want := []string{
		"1:8: ready must be the path that answers 200 when the server is ready, such as /healthz",
		"3:22: environment: STORE: {con_nection} is not known; known: " +
			"{account}, {blobs}, {ca}, {connection}, {container}, {key}, {openai}, {outbox}, {port}, " +
			"{secret}, {storage-try-timeout}, {tables}",
		"3:46: environment: OTHER: {conn} is not known; known: " +
			"{account}, {blobs}, {ca}, {connection}, {container}, {key}, {openai}, {outbox}, {port}, " +
			"{secret}, {storage-try-timeout}, {tables}",
		"4:14: tags must be a list of names, such as slow",
		`5:1: the description has an unknown key "cont_ainer"; did you mean container?`,
	}
	if diff := cmp.Diff(want, got); diff != "" || rest != nil {
		t.Errorf("reported (-want +got):\n%s%v", diff, rest)
	}
	if s.NeedsStore != "/a" || !slices.Equal(s.Tags, []string{"slow"}) {
		t.Errorf("read %+v", s)
	}
}

func TestWhatIsNotUnderstood(t *testing.T) {
	for _, test := range slices.Concat(malformed(), missing(), wrong()) {
		t.Run(test.name, func(t *testing.T) {
			_, err := read(test.description, "")
			if err == nil {
				t.Fatal("it was understood")
			}
			lacks := ":1: it does not say "
			got := slices.DeleteFunc(mistakes(t, err), func(line string) bool {
				return strings.HasPrefix(line, lacks) && !strings.HasPrefix(test.want, lacks)
			})
			if !slices.ContainsFunc(got, func(line string) bool { return strings.HasPrefix(line, test.want) }) ||
				len(got) > 1 && !strings.HasPrefix(test.want, lacks) {
				t.Errorf("got %q, want %q alone", got, test.want)
			}
		})
	}
}

// mistakes returns the mistakes in a description, from the line on and without the column. It fails the test unless
// each is in the description, and says so on one line.
func mistakes(t *testing.T, err error) (lines []string) {
	t.Helper()
	found, rest := source.All(err)
	if rest != nil || len(found) == 0 {
		t.Errorf("error %T %q", err, err)
	}
	for _, one := range found {
		line, here := strings.CutPrefix(one.Error(), "designs/notes/"+File)
		if !here || strings.ContainsAny(line, "\r\n") {
			t.Errorf("a mistake is reported as %q", one)
		}
		lines = append(lines, column.ReplaceAllString(line, "$1"))
	}
	return lines
}

func malformed() []mistake {
	return []mistake{
		{"nothing", "", ": it is empty; it must say ready, needs-store and environment, or base"},
		{"no YAML", "ready: [", ":1: did not find expected node content"},
		{"an unknown anchor", "ready: *a", ": unknown anchor 'a' referenced"},
		{"two documents", least + "---\n" + least, ":4: it holds more than one YAML document"},
		{"a list", "- ready", ":1: the description must be a mapping with base, ready, "},
		{"an unknown key", "ready: /\nreday: /x\n",
			`:2: the description has an unknown key "reday"; did you mean ready?`},
		{"a key of two lines", "\"a\\nb\": x\n", `:1: the description has an unknown key "a\nb"`},
		{"a key twice", "ready: /\nready: /x\n", `:2: the description has the key "ready" twice`},
	}
}

func missing() []mistake {
	return []mistake{
		{"no readiness", "needs-store: /notes\n", ":1: it does not say ready: the path that answers 200"},
		{"no route of the store", "ready: /healthz\n", ":1: it does not say needs-store: a path that"},
		{"no environment", "ready: /a\nneeds-store: /b\n", ":1: it does not say environment: "},
		{"an environment without the store", "ready: /a\nneeds-store: /b\nenvironment:\n  A: b\n",
			":4: no variable of environment tells the server where its store is"},
	}
}

// wrong are the mistakes in the value of each key, by what follows the key in the error.
func wrong() (list []mistake) {
	for _, test := range slices.Concat(wrongTexts(), wrongLists(), wrongPairs()) {
		others := strings.Replace("\n"+least, "\n"+test.name+": ", "\n#", 1)
		list = append(list, mistake{test.name + ": " + test.description,
			strings.TrimSpace(others) + "\n" + test.name + ": " + test.description, ":4: " + test.name + test.want})
	}
	return list
}

func wrongTexts() []mistake {
	return []mistake{
		{"ready", "healthz", " must be the path that answers 200"},
		{"ready", "/a%zz", " must be the path that answers 200"},
		{"ready", "[/]", " must be the path that answers 200"},
		{"needs-store", "", " must be a path that"},
		{"session", "sid", " must be a mapping with header, cookie, answer, expires"},
		{"session", "{cookies: sid}", ` has an unknown key "cookies"; did you mean cookie?`},
		{"session", "{cookie: 's id'}", ": cookie must be the name of a cookie"},
		{"session", "{answer: .id}", ": answer must be the way to a member of an answer's JSON"},
		{"session", "{header: }", ": header must be the name of a header"},
		{"error-code", "", " must be the member of an answer's JSON that holds the code of an error"},
		{"error-code", "errors[", " must be the member of an answer's JSON that holds the code of an error"},
		{"ids", "uuid", " must be a text that differs for each id: with {uuid} or {hex}, or with {name} and {tag}"},
		{"ids", `"{name}"`, " must be a text that differs for each id: with {uuid} or {hex}, or with {name} and {tag}"},
		{"ids", `"{ulid}"`, ": {ulid} is not known; known: {hex}, {name}, {tag}, {uuid}"},
		{"ids", `"a/{uuid}"`,
			" must be a text that differs for each id: with {uuid} or {hex}, or with {name} and {tag}"},
		{"trace-id", "[id]", " must be the member of an answer's JSON that is another in each answer"},
		{"store", "mongo", " must be a kind of store: azure, kv"},
		{"container", "Pictures", " must be the name of a blob container"},
		{"contract", "[]", " must be the path of an OpenAPI 3.1 document in YAML, seen from here"},
		{"contract", "nowhere.yaml", ": designs/notes/nowhere.yaml: the contract cannot be read: file does not exist"},
		{"contract", "system.yaml", ": designs/notes/system.yaml: "},
		{"reference", "theirs", " must be the name of a reference server of storespec's: ours"},
	}
}

func wrongLists() []mistake {
	return []mistake{
		{"companions", "outbox", " must be a list of names, known: openai, outbox"},
		{"companions", "[in-box]", " must be a list of names, known: openai, outbox"},
		{"shared-tables", "Counts", " must be a list of names of tables, such as Counts"},
		{"shared-tables", `["Counts("]`, " must be a list of names of tables, such as Counts"},
		{"shared-tables", "[[Counts]]", " must be a list of names of tables, such as Counts"},
		{"shared-tables", "[.]", " must be a list of names of tables, such as Counts"},
		{"shared-routes", "[stats]", " must be a list of paths, such as /stats"},
		{"shared-routes", "[/]", " must be a list of paths, such as /stats"},
		{"shared-routes", "['/a b']", " must be a list of paths, such as /stats"},
		{"tables", "table.json", " must be a list of paths, seen from here, of definitions of tables"},
		{"tables", "[nowhere.json]", ": designs/notes/nowhere.json: the definition of a table cannot be read: "},
		{"tables", "[system.yaml]", ": system.yaml is not JSON"},
		{"secret-names", "[a/b]", " must be a list of names of folders of blobs"},
		{"tags", "['@']", " must be a list of names, such as slow"},
		{"tags", "['a b']", " must be a list of names, such as slow"},
		{"tags", "[~]", " must be a list of names, such as slow"},
		{"capabilities", "[search]", " must be a mapping from names to what each is"},
		{"capabilities", "{a: b, a: c}", ` has the key "a" twice`},
		{"capabilities", "{full text: a}", `: "full text" is not a name`},
		{"capabilities", "{search: }", ": search must be a text that says what it is"},
		{"capabilities", "{search: {shown: a}}",
			": search must be a text that says what it is, or have one as its description"},
		{"capabilities", "{search: {is: a}}", `: search has an unknown key "is"; it knows description, shown`},
		{"capabilities", "{search: {description: a, shown: '('}}",
			": search: shown must be a regular expression, as RE2"},
		{"capabilities", "{search: {description: a, shown: []}}",
			": search: shown must be a regular expression, or a list"},
	}
}

func wrongPairs() []mistake {
	return []mistake{
		{"environment", "[A]", " must be a mapping from names to texts"},
		{"environment", "{A: {tables}}", ": A must be a text; one that begins with a brace needs quotes"},
		{"environment", "{'': '{tables}'}", `: "" is not a variable name`},
		{"environment", "{A=B: '{tables}'}", `: "A=B" is not a variable name`},
		{"environment", "{A: '{table}'}", ": A: {table} is not known; known: {account}, "},
		{"environment", "{A: '{out box}{outboxes}'}", ": A: {outboxes} is not known; known: {account}, "},
		{"environment", "{\"A\\nB\": '{table}'}", ": A B: {table} is not known; known: {account}, "},
		{"environment", `{A: "{tables}\0"}`, ": A must be a text; "},
		{"person-headers", "X-User", " must be a mapping from names to texts"},
		{"person-headers", "{X-User: '{id}'}", ": X-User: {id} is not known; known: {email}, {name}, {userKey}"},
		{"person-headers", "{X User: a}", `: "X User" is not a header name`},
		{"person-headers", `{X-User: "a\nb"}`, ": X-User must be a text that a header can hold, on one line"},
		{"names", "[notes]", " must be a mapping from words to what the environment calls them"},
		{"names", "{a b: c}", `: "a b" must be a word that can stand in braces, with a text`},
		{"names", "{notes: []}", `: "notes" must be a word that can stand in braces, with a text`},
		{"not-in-keys", "e-mail", " must be a mapping from what it is to its pattern"},
		{"not-in-keys", "{}", " must be a mapping from what it is to its pattern"},
		{"not-in-keys", "{a: b, c: d}", " must be a mapping from what it is to its pattern"},
		{"not-in-keys", "{a: '('}", ": a must be a regular expression, as RE2 takes it: error parsing regexp"},
		{"not-in-keys", "{a: {}}", ": a must be a regular expression, or a list of them"},
	}
}

// Whatever a description contains is understood, or each mistake in it is reported with its file, on one line.
func FuzzRead(f *testing.F) {
	f.Add(whole, "openapi: 3.1.0")
	f.Add(least+"contract: ../api.yaml\n", "openapi: 3.1.0\ninfo: {title: T, version: v}\npaths: {}\n")
	for _, m := range slices.Concat(malformed(), missing(), wrong()) {
		f.Add(m.description, "")
	}
	f.Fuzz(func(t *testing.T, description, contract string) {
		s, err := read(description, contract)
		if err != nil {
			mistakes(t, err)
			return
		}
		if s.Ready == "" || s.NeedsStore == "" || len(s.Env) == 0 || s.Container == "" || s.Store == "" {
			t.Errorf("%q is understood as %+v", description, s)
		}
	})
}
