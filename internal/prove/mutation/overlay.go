package mutation

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// Variable is the environment variable that chooses a variant of the program, by its number; without it the program is
// the original.
const Variable = "STORESPEC_MUTANT"

// Variant is one wrong version of the program.
type Variant struct {
	Number  int // for Variable, from 1
	changes []change
	adds    []addition
}

// change is a unit of a variant: the function's body, or the variable's value.
type change struct {
	unit *unit
	text string
}

// addition is what a variant needs in a file besides its units.
type addition struct {
	file    *source
	imports []string // such as `"strings"`, or `other "path"`
	decls   []string
}

// The files of what the switches and the sites call. Every package has its own: nothing of the source has to import
// them.
var (
	//go:embed switch.go.txt
	switchFile string
	//go:embed reached_unix.go.txt
	reachedFile string
	//go:embed reached_other.go.txt
	reachedFileElsewhere string // where no file can be mapped into memory
)

// helpers returns these files for a package, by names that no source file has.
func (p *Program) helpers(of *pack) map[string]composition {
	reached := reachedFile
	if runtime.GOOS == "windows" {
		reached = reachedFileElsewhere
	}
	made := map[string]composition{}
	for name, text := range map[string]string{"storespec_mutants.go": switchFile, "storespec_reached.go": reached,
		"storespec_sites.go": fmt.Sprintf("package mutation\n\nconst storespecSites = %d\n", p.Sites())} {
		text = strings.Replace(text, "package mutation", "package "+of.types.Name(), 1)
		made[of.folder+"/"+name] = composition{content: []byte(text)}
	}
	return made
}

// add gives a variant its number.
func (p *Program) add(v *Variant) *Variant {
	v.Number = len(p.variants) + 1
	p.variants = append(p.variants, v)
	return v
}

// drop takes variants out of the program. The others keep their numbers.
func (p *Program) drop(numbers map[int]error) {
	for i, v := range p.variants {
		if v != nil && numbers[v.Number] != nil {
			p.variants[i] = nil
		}
	}
}

// Keep drops all variants but those of some mutants.
func (p *Program) Keep(mutants []*Mutant) {
	kept := map[*Variant]bool{}
	for _, m := range mutants {
		kept[m.variant] = true
	}
	for i, v := range p.variants {
		if !kept[v] {
			p.variants[i] = nil
		}
	}
}

// Overlay writes the files of the program with all its variants to a directory, and the list of them for the go
// command's -overlay. Call Check before.
func (p *Program) Overlay(directory string) (list string, err error) {
	files := map[string][]byte{}
	for _, one := range p.packages {
		for name, file := range p.composed(one) {
			files[name] = file.content
		}
	}
	list, _, err = Overlay(p.root, directory, files)
	return list, err
}

// Overlay writes files to a directory, and the list of them for the go command's -overlay, which takes them for those
// of a source tree. files are their contents, and replaced the written files, by their names relative to the root, with
// slashes.
func Overlay(root, directory string, files map[string][]byte) (list string, replaced map[string]string, err error) {
	var overlay struct{ Replace map[string]string }
	overlay.Replace, replaced = map[string]string{}, map[string]string{}
	for i, name := range slices.Sorted(maps.Keys(files)) {
		replaced[name] = filepath.Join(directory, strconv.Itoa(i)+"-"+filepath.Base(name))
		if err := os.WriteFile(replaced[name], files[name], 0o600); err != nil {
			return "", nil, err
		}
		overlay.Replace[filepath.Join(root, filepath.FromSlash(name))] = replaced[name]
	}
	data, err := json.Marshal(overlay)
	if err != nil {
		return "", nil, err
	}
	list = filepath.Join(directory, "overlay.json")
	return list, replaced, os.WriteFile(list, data, 0o600)
}

// composition is a file of the overlay.
type composition struct {
	content []byte
	spans   []span
}

// span is a part of a file that belongs to a variant.
type span struct{ from, to, variant int }

// insertion is text that goes before an offset of the source.
type insertion struct {
	offset int
	text   string
	spans  []span // relative to text
}

// composed returns the files of a package with its variants, by their names.
func (p *Program) composed(of *pack) map[string]composition {
	inserted := map[*source][]insertion{}
	for _, one := range of.units {
		inserted[one.file] = append(inserted[one.file], p.switched(one)...)
	}
	for _, site := range of.sites {
		inserted[site.file] = append(inserted[site.file], insertion{offset: site.offset, text: site.text})
	}
	for file, texts := range p.added(of) {
		inserted[file] = append(inserted[file], texts...)
	}
	files := p.helpers(of)
	for _, file := range of.sources {
		files[file.name] = inserting(file.content, inserted[file])
	}
	return files
}

// switched returns the text that lets a unit be another.
func (p *Program) switched(u *unit) []insertion {
	var cases bytes.Buffer
	var spans []span
	for _, v := range p.variants {
		if v == nil {
			continue
		}
		for _, c := range v.changes {
			if c.unit != u {
				continue
			}
			from := cases.Len()
			fmt.Fprintf(&cases, "\ncase %d:\n%s", v.Number, u.calling(c.text))
			spans = append(spans, span{from, cases.Len(), v.Number})
		}
	}
	if cases.Len() == 0 {
		return nil
	}
	before, after := "\nswitch storespecMutant {", "\n}\n"
	offset := u.file.at.Offset(u.from)
	if u.function != nil {
		return []insertion{{offset + 1, before + cases.String() + after, moved(spans, len(before))}}
	}
	before, after = "func() "+u.typ+" { switch storespecMutant {", "\n}\nreturn "
	return []insertion{{offset, before + cases.String() + after, moved(spans, len(before))},
		{u.file.at.Offset(u.to), " }()", nil}}
}

// calling returns the statements that run another text instead of the unit's own.
func (u *unit) calling(text string) string {
	switch {
	case u.function == nil:
		return "return " + text
	case u.function.Type.Results == nil:
		return "func() " + text + "()\nreturn"
	}
	return "return func() " + results(u.file, u.function) + " " + text + "()"
}

func moved(spans []span, by int) []span {
	for i := range spans {
		spans[i].from += by
		spans[i].to += by
	}
	return spans
}

// added returns what the variants of a package add to its files: each import and declaration once.
func (p *Program) added(of *pack) map[*source][]insertion {
	found := map[*source][]insertion{}
	known := map[string]bool{}
	for _, v := range p.variants {
		if v == nil {
			continue
		}
		for _, more := range v.adds {
			if !slices.Contains(of.sources, more.file) {
				continue
			}
			for _, line := range more.imports {
				if text := "; import " + line; !known[more.file.name+text] {
					known[more.file.name+text] = true
					at := more.file.at.Offset(more.file.tree.Name.End())
					found[more.file] = append(found[more.file], insertion{at, text, []span{{0, len(text), v.Number}}})
				}
			}
			for _, decl := range more.decls {
				text := "\n" + decl + "\n"
				found[more.file] = append(found[more.file], insertion{len(more.file.content), text,
					[]span{{0, len(text), v.Number}}})
			}
		}
	}
	return found
}

// inserting returns content with texts inserted, those at one offset in their order.
func inserting(content []byte, texts []insertion) composition {
	slices.SortStableFunc(texts, func(a, b insertion) int { return a.offset - b.offset })
	var made composition
	done := 0
	for _, one := range texts {
		made.content = append(made.content, content[done:one.offset]...)
		done = one.offset
		made.spans = append(made.spans, moved(slices.Clone(one.spans), len(made.content))...)
		made.content = append(made.content, one.text...)
	}
	made.content = append(made.content, content[done:]...)
	return made
}
