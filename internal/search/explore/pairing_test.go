package explore

import "testing"

func TestWhatIsPacked(t *testing.T) {
	for text, want := range map[string]bool{
		"R75CtLRAb5vBEYNXxq6ycSeKh5IZ/6ZwcYJcDIc6":  true,
		"/uEE6sb6OfMk2b6IoPHs5ccZCcoDjxQXC27+diq2":  true, // base64 begins with a slash once in 64 times
		"/uEE6sb6OfMk2b6IoPHs5ccZCcoDjxQXC27adiq2":  true,
		"/a/E6sb6OfMk2b6IoPHs5ccZCcoDjxQXC27adiq=":  true,
		"/api/chats/E6sb6OfMk2b6IoPHs5ccZCcoDjxQXC": false,
		"/group/join/550e8400-e29b-41d4-a716":       false,
		"https://localhost/group/join":              false,
		"short":                                     false,
	} {
		if got := isPacked(text); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}
