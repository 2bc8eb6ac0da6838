package contract

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
)

// The names, in a document's components, of the answers to requests that it does not list.
const (
	unknownPath   = "NotFound"
	unknownMethod = "MethodNotAllowed"
)

// Contract is an OpenAPI document that answers can be checked against. It is safe for concurrent use.
type Contract struct {
	document *openapi3.T
	below    string // the prefix under which the server has no paths other than those of the document
}

// api is the path prefix for the routes of a server that also has pages.
const api = "/api/"

// Load reads an OpenAPI 3.1 document in YAML. Its components may contain the responses NotFound and MethodNotAllowed:
// the answers to a path that is not listed, and to a method that a path does not list. The error says what is wrong
// with the document, also if it uses a keyword that Check would ignore. The same document is read only once.
func Load(document []byte) (*Contract, error) {
	if before, ok := loaded.Load(string(document)); ok {
		return before.(*Contract), nil
	}
	c, err := read(document)
	if err == nil {
		loaded.Store(string(document), c)
	}
	return c, err
}

var loaded sync.Map // *Contract, by the text of the document

func read(document []byte) (*Contract, error) {
	parsed, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		return nil, fmt.Errorf("read the OpenAPI document: %w", err)
	}
	if err := parsed.Validate(context.Background()); err != nil {
		return nil, fmt.Errorf("the OpenAPI document is not valid: %w", err)
	}
	if err := parsed.WalkSchemas(passedOver); err != nil {
		return nil, fmt.Errorf("the OpenAPI document: %w", err)
	}
	below := "/"
	for path := range parsed.Paths.Map() {
		if strings.HasPrefix(path, api) {
			below = api
		}
	}
	return &Contract{document: parsed, below: below}, nil
}

// Routes lists the contract's routes as "METHOD path", in order.
func (c *Contract) Routes() []string {
	var routes []string
	for path, item := range c.document.Paths.Map() {
		for method := range item.Operations() {
			routes = append(routes, method+" "+path)
		}
	}
	slices.Sort(routes)
	return routes
}

// Route returns the route of a request, as Routes has it; "" if the contract does not have it. path is without a query.
func (c *Contract) Route(method, path string) string {
	found := c.match(path)
	if item := c.document.Paths.Value(found); item == nil || item.GetOperation(method) == nil {
		return ""
	}
	return method + " " + found
}

// passedOver returns an error for a keyword that the validator ignores: it checks those that OpenAPI 3.0 also has, and
// types in a list. The validator that supports all of JSON Schema recompiles a schema for each answer, which takes
// longer than a scenario.
func passedOver(at string, ref *openapi3.SchemaRef) error {
	s := ref.Value
	if s == nil {
		return nil
	}
	if s.Const != nil || s.If != nil || s.Then != nil || s.Else != nil || s.Contains != nil || s.PropertyNames != nil ||
		s.ContentSchema != nil || s.UnevaluatedItems.Schema != nil || s.UnevaluatedItems.Has != nil ||
		s.UnevaluatedProperties.Schema != nil || s.UnevaluatedProperties.Has != nil ||
		len(s.PrefixItems)+len(s.PatternProperties)+len(s.DependentSchemas)+len(s.DependentRequired) > 0 {
		return fmt.Errorf("%s uses a keyword that answers are not checked for", at)
	}
	return nil
}

// Answer is a server's answer to a request.
type Answer struct {
	Method string
	Path   string // with or without a query
	Status int
	Header http.Header
	Body   []byte
}

