package probe

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/storespec/storespec/internal/run/mapping"
	"github.com/storespec/storespec/internal/source"
	"github.com/storespec/storespec/internal/source/yamldoc"
)

// line is a line of the draft of a mapping.
type line struct {
	section string // the key that it is below
	text    string
	why     string // said after it
	off     bool   // it is commented out
}

// sections are the keys that a draft may have, in order, with what is said above them.
func sections() [][2]string {
	return [][2]string{
		{"routes", "Left: the contract. Right: the server. A {name} in the server's path is a value of the " +
			"contract's path, query or body."},
		{"fields", ""},
		{"error-fields", "Members of answers from 400 on."},
		{"codes", "Left: the server. Right: the contract."},
		{"statuses", "Left: the server. Right: the contract."},
	}
}

// Draft returns a mapping file to start from: what is sure is in it, and what is only likely is commented out.
// given is the file that the probe went through; what has been found in addition then follows it, commented out. The
// file can be read by package mapping. An error is one of the contract.
func (r *Result) Draft(given []byte) ([]byte, error) {
	lines := r.lines()
	if given != nil {
		return r.more(given, lines), nil
	}
	for {
		text := r.write(lines)
		_, err := mapping.Parse("draft", []byte(text), r.design)
		if err == nil {
			return []byte(text), nil
		}
		found, rest := source.All(err)
		if rest != nil {
			return nil, rest
		}
		if !refuse(lines, text, found) {
			return nil, errors.Join(errors.New("the draft of a mapping is not one"), err)
		}
	}
}

// refuse comments out the lines with mistakes. If no line has one, it comments out the first line of a section that has
// one. It reports whether it has changed a line.
func refuse(lines []*line, text string, found []*source.Error) (changed bool) {
	written := strings.Split(text, "\n")
	for _, exactly := range []bool{true, false} {
		for _, mistake := range found {
			section := sectionAt(written, mistake.Line)
			i := slices.IndexFunc(lines, func(one *line) bool {
				if one.off || section != "" && one.section != section {
					return false
				}
				return !exactly || section != "" && written[mistake.Line-1] == one.String()
			})
			if i >= 0 && (exactly || !changed) {
				lines[i].off, changed = true, true
				lines[i].why = strings.TrimPrefix(lines[i].why+"; a mapping cannot say this: "+
					clean(mistake.Reason), "; ")
			}
		}
	}
	return changed
}

// sectionAt returns the section of a line, counted from 1; "" if it is in none.
func sectionAt(written []string, number int) string {
	for i := min(number, len(written)) - 1; i >= 0; i-- {
		if name, _, is := strings.Cut(written[i], ":"); is && isSection(name) {
			return name
		}
	}
	return ""
}

func isSection(name string) bool {
	return slices.ContainsFunc(sections(), func(one [2]string) bool { return one[0] == name })
}

func (l *line) String() string {
	text := "  " + l.text
	if l.off {
		text = "  # " + l.text
	}
	if l.why != "" {
		text += " # " + l.why
	}
	return text
}

// write writes the draft.
func (r *Result) write(lines []*line) string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "# Written by storespec probe %s, to start from: storespec help verify-your-server. What is only "+
		"likely is commented out.\n", r.System)
	if r.stranger {
		fmt.Fprintf(b, "# %s\n", aboutSessions)
	}
	for _, section := range sections() {
		var of []*line
		for _, one := range lines {
			if one.section == section[0] {
				of = append(of, one)
			}
		}
		if len(of) == 0 {
			continue
		}
		b.WriteString("\n")
		if section[1] != "" {
			b.WriteString("# " + section[1] + "\n")
		}
		if !slices.ContainsFunc(of, func(one *line) bool { return !one.off }) {
			b.WriteString("# ")
		}
		b.WriteString(section[0] + ":\n")
		for _, one := range of {
			b.WriteString(one.String() + "\n")
		}
	}
	return b.String()
}

// more writes what is not in a file yet behind it, as comments.
func (r *Result) more(given []byte, lines []*line) []byte {
	b := &strings.Builder{}
	b.Write(given)
	if len(given) > 0 && given[len(given)-1] != '\n' {
		b.WriteString("\n")
	}
	section, known := "", said(given)
	for _, one := range lines {
		if known[[2]string{one.section, one.text}] {
			continue
		}
		if section == "" {
			fmt.Fprintf(b, "\n# Seen by storespec probe %s, through the mapping above:\n", r.System)
		}
		if one.section != section {
			section = one.section
			b.WriteString("# " + section + ":\n")
		}
		off := *one
		off.off = false
		b.WriteString("# " + strings.TrimRight(off.String(), " ") + "\n")
	}
	return []byte(b.String())
}

