package baseline

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"go.yaml.in/yaml/v3"
)

// header explains the file to its readers.
const header = `# Scenarios that the server is known to fail. Each must still fail: one that passes, or that is no
# longer there, breaks the run. Written by storespec verify --baseline FILE --update-baseline.
`

// document and item represent the file in YAML.
type document struct {
	Failures []item `yaml:"known-failures"`
}

type item struct {
	Rule     string            `yaml:"rule"`
	Scenario string            `yaml:"scenario"`
	Example  map[string]string `yaml:"example,omitempty"`
	Reason   string            `yaml:"reason"`
	Outcome  string            `yaml:"outcome,omitempty"`
	Digest   string            `yaml:"digest,omitempty"`
	Expires  day               `yaml:"expires,omitempty"`
}

// day is written without the quotes that a text resembling a date would get.
type day time.Time

func (d day) IsZero() bool { return time.Time(d).IsZero() }

func (d day) MarshalYAML() (any, error) {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!timestamp", Value: time.Time(d).Format(time.DateOnly)}, nil
}

// Write writes the entries of the file, sorted. The same entries produce the same bytes.
func (f *File) Write(w io.Writer) error {
	doc := document{Failures: []item{}}
	for _, e := range sorted(f.Entries) {
		doc.Failures = append(doc.Failures,
			item{Rule: e.Rule, Scenario: e.Scenario, Example: e.Example, Reason: e.Reason, Outcome: e.Outcome,
				Digest: e.Digest, Expires: day(e.Expires)})
	}
	text := bytes.NewBufferString(header)
	encoder := yaml.NewEncoder(text)
	encoder.SetIndent(2)
	if err := errors.Join(encoder.Encode(doc), encoder.Close()); err != nil {
		return fmt.Errorf("write the baseline %s: %w", f.Path, err)
	}
	_, err := text.WriteTo(w)
	return err
}
