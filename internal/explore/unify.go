package explore

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/matching"
)

// pairing knows which of the subject's ids are which of the oracle's. A pair is made where two ids first stand at the
// same place, and holds from then on.
type pairing struct {
	left, right map[string]string
	journal     []string // left ids, in the order in which they were paired
	clocks      [2]*clock
}

func newPairing(left, right *clock) *pairing {
	return &pairing{left: map[string]string{}, right: map[string]string{}, clocks: [2]*clock{left, right}}
}

// same notes that a text is the same on both sides: a person's key, for example.
func (p *pairing) same(text string) {
	for _, id := range idPattern.FindAllString(text, -1) {
		p.pair(id, id)
	}
}

// pair pairs two ids, and reports whether that agrees with earlier pairs.
func (p *pairing) pair(left, right string) bool {
	known, leftKnown := p.left[left]
	other, rightKnown := p.right[right]
	if leftKnown || rightKnown {
		return leftKnown && rightKnown && known == right && other == left
	}
	p.left[left], p.right[right] = right, left
	p.journal = append(p.journal, left)
	return true
}

// back forgets the pairs made since the journal had a length.
func (p *pairing) back(length int) {
	for _, left := range p.journal[length:] {
		delete(p.right, p.left[left])
		delete(p.left, left)
	}
	p.journal = p.journal[:length]
}

// translate returns a text of the subject's with the oracle's ids, as far as they are known.
func (p *pairing) translate(text string) string {
	return idPattern.ReplaceAllStringFunc(text, func(id string) string {
		if known, ok := p.left[id]; ok {
			return known
		}
		return id
	})
}

// translateBack returns a text of the oracle's with the subject's ids, as far as they are known.
func (p *pairing) translateBack(text string) string {
	return idPattern.ReplaceAllStringFunc(text, func(id string) string {
		if known, ok := p.right[id]; ok {
			return known
		}
		return id
	})
}

// An id that a server makes up has at least eight characters.
var (
	idPattern   = regexp.MustCompile(`[A-Za-z0-9_-]{8,}`)
	timePattern = regexp.MustCompile(
		`\d{4}-\d\d-\d\d[T ]\d\d(?::|%3[Aa])\d\d(?::|%3[Aa])\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?`)
	packedPattern = regexp.MustCompile(`^[A-Za-z0-9+/_=:.-]{20,}$`)
	wordPattern   = regexp.MustCompile(`^[a-z]+(?:[_-][a-z]+)*$|^[A-Z][a-z]+$|^[A-Z]+(?:_[A-Z]+)*$`)
)

// difference is one place at which two values differ.
type difference struct {
	path        string // such as groups[].name, with the indices left out
	at          string // the same with indices
	left, right any
}

func (d difference) String() string {
	return fmt.Sprintf("%s is %s, not %s", d.at, shown(d.left), shown(d.right))
}

// missing stands for a member or an item that is not there.
type missing struct{}

func shown(value any) string {
	if _, is := value.(missing); is {
		return "missing"
	}
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	const most = 200
	if len(text) > most {
		return strings.ToValidUTF8(string(text[:most]), "") + "…"
	}
	return string(text)
}

// values compares two JSON values and returns the first difference that free does not leave open; nil: none.
func (p *pairing) values(left, right any, path, at string, free leave) *difference {
	differ := &difference{path, at, left, right}
	switch l := left.(type) {
	case map[string]any:
		r, ok := right.(map[string]any)
		if !ok {
			break
		}
		return p.members(l, r, path, at, free)
	case []any:
		r, ok := right.([]any)
		if !ok {
			break
		}
		return p.items(l, r, path, at, free)
	case string:
		if r, ok := right.(string); ok && p.texts(l, r) {
			return nil
		}
	case json.Number:
		if r, ok := right.(json.Number); ok && p.numbers(l, r) {
			return nil
		}
	default:
		if left == right {
			return nil
		}
	}
	if free.open(path) {
		return nil
	}
	return differ
}

