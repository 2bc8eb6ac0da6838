package system

import (
	"errors"
	"io/fs"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"golang.org/x/net/http/httpguts"

	"github.com/storespec/storespec/internal/run/contract"
	"github.com/storespec/storespec/internal/source/yamldoc"
)

// File is the name of the description file, in the folder of the design's feature files.
const File = "system.yaml"

// Offers are the names that a description can refer to in storespec; the reader itself knows none of them.
type Offers struct {
	Stores []Store // the first is the default for a design
	// Companions can be started with a server, and each provides a placeholder of the same name; the default for a
	// design is all of them.
	Companions   []string
	Placeholders []string // of the environment of every server
	References   []string // reference servers
	// Contract returns the OpenAPI document of a reference server, in YAML.
	Contract func(reference string) string
}

// Store is a kind of store.
type Store struct {
	Name         string
	Placeholders []string // those it provides to an environment
	Reach        []string // those of which a server needs at least one to find it
}

// Known returns the placeholders that the environment of a design's servers can hold, in order.
func (o Offers) Known(s System) []string {
	kind := o.Stores[slices.Index(o.stores(), s.Store)]
	return slices.Sorted(slices.Values(slices.Concat(o.Placeholders, kind.Placeholders, s.Companions, s.Services)))
}

// stores returns the names of the kinds.
func (o Offers) stores() (names []string) {
	for _, kind := range o.Stores {
		names = append(names, kind.Name)
	}
	return names
}

// Read reads the description of a design in the folder of files that has the design's name. directory is where files
// are located, for errors; "" for files that are built in. bases are the designs that it can build on. The error joins
// a *yamldoc.Error for each mistake; with it, the system is what could be read, without a Store if nothing could.
func (o Offers) Read(files fs.FS, directory, name string, bases ...System) (System, error) {
	r := &reader{Reader: yamldoc.Reader{Path: filepath.Join(directory, name, File)}, Offers: o, files: files,
		bases: bases, system: System{Name: name, Container: defaultContainer}}
	content, err := fs.ReadFile(files, path.Join(name, File))
	if err != nil {
		return r.system, r.Unread("the description of "+name, err)
	}
	doc, err := r.Parse(content)
	if err == nil && doc == nil {
		err = &yamldoc.Error{File: r.Path,
			Reason: "it is empty; it must say ready, needs-store and environment, or base"}
	}
	if err == nil {
		err = r.read(doc)
	}
	return r.system, err
}

// reader converts the values of the keys into parts of a system.
type reader struct {
	yamldoc.Reader
	Offers
	files  fs.FS
	bases  []System
	system System
}

// key is a key of the file, and what its value must be, as errors word it.
type key struct {
	name, want string
	required   bool
	read       func(k key, value *yaml.Node) error
}

// keys returns all keys that the file can have, in the order in which they are read.
func (r *reader) keys() []key {
	s := &r.system
	return []key{
		{"base", "the name of a built-in design: " + strings.Join(Names(r.bases), ", "), false, r.base},
		{"ready", "the path that answers 200 when the server is ready, such as /healthz", true,
			r.text(&s.Ready, isPath)},
		{"needs-store", "a path that the server cannot answer to GET without asking its store, such as /notes", true,
			r.text(&s.NeedsStore, isPath)},
		{"companions", "a list of names, known: " + strings.Join(r.Companions, ", "), false,
			r.list(&s.Companions, among(r.Companions))},
		{"store", "a kind of store: " + strings.Join(r.stores(), ", "), false,
			r.asBase(&s.Store, among(r.stores()))},
		{"services", "a list of names of services that the server calls, such as mail, whose address is then {mail}",
			false, r.list(&s.Services, givenName.MatchString)},
		{"environment", "the variables by which the server finds its store, such as STORAGE_CONNECTION: " +
			"\"{connection}\"", true, r.environment},
		{"person-headers", "a mapping from names to texts", false, r.personHeaders},
		{"session", "a mapping with header, cookie, answer, expires", false, r.session},
		{"error-code", "the member of an answer's JSON that holds the code of an error, such as error", false,
			r.text(&s.ErrorCode, member.MatchString)},
		{"trace-id", "the member of an answer's JSON that is another in each answer, such as traceId", false,
			r.text(&s.TraceID, member.MatchString)},
		{"container", "the name of a blob container: 3 to 63 small letters, digits and single hyphens", false,
			r.text(&s.Container, containerName.MatchString)},
		{"names", "a mapping from words to what the environment calls them, such as notes: Notes2024", false, r.names},
		{"tables", "a list of paths, seen from here, of definitions of tables: the request of CreateTable in JSON, " +
			"such as table.json", false, r.tables},
		{"ids", "a text that differs for each id: with {uuid} or {hex}, or with {name} and {tag}", false, r.ids},
		{"shared-tables", "a list of names of tables, such as Counts", false,
			r.list(&s.Shared, tableName.MatchString)},
		{"shared-routes", "a list of paths, such as /stats", false, r.list(&s.Shared, routeName.MatchString)},
		{"not-in-keys", `a mapping from what it is to its pattern, such as {an e-mail: '\S+@\S+'}`, false, r.forbidden},
		{"secret-names", "a list of names of folders of blobs, such as sessions", false, r.secrets},
		{"reference", "the name of a reference server of storespec's: " + strings.Join(r.References, ", "), false,
			r.asBase(&s.Reference, among(r.References))},
		{"contract", "the path of an OpenAPI 3.1 document in YAML, seen from here", false, r.contract},
		{"tags", "a list of names, such as slow", false, r.list(&s.Tags, tagName.MatchString)},
		{"capabilities", "a mapping from names to what each is, such as search: finding notes by a word", false,
			r.capabilities},
	}
}

