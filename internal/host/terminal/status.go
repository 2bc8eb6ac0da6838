package terminal

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/mattn/go-runewidth"
)

const (
	// EraseLine moves to the start of the line and erases it (ECMA-48, EL).
	EraseLine = "\r\x1b[K"
	// redrawEvery is how often a terminal is brought up to date: more often than the seconds that it shows.
	redrawEvery = 200 * time.Millisecond
	// LineEvery is how often a line is written where there is no terminal: often enough for a user who follows the
	// log of a pipeline and must not believe that it hangs, and for that pipeline.
	LineEvery = 10 * time.Second
)

// Status is one line that says how a run is going. On a terminal it is drawn again and again in the same place;
// elsewhere a line is written every LineEvery. It is safe for concurrent use.
type Status struct {
	w       io.Writer
	columns func() (int, bool)
	text    func(now time.Time, columns int) string

	mu    sync.Mutex
	drawn string    // what the terminal shows
	said  time.Time // when a line was written last
}

// NewStatus returns a status line on a stream. text puts the status into words of at most so many columns, or any
// number if that is 0; what is longer is cut. dumb says that the stream is written to in lines though it is a terminal.
func NewStatus(w io.Writer, dumb bool, text func(now time.Time, columns int) string) *Status {
	return &Status{w: w, text: text, said: time.Now(), columns: func() (int, bool) {
		columns, is := Columns(w)
		return columns, is && !dumb
	}}
}

// Run draws the line until end is called, which erases it.
func (s *Status) Run() (end func()) {
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(redrawEvery)
		defer ticker.Stop()
		for {
			select {
			case <-over:
				return
			case now := <-ticker.C:
				s.draw(now)
			}
		}
	}()
	return sync.OnceFunc(func() {
		close(over)
		<-ended
		s.mu.Lock()
		defer s.mu.Unlock()
		s.erase()
	})
}

// draw brings the line up to date.
func (s *Status) draw(now time.Time) {
	columns, is := s.columns()
	if !is {
		if now.Sub(s.said) < LineEvery {
			return
		}
		s.said = now
		if line := s.text(now, 0); line != "" {
			_, _ = fmt.Fprintln(s, line)
		}
		return
	}
	line := Fit(s.text(now, Room(columns)), columns) // unlocked: it may wait for a writer
	s.mu.Lock()
	defer s.mu.Unlock()
	if line != s.drawn {
		s.drawn = line
		_, _ = io.WriteString(s.w, EraseLine+line)
	}
}

// erase removes the line from the terminal. The caller holds mu.
func (s *Status) erase() {
	if s.drawn != "" {
		s.drawn = ""
		_, _ = io.WriteString(s.w, EraseLine)
	}
}

// Write writes whole lines in the place of the status line, which is drawn again below them.
func (s *Status) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.erase()
	return s.w.Write(p)
}

// Room returns how many columns of a terminal a line may fill. The last one stays free: with a character there, some
// terminals have gone on to the next line, and the start of this one cannot be reached any more.
func Room(columns int) int { return max(columns-1, 0) }

// Fit cuts a line to the room that a terminal of so many columns has for it, by the width of its characters, and marks
// what is cut with an ellipsis. It is one line afterwards, whatever it held.
func Fit(line string, columns int) string {
	room := Room(columns)
	if room == 0 {
		return ""
	}
	line = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, line)
	return runewidth.Truncate(line, room, "…")
}

// Width returns how many columns a text takes.
func Width(text string) int { return runewidth.StringWidth(text) }