// said returns the lines of a mapping file by their sections, also those that are commented out.
func said(given []byte) map[[2]string]bool {
	known := map[[2]string]bool{}
	var file map[string]yaml.Node // what cannot be read has been refused before
	if err := yaml.Unmarshal(given, &file); err == nil {
		for section, node := range file {
			for key, value := range yamldoc.Entries(&node) {
				known[[2]string{section, scalar(key.Value) + ": " + scalar(value.Value)}] = true
				known[[2]string{section, key.Value + ": " + value.Value}] = true
			}
		}
	}
	section := ""
	for text := range strings.SplitSeq(string(given), "\n") {
		off := strings.HasPrefix(strings.TrimSpace(text), "#")
		text, _, _ = strings.Cut(strings.TrimLeft(text, "# "), " # ")
		if name := strings.TrimSuffix(text, ":"); isSection(name) {
			section = name
		} else if off {
			known[[2]string{section, strings.TrimSpace(text)}] = true
		}
	}
	return known
}

// lines returns what was seen, without what must not be shown.
func (r *Result) lines() (list []*line) {
	add := func(section, text, why string, off bool) {
		if r.scrub(text) == text {
			list = append(list, &line{section, text, clean(r.scrub(why)), off})
		}
	}
	for _, one := range r.Routes {
		todo := one.Route + ": " + strings.Fields(one.Route)[0] + " /…"
		switch {
		case one.Verdict == Unproven && one.Valid != nil && one.Valid.unsure:
			add("routes", one.Route+": missing", one.Valid.Answered+"; an id that is unknown, or the route", true)
			add("routes", todo, "or what it is on the server", true)
		case one.Verdict != Missing:
		case one.Route == "GET "+r.design.Ready:
			add("routes", todo, one.Valid.Answered+": storespec needs it; what is it on the server?", true)
		default:
			add("routes", one.Route+": missing", one.Valid.Answered, false)
			add("routes", todo, "or what it is on the server", true)
		}
	}
	for _, section := range []struct {
		name string
		all  pairs
	}{{"fields", r.names.fields}, {"error-fields", r.names.failures}} {
		for _, name := range slices.Sorted(maps.Keys(section.all)) {
			best := r.names.best(section.all, name)
			for _, one := range section.all[name] {
				if plainName.MatchString(one.server) && plainName.MatchString(name) {
					add(section.name, scalar(name)+": "+scalar(one.server), one.seen(), one != best)
				}
			}
		}
	}
	for _, section := range []struct {
		name string
		all  map[string]*pair
	}{{"codes", r.names.other}, {"statuses", r.names.statuses}} {
		for _, key := range slices.Sorted(maps.Keys(section.all)) {
			one := section.all[key]
			add(section.name, scalar(one.server)+": "+scalar(one.contract), one.seen(), true)
		}
	}
	return list
}

// best returns the pair of a name that is sure, if there is one alone, and if no other name has the same counterpart.
func (n *names) best(all pairs, name string) (best *pair) {
	for _, one := range all[name] {
		if one.sure && best != nil {
			return nil
		}
		if one.sure {
			best = one
		}
	}
	if best == nil {
		return nil
	}
	for other, list := range all {
		for _, one := range list {
			if other != name && one.sure && one.server == best.server {
				return nil
			}
		}
	}
	return best
}

// seen says why a pair is likely, and where it was seen.
func (p *pair) seen() string {
	where := p.routes[0]
	if len(p.routes) > 1 {
		where = fmt.Sprintf("%s and %d more", where, len(p.routes)-1)
	}
	if p.why == "" {
		return where
	}
	return p.why + ": " + where
}

// plainName is a name that is put in a draft. Any other may be data, such as a person's e-mail.
var plainName = regexp.MustCompile(`^[A-Za-z_][\w-]*(\.[A-Za-z_][\w-]*)*$`)

// scalar writes a text as YAML.
func scalar(text string) string {
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return text // a status
	}
	// YAML takes these words for something else.
	words := []string{"true", "false", "yes", "no", "null", "on", "off", "y", "n"}
	if plainName.MatchString(text) && !slices.Contains(words, strings.ToLower(text)) {
		return text
	}
	return strconv.Quote(text)
}

// clean returns a text that a comment can hold.
func clean(text string) string { return strings.Join(strings.Fields(text), " ") }