// The formats of values in a file.
var (
	// containerName is the format Azure allows ("Naming and Referencing Containers, Blobs, and Metadata").
	containerName = regexp.MustCompile(`^[a-z0-9]([a-z0-9]|-[a-z0-9]){2,62}$`)
	// tableName is what all services allow, and routeName a part of a path. Both are matched in a text as whole words,
	// so each must begin and end like a word.
	tableName = regexp.MustCompile(`^\w([\w.-]*\w)?$`)
	routeName = regexp.MustCompile(`^/\w(\S*\w)?$`)
	// tagName is what both Gherkin and --tags accept as a single tag.
	tagName = regexp.MustCompile(`^@?[^\s@,&~]+$`)
	// member is a path to a value in an answer's JSON.
	member = regexp.MustCompile(`^[^.\[\]]+(\[\d+\])*(\.[^.\[\]]+(\[\d+\])*)*$`)
	// folderName is part of a blob's name.
	folderName = regexp.MustCompile(`^[^\s/]+$`)
	// capabilityName is what can be part of a tag, and of the comma-separated list of --without.
	capabilityName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	// givenName is what can be used in braces.
	givenName = regexp.MustCompile(`^[A-Za-z]\w*$`)
)

// defaultContainer is where blob steps look if the file does not specify a container.
const defaultContainer = "state"

func isPath(text string) bool {
	_, err := url.Parse("http://localhost" + text)
	return strings.HasPrefix(text, "/") && err == nil
}

// among returns a format that accepts only the names in list.
func among(list []string) func(string) bool {
	return func(text string) bool { return slices.Contains(list, text) }
}

// isText reports whether a node is a text, and not empty.
func isText(node *yaml.Node) bool {
	return node.Kind == yaml.ScalarNode && node.Tag != "!!null" && node.Value != ""
}

// read reads the keys and sets the defaults of missing ones.
func (r *reader) read(doc *yaml.Node) error {
	keys := r.keys()
	var names []string
	for _, k := range keys {
		names = append(names, k.name)
	}
	fields, err := r.Fields(doc, "the description", names...)
	if fields == nil {
		return err
	}
	wrong := []error{err}
	s := &r.system
	if fields["companions"] == nil {
		s.Companions = r.Companions
	}
	s.Store = r.Stores[0].Name
	unsure := false // of the placeholders of an environment
	for _, k := range keys {
		switch value := fields[k.name]; {
		case value == nil && k.required && fields["base"] == nil:
			wrong = append(wrong, r.At(doc, "it does not say %s: %s", k.name, k.want))
		case value == nil, unsure && k.name == "environment":
		default:
			err := k.read(k, value)
			wrong = append(wrong, err)
			unsure = unsure || err != nil && slices.Contains(placing, k.name)
		}
	}
	if fields["companions"] == nil && s.Base == "" { // those that the environment refers to
		s.Companions = slices.DeleteFunc(slices.Clone(r.Companions), func(name string) bool {
			return !slices.ContainsFunc(s.Env, func(m Mapping) bool { return m.Uses(name) })
		})
	}
	if s.Base != "" && fields["contract"] != nil && fields["reference"] == nil {
		s.Reference = "" // which follows the contract of the base
	}
	if s.Contract == nil && s.Reference != "" {
		s.Contract = []byte(r.Contract(s.Reference))
	}
	if fields["base"] != nil && s.Base == "" { // what else it would have is not known
		s.Store = ""
	}
	return errors.Join(wrong...)
}

// placing are the keys on which the placeholders of an environment depend, all of which are read before it.
var placing = []string{"base", "companions", "store", "services"}

func (r *reader) wrong(k key, value *yaml.Node) error {
	return r.At(value, "%s must be %s", k.name, k.want)
}

// text reads a text in a given format.
func (r *reader) text(to *string, is func(string) bool) func(key, *yaml.Node) error {
	return func(k key, value *yaml.Node) error {
		if !isText(value) || !is(value.Value) {
			return r.wrong(k, value)
		}
		*to = value.Value
		return nil
	}
}

