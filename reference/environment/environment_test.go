package environment

import (
	"strings"
	"testing"
	"time"
)

func readerOf(variables map[string]string) *Reader {
	return New(func(name string) string { return variables[name] })
}

func TestWhatIsUnsetHasItsDefault(t *testing.T) {
	r := readerOf(nil)
	if got := r.Text("T", "text"); got != "text" {
		t.Errorf("a text: %q", got)
	}
	if got := r.Address("A", "https://a.example/v1/"); got != "https://a.example/v1" {
		t.Errorf("an address: %q", got)
	}
	if got := r.Address("A", ""); got != "" {
		t.Errorf("an optional address: %q", got)
	}
	if got, want := r.Patience("20ms"), (Patience{3, 20 * time.Millisecond, 3 * time.Second}); got != want {
		t.Errorf("patience: %v", got)
	}
	if err := r.Err(); err != nil {
		t.Error(err)
	}
}

func TestWhatIsSetIsRead(t *testing.T) {
	r := readerOf(map[string]string{"T": "a", "A": "http://a.example:80/", "N": "0", "STORAGE_MAX_RETRIES": "10",
		"STORAGE_RETRY_DELAY": "1ns", "STORAGE_TRY_TIMEOUT": "1m"})
	if text, address := r.Required("T"), r.RequiredAddress("A"); text != "a" || address != "http://a.example:80" {
		t.Errorf("%q, %q", text, address)
	}
	if n := r.Number("N", 3, 0, 5); n != 0 {
		t.Errorf("a number: %d", n)
	}
	if got, want := r.Patience("20ms"), (Patience{10, 1, time.Minute}); got != want {
		t.Errorf("patience: %v", got)
	}
	if err := r.Err(); err != nil {
		t.Error(err)
	}
}

func TestEverythingWrongIsNamedWithoutItsValue(t *testing.T) {
	r := readerOf(map[string]string{"A": "secret", "B": "http://%zz", "N": "secret", "LESS": "-1", "MORE": "6",
		"D": "secret", "ZERO": "0s"})
	r.Required("MISSING")
	r.RequiredAddress("NOWHERE")
	r.Address("A", "")
	r.Address("B", "")
	for _, name := range []string{"N", "LESS", "MORE"} {
		r.Number(name, 0, 0, 5)
	}
	r.Duration("D", "1s")
	r.Duration("ZERO", "1s")
	want := []string{"MISSING is not set", "NOWHERE is not set", "A is not a URL", "B is not a URL",
		"N must be a number from 0 to 5", "LESS must be a number from 0 to 5", "MORE must be a number from 0 to 5",
		"D must be a duration above 0, such as 1s", "ZERO must be a duration above 0, such as 1s"}
	if got := r.Err(); got == nil || got.Error() != strings.Join(want, "\n") {
		t.Errorf("%v", got)
	}
}

func TestPatience(t *testing.T) {
	for name, c := range map[string]struct {
		env  map[string]string
		want Patience
		err  string // the variable it names; "": none
	}{
		"nothing set": {nil, Patience{3, 100 * time.Millisecond, 3 * time.Second}, ""},
		"all set": {map[string]string{"STORAGE_MAX_RETRIES": "10", "STORAGE_RETRY_DELAY": "1ms",
			"STORAGE_TRY_TIMEOUT": "1s"}, Patience{10, time.Millisecond, time.Second}, ""},
		"no retries": {map[string]string{"STORAGE_MAX_RETRIES": "0"},
			Patience{0, 100 * time.Millisecond, 3 * time.Second}, ""},
		"too many retries":  {map[string]string{"STORAGE_MAX_RETRIES": "11"}, Patience{}, "STORAGE_MAX_RETRIES"},
		"less than none":    {map[string]string{"STORAGE_MAX_RETRIES": "-1"}, Patience{}, "STORAGE_MAX_RETRIES"},
		"no delay":          {map[string]string{"STORAGE_RETRY_DELAY": "0s"}, Patience{}, "STORAGE_RETRY_DELAY"},
		"time without unit": {map[string]string{"STORAGE_TRY_TIMEOUT": "3"}, Patience{}, "STORAGE_TRY_TIMEOUT"},
	} {
		t.Run(name, func(t *testing.T) {
			r := readerOf(c.env)
			got, err := r.Patience("100ms"), r.Err()
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err+" must be") ||
					strings.Contains(err.Error(), "\n") {
					t.Errorf("error %v, want one about %s alone", err, c.err)
				}
				return
			}
			if err != nil || got != c.want {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}
