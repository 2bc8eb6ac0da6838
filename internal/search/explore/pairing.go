package explore

import (
	"cmp"
	"regexp"
	"strings"
	"time"
)

// pairing knows which of the subject's ids are which of the oracle's. A pair is made where two ids first stand at the
// same place, and holds from then on.
type pairing struct {
	left, right map[string]string
	journal     []string // left ids, in the order in which they were paired
	clocks      [2]*clock
	// timeless says that the step changes nothing but times, where the design leaves open which: moments are the times
	// of the subject's and of the oracle's that were paired by that.
	timeless bool
	moments  map[[2]int64]bool
}

func newPairing(left, right *clock) *pairing {
	return &pairing{left: map[string]string{}, right: map[string]string{}, clocks: [2]*clock{left, right},
		moments: map[[2]int64]bool{}}
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
func (p *pairing) translate(text string) string { return translated(text, p.left) }

// translateBack returns a text of the oracle's with the subject's ids, as far as they are known.
func (p *pairing) translateBack(text string) string { return translated(text, p.right) }

func translated(text string, ids map[string]string) string {
	return idPattern.ReplaceAllStringFunc(text, func(id string) string { return cmp.Or(ids[id], id) })
}

// An id that a server makes up has at least eight characters.
var (
	idPattern     = regexp.MustCompile(`[A-Za-z0-9_-]{8,}`)
	packedPattern = regexp.MustCompile(`^[A-Za-z0-9+/_=:.-]{20,}$`)
	wordPattern   = regexp.MustCompile(`^[a-z]+(?:[_-][a-z]+)*$|^[A-Z][a-z]+$|^[A-Z]+(?:_[A-Z]+)*$`)
)

// texts compares two texts: equal, or different only in ids that are pairs and times that belong together.
func (p *pairing) texts(l, r string) bool {
	if l == r {
		return !isLongID(l) || p.pair(l, l)
	}
	lRest, rRest, ok := p.withoutTimes(l, r)
	if !ok {
		return false
	}
	before := len(p.journal)
	if lRest == rRest || p.tokens(lRest, rRest) {
		return true
	}
	p.back(before)
	if isPacked(l) && isPacked(r) {
		return p.pair(l, r) // something encoded
	}
	return false
}

// isPacked reports whether a text can be something encoded: no word, path or address.
func isPacked(text string) bool {
	return packedPattern.MatchString(text) && !isWord(text) && !isPath(text) && !strings.Contains(text, "://")
}

// isPath distinguishes a path from base64 that begins with a slash: that has a character of base64 alone, or goes on
// with a mixture that no first part of a path is.
func isPath(text string) bool {
	rest, ok := strings.CutPrefix(text, "/")
	first, _, _ := strings.Cut(rest, "/")
	return ok && !strings.Contains(text, "+") && !strings.HasSuffix(text, "=") &&
		(strings.ToLower(first) == first || !strings.ContainsAny(first, "0123456789"))
}

// parts is texts for parts of keys: those are not encoded, though a path may look so.
func (p *pairing) parts(l, r string) bool {
	if l == r {
		return true
	}
	lRest, rRest, ok := p.withoutTimes(l, r)
	return ok && (lRest == rRest || p.tokens(lRest, rRest))
}

// withoutTimes returns two texts without their times; ok is false if those do not belong together.
func (p *pairing) withoutTimes(l, r string) (lRest, rRest string, ok bool) {
	lTimes, lRest := cutTimes(l)
	rTimes, rRest := cutTimes(r)
	if len(lTimes) != len(rTimes) {
		return "", "", false
	}
	for i := range lTimes {
		if !p.times(lTimes[i], rTimes[i]) {
			return "", "", false
		}
	}
	return lRest, rRest, true
}

// isLongID reports whether a text can be nothing but an id or a hash.
func isLongID(text string) bool {
	if len(text) < 20 || isWord(text) {
		return false
	}
	return strings.IndexFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
	}) < 0
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

// isWord reports whether a text is a word that a person has written, such as a status: an id of 20 letters is not.
func isWord(text string) bool { return len(text) < 20 && wordPattern.MatchString(text) }

func isNumber(text string) bool { return strings.Trim(text, "0123456789") == "" }

func isDate(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}
