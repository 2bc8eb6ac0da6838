package terminal

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestWhatHasColors(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "report"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, test := range []struct {
		asked Colors
		env   map[string]string
		want  bool
	}{
		{"", nil, false},
		{Auto, nil, false},
		{Auto, map[string]string{"CLICOLOR_FORCE": "1"}, true},
		{Auto, map[string]string{"CLICOLOR_FORCE": "0"}, false},
		{Auto, map[string]string{"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, false},
		{Always, map[string]string{"NO_COLOR": "1", "TERM": "dumb"}, true},
		{Never, map[string]string{"CLICOLOR_FORCE": "1"}, false},
	} {
		for _, stream := range []any{file, null, &bytes.Buffer{}} {
			if got := test.asked.On(stream, func(name string) string { return test.env[name] }); got != test.want {
				t.Errorf("--color %q with %v on %T: %t", test.asked, test.env, stream, got)
			}
		}
	}
}

func TestColorsAreAutoAlwaysOrNever(t *testing.T) {
	for _, text := range []string{"auto", "always", "never"} {
		if c, err := ParseColors(text); err != nil || string(c) != text {
			t.Errorf("%s: %s, %v", text, c, err)
		}
	}
	if _, err := ParseColors("yes"); err == nil || err.Error() != "want auto, always or never" {
		t.Errorf("yes: %v", err)
	}
}

// screen is what a terminal of so many columns shows of one line, with the cursor where a terminal leaves it.
type screen struct {
	columns int
	cells   []rune
	lost    bool // a line went on below: what is above cannot be erased
}

func (s *screen) Write(p []byte) (int, error) {
	text := string(p)
	for text != "" {
		if rest, is := strings.CutPrefix(text, EraseLine); is {
			s.cells, text = nil, rest
			continue
		}
		r := []rune(text)[0]
		text = strings.TrimPrefix(text, string(r))
		for range Width(string(r)) {
			s.cells = append(s.cells, r)
		}
		if len(s.cells) >= s.columns || r == '\n' {
			s.lost = true
		}
	}
	return len(p), nil
}

func TestTheLineFitsTheTerminal(t *testing.T) {
	for name, text := range map[string]string{
		"letters":              strings.Repeat("familyscheduler: 12 of 69 rules done; ", 5),
		"wide letters":         strings.Repeat("家族の予定 ", 30),
		"letters of two runes": strings.Repeat("e\u0301a\u0308 ", 60),
		"short":                "notes: 1 of 3",
	} {
		for _, columns := range []int{1, 2, 20, 60, 80, 120} {
			shown := &screen{columns: columns}
			now := time.Now()
			s := &Status{w: shown, columns: func() (int, bool) { return columns, true },
				text: func(at time.Time, _ int) string { return text + at.String() }}
			for range 3 {
				now = now.Add(time.Second)
				s.draw(now)
			}
			if shown.lost {
				t.Errorf("%s in %d columns: it fills the line: %q", name, columns, string(shown.cells))
			}
			if Width(text) >= columns && columns > 1 && !strings.HasSuffix(string(shown.cells), "…") {
				t.Errorf("%s in %d columns ends in %q", name, columns, string(shown.cells))
			}
			if s.erase(); len(shown.cells) > 0 {
				t.Errorf("%s in %d columns: %q is left", name, columns, string(shown.cells))
			}
		}
	}
}

func TestLinesAreWrittenAboveTheStatus(t *testing.T) {
	var shown bytes.Buffer
	s := &Status{w: &shown, columns: func() (int, bool) { return 40, true },
		text: func(time.Time, int) string { return "running" }}
	s.draw(time.Now())
	if _, err := s.Write([]byte("a message\n")); err != nil {
		t.Fatal(err)
	}
	s.draw(time.Now())
	s.draw(time.Now()) // nothing has changed
	s.erase()
	want := EraseLine + "running" + EraseLine + "a message\n" + EraseLine + "running" + EraseLine
	if shown.String() != want {
		t.Errorf("got  %q\nwant %q", shown.String(), want)
	}
}

// What the text is made of may belong to a writer at that moment, with a lock of its own.
func TestTheTextMayWaitForSomebodyWhoWrites(t *testing.T) {
	var shown bytes.Buffer
	asked, wrote := make(chan struct{}), make(chan struct{})
	s := &Status{w: &shown, columns: func() (int, bool) { return 40, true },
		text: func(time.Time, int) string {
			close(asked)
			<-wrote
			return "running"
		}}
	drawn := make(chan struct{})
	go func() {
		s.draw(time.Now())
		close(drawn)
	}()
	<-asked
	if _, err := s.Write([]byte("a message\n")); err != nil {
		t.Fatal(err)
	}
	close(wrote)
	<-drawn
	if want := "a message\n" + EraseLine + "running"; shown.String() != want {
		t.Errorf("got  %q\nwant %q", shown.String(), want)
	}
}

func TestALineNowAndThenWithoutATerminal(t *testing.T) {
	var shown bytes.Buffer
	began := time.Now()
	s := NewStatus(&shown, false, func(now time.Time, columns int) string {
		if columns != 0 {
			t.Errorf("a file has %d columns", columns)
		}
		if now.Sub(began) > 25*time.Second {
			return "" // there is nothing to say
		}
		return now.Sub(began).Truncate(time.Second).String()
	})
	s.said = began
	for second := range 35 {
		s.draw(began.Add(time.Duration(second) * time.Second))
	}
	s.erase()
	if want := "10s\n20s\n"; shown.String() != want {
		t.Errorf("it wrote %q, not %q", shown.String(), want)
	}
}

func TestTheStatusEndsOnce(t *testing.T) {
	var shown bytes.Buffer
	end := NewStatus(&shown, false, func(time.Time, int) string { return "" }).Run()
	end()
	end()
	if shown.Len() > 0 {
		t.Errorf("it wrote %q", &shown)
	}
}
