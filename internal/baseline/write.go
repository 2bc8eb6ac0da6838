package baseline

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"go.yaml.in/yaml/v3"
)

// header tells a reader of the file what it is.
const header = `# Scenarios that the server is known to fail. Each must still fail: one that passes, or that is no
# longer there, breaks the run. Written by storespec verify --baseline FILE --update-baseline.
`

// document and item are the file as YAML.
type document struct {
	Failures []item `yaml:"known-failures"`
}

type item struct {
	Rule     string            `yaml:"rule"`
	Scenario string            `yaml:"scenario"`
	Example  map[string]string `yaml:"example,omitempty"`
	Reason   string            `yaml:"reason"`
	Expires  day               `yaml:"expires,omitempty"`
}

// day is written without the quotes that a text which looks like a date would get.
type day time.Time

func (d day) IsZero() bool { return time.Time(d).IsZero() }

func (d day) MarshalYAML() (any, error) {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!timestamp", Value: time.Time(d).Format(time.DateOnly)}, nil
}

// Write writes what the file is to hold, sorted. The same entries give the same bytes.
func (f *File) Write(w io.Writer) error {
	content, err := f.encode()
	if err != nil {
		return err
	}
	_, err = w.Write(content)
	return err
}

func (f *File) encode() ([]byte, error) {
	doc := document{Failures: []item{}}
	for _, e := range sorted(f.Entries) {
		doc.Failures = append(doc.Failures, item{Rule: e.Rule, Scenario: e.Scenario, Example: e.Example, Reason: e.Reason, Expires: day(e.Expires)})
	}
	text := bytes.NewBufferString(header)
	encoder := yaml.NewEncoder(text)
	encoder.SetIndent(2)
	if err := errors.Join(encoder.Encode(doc), encoder.Close()); err != nil {
		return nil, fmt.Errorf("write the baseline %s: %w", f.Path, err)
	}
	return text.Bytes(), nil
}
