package bulk

// ledger tracks which lines are finished: all up to a mark, and some after it. It is not safe for concurrent use.
type ledger struct {
	line, offset int64      // all lines up to this one are finished; the next begins at offset
	after        []progress // the lines read after it
}

type progress struct {
	end  int64
	done bool
}

// read adds the next line of the input.
func (l *ledger) read(end int64) { l.after = append(l.after, progress{end: end}) }

// finish marks a line as finished, and advances the mark as far as possible.
func (l *ledger) finish(number int64) {
	l.after[number-l.line-1].done = true
	n := 0
	for n < len(l.after) && l.after[n].done {
		l.offset = l.after[n].end
		n++
	}
	l.after = l.after[n:]
	l.line += int64(n)
}

// lead returns how many lines were read after the mark.
func (l *ledger) lead() int { return len(l.after) }

// finished lists the finished lines after the mark, as ranges [first, last].
func (l *ledger) finished() [][2]int64 {
	var ranges [][2]int64
	for i, p := range l.after {
		number := l.line + 1 + int64(i)
		switch last := len(ranges) - 1; {
		case !p.done:
		case last >= 0 && ranges[last][1] == number-1:
			ranges[last][1] = number
		default:
			ranges = append(ranges, [2]int64{number, number})
		}
	}
	return ranges
}
