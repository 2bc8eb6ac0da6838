package account

import (
	"strings"
	"testing"
	"time"
)

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
			got, err := PatienceFromEnv(func(name string) string { return c.env[name] })
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

// The SDK takes 0 retries for its default.
func TestNoRetriesAreNone(t *testing.T) {
	for retries, want := range map[int]int32{0: -1, 1: 1, 10: 10} {
		options, client := Connect(Patience{MaxRetries: retries, RetryDelay: time.Millisecond, TryTimeout: time.Second},
			nil)
		client.CloseIdleConnections()
		if options.Retry.MaxRetries != want {
			t.Errorf("%d retries: the SDK gets %d, want %d", retries, options.Retry.MaxRetries, want)
		}
	}
}