func (p *pairing) members(l, r map[string]any, path, at string, free leave) *difference {
	for _, name := range slices.Sorted(maps.Keys(r)) {
		inner, innerAt := join(path, name), join(at, name)
		value, has := l[name]
		if !has {
			if r[name] != nil && !free.open(inner) {
				return &difference{inner, innerAt, missing{}, r[name]}
			}
			continue
		}
		if free.open(inner) {
			continue
		}
		if d := p.values(value, r[name], inner, innerAt, free); d != nil {
			return d
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l)) {
		if _, has := r[name]; !has && l[name] != nil && !free.open(join(path, name)) && !free.open("more members") {
			return &difference{join(path, name), join(at, name), l[name], missing{}}
		}
	}
	return nil
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// items compares two lists. Where their order is free, each item is compared with the first that it agrees with.
func (p *pairing) items(l, r []any, path, at string, free leave) *difference {
	if len(l) != len(r) {
		return &difference{path + " (length)", at + " (number of items)", json.Number(strconv.Itoa(len(l))),
			json.Number(strconv.Itoa(len(r)))}
	}
	if within, ok := free.order(path); ok {
		for i := range l {
			inner, innerAt := path+"[]."+within, fmt.Sprintf("%s[%d].%s", at, i, within)
			if d := p.values(itemMember(l[i], within), itemMember(r[i], within), inner, innerAt, free); within != "" && d != nil {
				return d
			}
		}
		return p.unordered(l, r, path, at, free)
	}
	for i := range l {
		if d := p.values(l[i], r[i], path+"[]", fmt.Sprintf("%s[%d]", at, i), free); d != nil {
			return d
		}
	}
	return nil
}

func itemMember(item any, path string) any {
	value, _ := matching.Lookup(item, path)
	return value
}

func (p *pairing) unordered(l, r []any, path, at string, free leave) *difference {
	taken := make([]bool, len(r))
	for i := range l {
		var first *difference
		found := false
		for j := range r {
			if taken[j] {
				continue
			}
			before := len(p.journal)
			d := p.values(l[i], r[j], path+"[]", fmt.Sprintf("%s[%d]", at, i), free)
			if d == nil {
				taken[j], found = true, true
				break
			}
			p.back(before)
			if first == nil {
				first = d
			}
		}
		if !found {
			return first
		}
	}
	return nil
}

// numbers compares two numbers: equal in value, or times that belong together.
func (p *pairing) numbers(l, r json.Number) bool {
	if l == r {
		return true
	}
	lf, lErr := l.Float64()
	rf, rErr := r.Float64()
	if lErr == nil && rErr == nil && lf == rf {
		return true
	}
	return p.epochs(l.String(), r.String())
}

// epochs compares two whole numbers that may be times since 1970, in seconds or milliseconds.
func (p *pairing) epochs(l, r string) bool {
	left, lOK := epoch(l)
	right, rOK := epoch(r)
	return lOK && rOK && p.times(left, right)
}

// instant is a time as exact as it was written.
type instant struct {
	time.Time
	exact time.Duration
}

// epoch reads a time since 1970 that lies in this century.
func epoch(text string) (instant, bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	const from, to = 1_500_000_000, 4_000_000_000
	switch {
	case err != nil:
		return instant{}, false
	case n >= from && n < to:
		return instant{time.Unix(n, 0), time.Second}, true
	case n >= from*1000 && n < to*1000:
		return instant{time.UnixMilli(n), time.Millisecond}, true
	}
	return instant{}, false
}

// texts compares two texts: equal, or different only in ids that are pairs and times that belong together.
func (p *pairing) texts(l, r string) bool {
	if l == r {
		return !isLongID(l) || p.pair(l, l)
	}
	lTimes, lRest := cutTimes(l)
	rTimes, rRest := cutTimes(r)
	if len(lTimes) != len(rTimes) {
		return false
	}
	before := len(p.journal)
	for i := range lTimes {
		if !p.times(lTimes[i], rTimes[i]) {
			return false
		}
	}
	if lRest == rRest || p.tokens(lRest, rRest) {
		return true
	}
	p.back(before)
	if packedPattern.MatchString(l) && packedPattern.MatchString(r) && !isWord(l) && !isWord(r) {
		return p.pair(l, r) // something encoded
	}
	return false
}

// isLongID reports whether a text can be nothing but an id or a hash.
func isLongID(text string) bool {
	if len(text) < 20 || isWord(text) {
		return false
	}
	return strings.IndexFunc(text, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_')
	}) < 0
}

