package shell

import (
	"strings"
	"testing"
)

func TestConfidential(t *testing.T) {
	for name, want := range map[string]bool{"API_KEY": true, "SECRET_TOKEN": true, "DB_PASS": true, "PASSWORD": true,
		"AZURE_TABLES_CONNECTION_STRING": true, "BASIC_AUTH": true, "NODE_ENV": false, "PORT": false, "KEYBOARD": false,
		"AUTHOR": false, "CODES": false, "LOG_LEVEL": false,
		"API_KEY_PROD": true, "STRIPE_KEY_LIVE": true, "PRIVATE_KEY_PEM": true, "ENCRYPTION_KEYS": true,
		"ACCOUNT_SAS": true, "CONNECTION_STRING_BLOB": true, "JWT": true, "SALT": true, "DB_PIN": true,
		"app.key-id": true,
		"PING":       false, "SALTY": false, "KEYNOTE_DAY": false, "SPINNER": false} {
		if got := Confidential(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestMasked(t *testing.T) {
	for _, test := range []struct {
		words []string
		want  string
	}{
		{[]string{"node", "server.js", "--port", "80", "-v"}, "node server.js --port 80 -v"},
		{[]string{"npx", "@scope/server@1.2.3", "-k", "keep"}, "npx @scope/server@1.2.3 -k keep"},
		{[]string{"server", "--key=AccountKey;x&y"}, "server --key=…"},
		{[]string{"server", "--api-key", "s3cret", "--verbose"}, "server --api-key … --verbose"},
		{[]string{"server", "--no-password", "--verbose"}, "server --no-password --verbose"},
		{[]string{"server", "-token", "s3cret"}, "server -token …"},
		{[]string{"env", "DB_PASSWORD=s3cret", "PORT=80", "server"}, "env DB_PASSWORD=… PORT=80 server"},
		{[]string{"server", "postgres://me:s3cret@db.example.com/x?sslmode=off"},
			"server postgres://…@db.example.com/x?sslmode=off"},
		{[]string{"server", "postgres://me:s3/cr@e:t@db"}, "server postgres://…@db"},
		{[]string{"server", "https://s3cret@db/x@1"}, "server https://…@db/x@1"},
		{[]string{"server", "https://a.example.com/x?sv=1&sig=s3cret%3D&se=2"},
			"server https://a.example.com/x?sv=1&sig=…&se=2"},
		{[]string{"server", "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=s3cret==;EndpointSuffix=x"},
			"server DefaultEndpointsProtocol=https;AccountName=a;AccountKey=…;EndpointSuffix=x"},
		{[]string{"server", "--store=AccountName=a;SharedAccessSignature=s3cret"},
			"server --store=AccountName=a;SharedAccessSignature=…"},
		{[]string{"sh", "-c", "API_KEY='s3 cret' node server.js --token s3cret --port 80"},
			"sh -c API_KEY=… node server.js --token … --port 80"},
		{[]string{"server", "-H", "Authorization: Bearer s3cret"}, "server -H Authorization: Bearer …"},
		{[]string{"server", `{"apiKey": "s3cret", "port": 80}`}, `server {"apiKey": …, "port": 80}`},
		{[]string{"server", "--admin", "me.too@mail.example.com"}, "server --admin …"},
	} {
		if got := strings.Join(Masked(test.words), " "); got != test.want {
			t.Errorf("%q: got %s, want %s", test.words, got, test.want)
		}
	}
}
