package order

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Moves writes an order as text: the letter of each step is the request that moved, a for the first; a number after it
// says which of the request's open steps was taken, if there were several. "aab2b1" is two steps of the first request
// and then both calls that the second has in flight, the second one first.
func Moves(steps []Step) string {
	var text strings.Builder
	for _, step := range steps {
		text.WriteByte(byte('a' + step.Request))
		if own := movesOf(step.Open, step.Request); len(own) > 1 {
			text.WriteString(strconv.Itoa(slices.Index(own, step.Move) + 1))
		}
	}
	return text.String()
}

func movesOf(open []Move, request int) []Move {
	return slices.DeleteFunc(slices.Clone(open), func(move Move) bool { return move.Request != request })
}

// Fixed is one order, to be rerun.
type Fixed struct {
	moves   []fixedMove
	at      int
	strayed bool
}

type fixedMove struct{ request, nth int }

// ParseMoves parses what Moves has written, for that many requests. The error quotes any invalid move.
func ParseMoves(text string, requests int) (*Fixed, error) {
	fixed := &Fixed{}
	for rest := text; rest != ""; {
		request := int(rest[0]) - 'a'
		digits := len(rest) - 1 - len(strings.TrimLeft(rest[1:], "0123456789"))
		nth := 1
		if digits > 0 {
			var err error
			if nth, err = strconv.Atoi(rest[1 : 1+digits]); err != nil || nth < 1 {
				return nil, fmt.Errorf("the order %q has no %sth call", text, rest[1:1+digits])
			}
		}
		if request < 0 || request >= requests {
			return nil, fmt.Errorf("the order %q moves the request %q; there are %d, from a on", text, rest[:1],
				requests)
		}
		fixed.moves, rest = append(fixed.moves, fixedMove{request, nth}), rest[1+digits:]
	}
	if len(fixed.moves) == 0 {
		return nil, fmt.Errorf("the order is empty")
	}
	return fixed, nil
}

// Choose returns the next step in the order, or the first open one if the order has ended or the step it names is not
// open.
func (f *Fixed) Choose(open []Move) Move {
	if f.at < len(f.moves) {
		next := f.moves[f.at]
		f.at++
		if own := movesOf(open, next.request); next.nth <= len(own) {
			return own[next.nth-1]
		}
	}
	f.strayed = true
	return open[0]
}

// Took does nothing: there is nothing to learn.
func (f *Fixed) Took([]Touch) {}

// Strayed reports whether the order could not be followed to its end.
func (f *Fixed) Strayed() bool { return f.strayed || f.at < len(f.moves) }