// cutTimes takes the times out of a text.
func cutTimes(text string) (found []instant, rest string) {
	if !strings.Contains(text, ":") && !strings.Contains(text, "%3") {
		return nil, text
	}
	rest = timePattern.ReplaceAllStringFunc(text, func(match string) string {
		clean := strings.NewReplacer("%3A", ":", "%3a", ":", " ", "T").Replace(match)
		if !strings.HasSuffix(clean, "Z") && len(clean) < len("2006-01-02T15:04:05+00:00") {
			clean += "Z"
		}
		at, err := time.Parse(time.RFC3339Nano, clean)
		if err != nil {
			return match
		}
		exact := time.Second
		if _, fraction, ok := strings.Cut(clean, "."); ok && strings.Trim(fraction, "0Z") != "" {
			exact = time.Millisecond
		}
		found = append(found, instant{at, exact})
		return "\x00"
	})
	return found, rest
}

// tokens compares two texts id by id.
func (p *pairing) tokens(l, r string) bool {
	lAt, rAt := idPattern.FindAllStringIndex(l, -1), idPattern.FindAllStringIndex(r, -1)
	if len(lAt) != len(rAt) {
		return false
	}
	lFrom, rFrom := 0, 0
	for i := range lAt {
		if l[lFrom:lAt[i][0]] != r[rFrom:rAt[i][0]] {
			return false
		}
		left, right := l[lAt[i][0]:lAt[i][1]], r[rAt[i][0]:rAt[i][1]]
		if left != right && !p.ids(left, right) {
			return false
		}
		lFrom, rFrom = lAt[i][1], rAt[i][1]
	}
	return l[lFrom:] == r[rFrom:]
}

// ids compares two texts without separators that differ.
func (p *pairing) ids(left, right string) bool {
	if known, ok := p.left[left]; ok {
		return known == right
	}
	if isNumber(left) && isNumber(right) {
		return p.epochs(left, right) || len(left) >= 14 && len(left) == len(right) // a time in finer units
	}
	if isWord(left) || isWord(right) || isDate(left) || isDate(right) {
		return false
	}
	return p.pair(left, right)
}

// isWord reports whether a text is a word that somebody has written, such as a status: an id of 20 letters is not.
func isWord(text string) bool { return len(text) < 20 && wordPattern.MatchString(text) }

func isNumber(text string) bool { return strings.Trim(text, "0123456789") == "" }

func isDate(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

// clock knows when each step of a walk began on one side.
type clock struct{ marks []time.Time }

func (c *clock) mark() { c.marks = append(c.marks, time.Now()) }

// steps returns the first and the last step in which a time can lie; ok is false if it lies in none.
func (c *clock) steps(at instant, now time.Time) (from, to int, ok bool) {
	slack := at.exact + 2*time.Millisecond
	if len(c.marks) == 0 || at.Before(c.marks[0].Add(-slack)) || at.After(now.Add(slack)) {
		return 0, 0, false
	}
	from, to = -1, 0
	for i, mark := range c.marks {
		if mark.Add(-slack).After(at.Time) {
			break
		}
		to = i
		if i+1 == len(c.marks) || c.marks[i+1].Add(slack).After(at.Time) {
			if from < 0 {
				from = i
			}
		}
	}
	return max(0, from), to, true
}

// apart is how much two times may differ that lie outside of the walk: each was derived from the time of a step, and
// the sides are not at the same step at the same moment.
const apart = 3 * time.Second

// times reports whether two times belong together: both were made in the same step, or both lie outside of the walk and
// equally far from it.
func (p *pairing) times(left, right instant) bool {
	if left.Equal(right.Time) {
		return true
	}
	// A whole second may have been written by a server that writes milliseconds as well.
	left.exact = max(left.exact, right.exact)
	right.exact = left.exact
	now := time.Now()
	lFrom, lTo, lIn := p.clocks[0].steps(left, now)
	rFrom, rTo, rIn := p.clocks[1].steps(right, now)
	if lIn && rIn {
		return lFrom <= rTo && rFrom <= lTo
	}
	return lIn == rIn && left.Sub(right.Time).Abs() <= apart
}
