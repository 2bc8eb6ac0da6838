package steps

import (
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
	}
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
