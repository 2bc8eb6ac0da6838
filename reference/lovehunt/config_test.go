package lovehunt

import (
	"maps"
	"strings"
	"testing"
)

// A server needs a connection string, or in tables-only an address and an identity.
func TestWhatGivesAccess(t *testing.T) {
	identity := map[string]string{"AZURE_TABLES_ENDPOINT": "https://a.table.core.windows.net",
		"IDENTITY_ENDPOINT": "http://127.0.0.1:41741/msi/token", "IDENTITY_HEADER": "secret"}
	for name, c := range map[string]struct {
		env  map[string]string // in addition to identity
		want string            // what the error names; "": none
		keys bool              // it uses the connection string
	}{
		"an identity":          {nil, "", false},
		"a key as well":        {map[string]string{"AZURE_STORAGE_CONNECTION_STRING": "AccountKey=a"}, "", true},
		"no address":           {map[string]string{"AZURE_TABLES_ENDPOINT": ""}, "nor AZURE_TABLES_ENDPOINT", false},
		"an address over http": {map[string]string{"AZURE_TABLES_ENDPOINT": "http://a"}, "https://", false},
		"no identity":          {map[string]string{"IDENTITY_HEADER": ""}, "IDENTITY_HEADER", false},
		"a phase with blobs":   {map[string]string{"MIGRATION_PHASE": "dual-write"}, "tables-only", false},
	} {
		env := map[string]string{"MIGRATION_PHASE": "tables-only"}
		maps.Copy(env, identity)
		maps.Copy(env, c.env)
		config, err := FromEnv(func(name string) string { return env[name] })
		switch {
		case c.want != "":
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s: error %v, want one about %s", name, err, c.want)
			}
		case err != nil:
			t.Errorf("%s: %v", name, err)
		case (config.Connection != "") != c.keys || (config.Identity != nil) == c.keys:
			t.Errorf("%s: %+v", name, config)
		}
	}
}
