package web

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/storespec/storespec/internal/scenario"
)

func keepMember(_ context.Context, names *scenario.Names, requests *scenario.Requests, path, name string) error {
	e, err := requests.Last()
	if err != nil {
		return err
	}
	if !names.KeepValue(name, e.JSON(path)) {
		return fmt.Errorf("the answer to %s (%d) has no text or number %q", e, e.Status, path)
	}
	return nil
}

// Values returns the steps that name texts for a scenario.
func Values() []scenario.Step {
	return []scenario.Step{
		scenario.On(`(\w+) is a new id`, `Given List is a new id`,
			func(_ context.Context, names *scenario.Names, name string) error {
				names.NewID(name)
				return nil
			}).Keeps("$1"),
		scenario.On(`(\w+) stands for "([^"]*)"`, `Given Octo stands for "octo-{tag}"`, standsFor).Keeps("$1"),
		scenario.On(`(\w+) stands for (\d+) random characters`, `Given Noise stands for 70000 random characters`,
			func(_ context.Context, names *scenario.Names, name string, count int) error {
				names.Keep(name, noise(count))
				return nil
			}).Keeps("$1"),
		scenario.On(`(\w+) stands for (\d+) days ago`, `Given Old stands for 31 days ago`,
			func(_ context.Context, names *scenario.Names, name string, days int) error {
				names.Keep(name, scenario.Timestamp(time.Now().AddDate(0, 0, -days)))
				return nil
			}).Keeps("$1"),
		scenario.On(`(\w+) stands for (\S+) with another letter in its middle`,
			`Given Tampered stands for {Second} with another letter in its middle`, standsForTampered).Keeps("$1"),
	}
}

// standsForTampered names a text that differs from another in one letter, and has the same length.
func standsForTampered(_ context.Context, names *scenario.Names, name, text string) error {
	text, err := names.Written(text)
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
	names.Keep(name, string(letters))
	return nil
}

// standsFor names a text: {name} stands for that text from then on.
func standsFor(_ context.Context, names *scenario.Names, name, text string) error {
	text, err := names.Written(text)
	if err != nil {
		return err
	}
	names.Keep(name, text)
	return nil
}

// noise returns text that does not compress to less than three quarters. It is the same in each run.
func noise(count int) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	source := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, count)
	for i := range text {
		text[i] = alphabet[source.IntN(len(alphabet))]
	}
	return string(text)
}