// list appends texts in a given format, each once.
func (r *reader) list(to *[]string, is func(string) bool) func(key, *yaml.Node) error {
	return func(k key, value *yaml.Node) error {
		if value.Kind != yaml.SequenceNode {
			return r.wrong(k, value)
		}
		var wrong []error
		for _, item := range value.Content {
			if !isText(item) || !is(item.Value) {
				wrong = append(wrong, r.wrong(k, item))
				continue
			}
			if text := strings.TrimPrefix(item.Value, "@"); !slices.Contains(*to, text) {
				*to = append(*to, text)
			}
		}
		return errors.Join(wrong...)
	}
}

// pairs reads the entries of a mapping, in order.
func (r *reader) pairs(k key, value *yaml.Node, each func(name, value *yaml.Node) error) error {
	if value.Kind != yaml.MappingNode {
		return r.wrong(k, value)
	}
	_, err := r.Fields(value, k.name)
	wrong := []error{err}
	for i := 0; i < len(value.Content); i += 2 {
		wrong = append(wrong, each(value.Content[i], value.Content[i+1]))
	}
	return errors.Join(wrong...)
}

func (r *reader) session(k key, value *yaml.Node) error {
	s := &r.system.Session
	to := map[string]*string{"header": &s.Header, "cookie": &s.Cookie, "answer": &s.Answer, "expires": &s.Expires}
	if _, err := r.Fields(value, k.name, "header", "cookie", "answer", "expires"); err != nil {
		return err
	}
	return r.pairs(k, value, func(name, value *yaml.Node) error {
		is, want := httpguts.ValidHeaderFieldName, "the name of a "+name.Value
		if to[name.Value] == &s.Answer || to[name.Value] == &s.Expires {
			is, want = member.MatchString, "the way to a member of an answer's JSON"
		}
		if !isText(value) || !is(value.Value) {
			return r.At(value, "%s: %s must be %s", k.name, name.Value, want)
		}
		*to[name.Value] = value.Value
		return nil
	})
}

func (r *reader) names(k key, value *yaml.Node) error {
	if r.system.Names == nil {
		r.system.Names = map[string]string{}
	}
	return r.pairs(k, value, func(name, value *yaml.Node) error {
		if !givenName.MatchString(name.Value) || !isText(value) {
			return r.At(value, "%s: %q must be a word that can stand in braces, with a text", k.name, name.Value)
		}
		r.system.Names[name.Value] = value.Value
		return nil
	})
}

func (r *reader) forbidden(k key, value *yaml.Node) error {
	if len(value.Content) != 2 {
		return r.wrong(k, value)
	}
	return r.pairs(k, value, func(name, value *yaml.Node) error {
		pattern, err := r.pattern(value, k.name+": "+name.Value)
		r.system.NotInKeys = &Forbidden{What: name.Value, Pattern: pattern}
		return err
	})
}

func (r *reader) secrets(k key, value *yaml.Node) error {
	var folders []string
	if err := r.list(&folders, folderName.MatchString)(k, value); err != nil || len(folders) == 0 {
		return err
	}
	for i := range folders {
		folders[i] = regexp.QuoteMeta(folders[i])
	}
	const begin, end = `(`, `)/[\w.-]+`
	if of := r.system.SecretBlobs; of != nil { // those of the base
		folders = append(folders, strings.TrimSuffix(strings.TrimPrefix(of.String(), begin), end))
	}
	r.system.SecretBlobs = regexp.MustCompile(begin + strings.Join(folders, "|") + end)
	return nil
}

// pattern reads a regular expression, or a list of alternatives.
func (r *reader) pattern(value *yaml.Node, what string) (*regexp.Regexp, error) {
	items := []*yaml.Node{value}
	if value.Kind == yaml.SequenceNode && len(value.Content) > 0 {
		items = value.Content
	}
	var list []string
	for _, item := range items {
		if !isText(item) {
			return nil, r.At(item, "%s must be a regular expression, or a list of them", what)
		}
		if _, err := regexp.Compile(item.Value); err != nil {
			return nil, r.At(item, "%s must be a regular expression, as RE2 takes it: %s", what, err)
		}
		list = append(list, item.Value)
	}
	whole, err := regexp.Compile("(?:" + strings.Join(list, ")|(?:") + ")") // a flag applies only to its own pattern
	if err != nil {
		return nil, r.At(value, "%s is too large a regular expression", what)
	}
	return whole, nil
}

// contract reads the OpenAPI document, whose path is relative to the file's folder.
func (r *reader) contract(k key, value *yaml.Node) error {
	if !isText(value) {
		return r.wrong(k, value)
	}
	shown := filepath.Join(filepath.Dir(r.Path), filepath.FromSlash(value.Value))
	content, err := fs.ReadFile(r.files, path.Join(r.system.Name, value.Value))
	if err != nil {
		return r.At(value, "%s: %s", k.name, yamldoc.Reader{Path: shown}.Unread("the contract", err))
	}
	if _, err := contract.Load(content); err != nil {
		return r.At(value, "%s: %s: %s", k.name, shown, strings.Join(strings.Fields(err.Error()), " "))
	}
	r.system.Contract = content
	return nil
}
