package system

import (
	"context"
	"regexp"
)

// System is what the harness must know about a design to start an implementation of it and to talk to it.
type System struct {
	Name      string // as on the command line
	Base      string // the built-in design that this one is built on; "": none
	Ready     string // path of the health route
	Container string // the container its scenarios read and write
	// NeedsStore is the path of a route that cannot be answered, for a session that was never opened, without querying
	// the store.
	NeedsStore string
	// Session is how a request identifies its session; the zero value: it does not.
	Session Session
	// ErrorCode is the member of an answer's JSON that contains the error code, such as "error".
	ErrorCode string
	// TraceID is the member of an answer's JSON that differs in each answer; "" for none.
	TraceID string
	// Names maps the names that features use to the resources' names in the environment: {actions} is a table's name.
	Names map[string]string
	// Tables are the definitions of the tables that an implementation finds when it starts, as the store takes them.
	Tables [][]byte
	// IDs is the form of the ids that steps make up: a template with IDPlaceholders. Nil: UUIDs. NewID fills it.
	IDs *Mapping
	// NotInKeys is what keys and blob names must not contain; nil if they may contain anything.
	NotInKeys *Forbidden
	// SecretBlobs matches the secret part of an address: blobs that are named after a secret. Nil: there are none.
	SecretBlobs *regexp.Regexp
	// Shared lists the tables whose rows belong to the service as a whole, such as daily counts, and the paths,
	// starting with "/", of routes that look at everything: a scenario's expectations about them hold only while no
	// other scenario runs on the same account.
	Shared []string
	// Contract is the OpenAPI 3.1 document, in YAML, that every answer is checked against; nil for none.
	Contract []byte
	// Capabilities lists what an implementation may lack.
	Capabilities []Capability
	// Tool is storespec itself, for rules about its commands; nil: there are none.
	Tool Tool
	// ToolJudged says that the tool is judged as well as the server: what it fails at breaks the rule.
	ToolJudged bool
	Env        []Mapping // the environment of an implementation, in addition to PORT
	People     []Mapping // request headers that identify the sender of a request; PersonPlaceholders
	Tags       []string  // those its features may have, without "@"
	// Store is the kind of its store, such as "azure".
	Store string
	// Companions are the programs started with an implementation, such as "outbox".
	Companions []string
	// Services are names of services that an implementation calls and storespec plays, such as "google".
	Services []string
	// Reference is the name of storespec's reference server of the design; "": none.
	Reference string
}

// Knows reports whether the design's features can use the steps of a built-in design, "" for the steps that every
// design has. A design whose description could not be read may know any.
func (s System) Knows(design string) bool {
	return design == "" || design == s.Name || design == s.Base || s.Store == ""
}

// Session is where requests and answers carry a session id.
type Session struct {
	Header string // of API calls
	Cookie string // of browsers
	// Answer is the member of an answer's JSON that contains the id of a newly opened session, and Expires the member
	// in the same answer, without which Answer is not a session id; "" if no answer contains one, and if Expires is
	// not needed.
	Answer, Expires string
	ID              *Mapping // the form of ids that steps make up, as System.IDs; nil: the steps' own
}

// SessionPlaceholder stands for a session's id in a template.
const SessionPlaceholder = "{session}"

// Forbidden is text that must not occur somewhere, and its name for people.
type Forbidden struct {
	What    string // such as "an e-mail"
	Pattern *regexp.Regexp
}

// Capability is a part of a design that an implementation may declare it lacks.
type Capability struct {
	Name        string // as on the command line
	Description string
	// Shown matches the capability in the text of a step, in a cell of its table or in its document. A scenario with
	// such a step needs the capability without being tagged. Nil: the scenarios that need it have its Tag.
	Shown *regexp.Regexp
	// Reason is why a scenario that needs it is skipped; "": the command line says that the server lacks it.
	Reason string
}

// Tag returns the tag, without "@", of a scenario that needs the capability.
func (c Capability) Tag() string { return "needs-" + c.Name }

// Tool runs storespec's own command line with an environment. It returns the exit status and the output.
type Tool func(ctx context.Context, env map[string]string, args []string) (status int, said string)
