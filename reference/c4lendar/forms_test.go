package c4lendar

import (
	"strings"
	"testing"
)

func TestDetailsOf(t *testing.T) {
	const noon, one = "2026-01-06T12:00:00+01:00", "2026-01-06T13:00:00+01:00"
	for name, c := range map[string]struct {
		text              string
		ok                bool
		title, start, end string
	}{
		"all":                 {"Lunch | " + noon + " | " + one, true, "Lunch", noon, one},
		"without an end":      {"Lunch | " + noon, true, "Lunch", noon, one},
		"a title only":        {"Lunch", true, "Lunch", "", ""},
		"times only":          {"| " + noon + " | " + one, true, "", noon, one},
		"an end only":         {"Lunch | | " + one, true, "Lunch", "", one},
		"nothing":             {"", true, "", "", ""},
		"JSON":                {`{"title":"A | B","start":"` + noon + `"}`, true, "A | B", noon, one},
		"JSON that ends":      {`{"title":"A"`, false, "", "", ""},
		"a number as a title": {`{"title":1}`, false, "", "", ""},
		"an end before":       {"Lunch | " + one + " | " + noon, false, "", "", ""},
		"no zone":             {"Lunch | 2026-01-06T12:00:00", false, "", "", ""},
		"words":               {"Lunch | tomorrow", false, "", "", ""},
		"words as an end":     {"Lunch | " + noon + " | later", false, "", "", ""},
		"four parts":          {"Lunch | " + noon + " | " + one + " | x", false, "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			d, ok := detailsOf(c.text)
			if ok != c.ok || d.Title != c.title || d.Start != c.start || d.end() != c.end {
				t.Errorf("%v, %v until %s", ok, d, d.end())
			}
		})
	}
}

func FuzzCommandOf(f *testing.F) {
	f.Add([]byte(`{"update_id":1,"message":{"date":1767606600,"chat":{"id":-1},"text":"#cal a | b"}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		cmd, ok := commandOf(body)
		if !ok {
			return
		}
		if !chatForm.MatchString(cmd.chat) || cmd.update < 0 {
			t.Fatalf("%+v", cmd)
		}
		if uid := eventUID(cmd.sent, cmd.chat, cmd.update); !uidForm.MatchString(uid) {
			t.Fatal(uid)
		}
		if d, ok := detailsOf(cmd.argument); ok {
			_ = d.event()
		}
		_, _ = refOf(cmd.argument)
	})
}

func TestRefOf(t *testing.T) {
	for text, want := range map[string]string{
		"EVT-01JBZQ8F": "01JBZQ8F", "evt-01jbzq8f": "01JBZQ8F",
		"01JBZQ8F7VKPNX3QZ9M8J5K2W7": "01JBZQ8F7VKPNX3QZ9M8J5K2W7",
		" 01jbzq8f ":                 "01JBZQ8F",
		"01JBZQ8":                    "", "EVT-": "", "standups": "", "": "", "EVT-EVT-01JBZQ8F": "",
	} {
		if got, ok := refOf(text); got != want || ok != (want != "") {
			t.Errorf("%q is %q, %v", text, got, ok)
		}
	}
}

func TestEmailOf(t *testing.T) {
	for text, want := range map[string]string{
		"Alice@Gmail.com": "alice@gmail.com", "a+b@x.co": "a+b@x.co", "ü@x.com": "ü@x.com",
		"nobody": "", "@x": "", "a@": "",
		"a:b@x.com": "", "a@x.com:1": "", "a b@x.com": "", "a@b@c": "", "": "", strings.Repeat("a", 500) + "@x.com": "",
	} {
		if got, err := emailOf(text); got != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q: %v", text, got, err)
		}
	}
}

func TestTitlesAreFoundInAnyCase(t *testing.T) {
	titled := func(title string) recent { return recent{BotEventUID: title, EventTitle: &title} }
	events := []recent{{BotEventUID: "untitled"}, titled("Team STANDUP"), titled("ΟΔΟΣ"), titled("standup")}
	for text, want := range map[string]int{"standup": 2, "StandUp": 2, "οδος": 1, "x": 0, "": 4} {
		if found := byTitle(events, text); len(found) != want {
			t.Errorf("%q finds %d", text, len(found))
		}
	}
}
