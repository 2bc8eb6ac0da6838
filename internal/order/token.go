package order

import (
	"fmt"
	"strconv"
	"strings"
)

// Moves writes an order as text: a letter for each step says which request moved, a for the first; a number behind it says
// which of its steps that were open, where there were several. "aab2b1" is twice the first request and then both calls
// that the second has under way, the second one first.
func Moves(steps []Step) string {
	var text strings.Builder
	for _, step := range steps {
		own := movesOf(step.Open, step.Request)
		text.WriteByte(byte('a' + step.Request))
		if len(own) > 1 {
			for n, move := range own {
				if move == step.Move {
					text.WriteString(strconv.Itoa(n + 1))
				}
			}
		}
	}
	return text.String()
}

func movesOf(open []Move, request int) []Move {
	var own []Move
	for _, move := range open {
		if move.Request == request {
			own = append(own, move)
		}
	}
	return own
}

// Fixed is one order, to be run again.
type Fixed struct {
	moves   []fixedMove
	at      int
	strayed bool
}

type fixedMove struct{ request, nth int }

// ParseMoves reads what Moves has written, for that many requests. The error quotes what is no move.
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
			return nil, fmt.Errorf("the order %q moves the request %q; there are %d, from a on", text, rest[:1], requests)
		}
		fixed.moves, rest = append(fixed.moves, fixedMove{request, nth}), rest[1+digits:]
	}
	if len(fixed.moves) == 0 {
		return nil, fmt.Errorf("the order is empty")
	}
	return fixed, nil
}

// Choose gives the step that is next in the order, or the first one where the order has ended or names none that is open.
func (f *Fixed) Choose(open []Move) Move {
	if f.at == len(f.moves) {
		f.strayed = true
		return open[0]
	}
	next := f.moves[f.at]
	f.at++
	own := movesOf(open, next.request)
	if next.nth > len(own) {
		f.strayed = true
		return open[0]
	}
	return own[next.nth-1]
}

// Took does nothing: there is nothing to learn.
func (f *Fixed) Took([]Touch) {}

// Strayed reports whether the order could not be followed to its end.
func (f *Fixed) Strayed() bool { return f.strayed || f.at < len(f.moves) }
