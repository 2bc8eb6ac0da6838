package steps

import (
	"errors"
	"math/rand/v2"
)

func valueSteps() []Step {
	return []Step{
		{`(\w+) stands for "([^"]*)"`, `Given Octo stands for "octo-{tag}"`,
			func(w *World) any { return w.standsFor }},
		{`(\w+) stands for (\d+) random characters`, `Given Noise stands for 70000 random characters`,
			func(w *World) any {
				return func(name string, count int) error { w.kept[name] = noise(count); return nil }
			}},
		{`(\w+) stands for (\S+) with another letter in its middle`, `Given Tampered stands for {Second} with another letter in its middle`,
			func(w *World) any { return w.standsForTampered }},
	}
}

// standsForTampered gives a name to a text that differs from another in one letter, and is as long.
func (w *World) standsForTampered(name, text string) error {
	text, err := w.written(text)
	if err != nil {
		return err
	}
	letters := []byte(text)
	if len(letters) == 0 {
		return errors.New("a text without letters has none in its middle")
	}
	middle := &letters[len(letters)/2]
	if *middle++; (*middle < 'a' || *middle > 'z') && (*middle < 'A' || *middle > 'Z') {
		*middle = 'A'
	}
	w.kept[name] = string(letters)
	return nil
}

// standsFor gives a text a name: {name} is that text from then on.
func (w *World) standsFor(name, text string) error {
	text, err := w.written(text)
	if err != nil {
		return err
	}
	w.kept[name] = text
	return nil
}

// noise is text that does not compress to less than three quarters. It is the same in each run.
func noise(count int) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	source := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, count)
	for i := range text {
		text[i] = alphabet[source.IntN(len(alphabet))]
	}
	return string(text)
}