// Check compares an answer with the contract. Fields that are not in the contract are allowed. If some of the
// contract's paths are below /api/, so are requests to anything that is neither there nor at a path of the contract.
// Errors: *Violation, for the first thing that is wrong.
func (c *Contract) Check(a Answer) error {
	path, _, _ := strings.Cut(a.Path, "?")
	v := &Violation{Route: a.Method + " " + path, Status: a.Status}
	response, ok := c.response(a.Method, path, v)
	switch {
	case !ok:
		return v
	case response == nil:
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(response.Headers)) {
		if want := response.Headers[name].Value; !headerMatches(want, a.Header.Values(name)) {
			return v.at("the header "+name, form(want.Schema, nil))
		}
	}
	if len(response.Content) == 0 || a.Method == http.MethodHead {
		return nil
	}
	mediaType, _, err := mime.ParseMediaType(a.Header.Get("Content-Type"))
	media := response.Content[mediaType]
	if err != nil || media == nil {
		return v.at("the header Content-Type", oneOf(slices.Sorted(maps.Keys(response.Content))))
	}
	if len(a.Body) == 0 {
		return v.at("the body", "not empty")
	}
	if media.Schema == nil {
		return nil
	}
	value, err := decode(a.Body)
	if err != nil {
		return v.at("the body", "one JSON value")
	}
	return v.of(media.Schema.Value.VisitJSON(value))
}

// response finds what the contract says about such an answer. nil with ok: nothing; nil without: v says what it
// requires instead.
func (c *Contract) response(method, path string, v *Violation) (_ *openapi3.Response, ok bool) {
	item := c.path(path)
	switch {
	case item == nil && !strings.HasPrefix(path, c.below):
		return nil, true
	case item == nil:
		return c.fallback(unknownPath, http.StatusNotFound, v)
	}
	operation := item.GetOperation(method)
	if method == http.MethodHead && operation == nil {
		operation = item.Get
	}
	if operation == nil {
		return c.fallback(unknownMethod, http.StatusMethodNotAllowed, v)
	}
	if found := cmp.Or(operation.Responses.Status(v.Status), operation.Responses.Default()); found != nil {
		return found.Value, true
	}
	_ = v.at("the status", oneOf(slices.Sorted(maps.Keys(operation.Responses.Map()))))
	return nil, false
}

// path finds the path that matches an address: the address itself, or one with {parameters} that it fits. Nil: there is
// none.
func (c *Contract) path(address string) *openapi3.PathItem {
	return c.document.Paths.Value(c.match(address))
}

// match is path, and returns its text; "" if nothing matches.
func (c *Contract) match(address string) string {
	if c.document.Paths.Value(address) != nil {
		return address
	}
	for _, path := range slices.Sorted(maps.Keys(c.document.Paths.Map())) {
		if fits(path, address) {
			return path
		}
	}
	return ""
}

// fits reports whether an address is a path with a value for each of its {parameters}.
func fits(path, address string) bool {
	parts, given := strings.Split(path, "/"), strings.Split(address, "/")
	return len(parts) == len(given) && !slices.ContainsFunc(parts, func(part string) bool {
		value := given[0]
		given = given[1:]
		if strings.HasPrefix(part, "{") && strings.HasSuffix(part, "}") {
			return value == ""
		}
		return value != part
	})
}

func (c *Contract) fallback(name string, status int, v *Violation) (_ *openapi3.Response, ok bool) {
	if v.Status != status {
		_ = v.at("the status", strconv.Itoa(status)+", since the contract does not have this route")
		return nil, false
	}
	if components := c.document.Components; components != nil && components.Responses[name] != nil {
		return components.Responses[name].Value, true
	}
	return nil, true
}

// decode reads one JSON value and refuses anything after it.
func decode(body []byte) (value any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the value")
	}
	return value, nil
}

// headerMatches compares a header with its description: it may be absent only if it is not required, otherwise it must
// be one of its values.
func headerMatches(want *openapi3.Header, values []string) bool {
	if len(values) == 0 {
		return !want.Required
	}
	return want.Schema == nil || slices.ContainsFunc(values, func(text string) bool {
		var value any = text
		if want.Schema.Value.Type.Is(openapi3.TypeInteger) {
			number, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return false
			}
			value = number
		}
		return want.Schema.Value.VisitJSON(value) == nil
	})
}
