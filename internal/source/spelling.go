package source

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	nearEnough        = 0.5 // the share of a text's letters that may differ for it to be taken for another one
	shortestBeginning = 3   // how many letters of a longer text identify it
)

// Nearest returns the known text that is most like a text. Case counts, but less than a letter. If none is similar, it
// is the shortest one that begins with the text; "" if none does.
func Nearest(text string, known []string) string {
	nearest, least := "", nearEnough
	for _, one := range known {
		if off := Off(text, one); off <= least {
			nearest, least = one, off
		}
	}
	if nearest != "" || utf8.RuneCountInString(text) < shortestBeginning {
		return nearest
	}
	for _, one := range known {
		begins := strings.HasPrefix(strings.ToLower(one), strings.ToLower(text))
		if begins && (nearest == "" || len(one) < len(nearest)) {
			nearest = one
		}
	}
	return nearest
}

// Meant returns "; did you mean X?" for the known text that is most like a text; "" if none is similar.
func Meant(text string, known []string) string {
	if nearest := Nearest(text, known); nearest != "" && nearest != text {
		return "; did you mean " + nearest + "?"
	}
	return ""
}

// Plain returns a name without what differs between the ways to write one, such as noteId, note_id and NOTE-ID: its
// letters, in lower case, and its digits.
func Plain(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// otherCase is the cost of a letter in another case.
const otherCase = 0.25

// Off returns how far two texts are from each other: 0 for the same, 1 for entirely different ones.
func Off(a, b string) float64 {
	x, y := []rune(a), []rune(b)
	if len(x)+len(y) == 0 {
		return 0
	}
	return Distance(x, y, func(x, y rune) float64 {
		switch {
		case x == y:
			return 0
		case strings.EqualFold(string(x), string(y)):
			return otherCase
		}
		return 1
	}) / float64(max(len(x), len(y)))
}

// Distance returns the edit distance (Levenshtein's) of two sequences; cost returns the cost, from 0 to 1, of
// substituting one element for another. An element too many or too few costs 1.
func Distance[A, B any](a []A, b []B, cost func(A, B) float64) float64 {
	row := make([]float64, len(b)+1)
	for j := range row {
		row[j] = float64(j)
	}
	for i, x := range a {
		corner := row[0]
		row[0] = float64(i + 1)
		for j, y := range b {
			best := min(corner+cost(x, y), row[j]+1, row[j+1]+1)
			corner, row[j+1] = row[j+1], best
		}
	}
	return row[len(b)]
}

// FirstLine returns the first line of a message, such as that of an error.
func FirstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
