package cause

import "testing"

func TestMessagesOfOneKind(t *testing.T) {
	for name, pair := range map[string][2]string{
		"quoted items": {`"connections" of the answer to GET /api/chats/-2041378307081/connections holds 1 item, ` +
			`not 3: [{"chat_id":"-2041378307081","revoked":0},{"chat_id":"-2041378307081","created_at":…`,
			`"connections" of the answer to GET /api/chats/-1828493629223/connections holds 0 items, not 3: []`},
		"quoted items, whole and cut": {`"tags" of the answer to GET /a holds 1 item, not 2: ["x"] beside others`,
			`"tags" of the answer to GET /a holds 2 items, not 3: [{"a":"]"}] beside others`},
		"quoted texts": {`scopes is "a b", not "https://www.example.com/auth"`,
			`scopes is "c d e", not "https://example.org/other"`},
		"quotes in quotes":    {`text is "say \"a\" 1", not null`, `text is "say b", not null`},
		"a text that was cut": {`text is "one two thr…`, `text is "four five s…`},
		"what a server was started with": {`the target started with ENCRYPTION_KEY ""`,
			`the target started with ENCRYPTION_KEY "0123456789abcdef0123456789abcdeü"`},
		"which items are not expected": {
			`"chats" of the answer to GET /a1 holds 3 items, not 2: not expected: {"id":"1"}`,
			`"chats" of the answer to GET /b1 holds 4 items, not 3: not expected: {"id":"2","a":[1]}`,
		},
		"what changes from run to run": {`GET /a1 answered 500, not 200`, `GET /a2 answered 500, not 200`},
	} {
		t.Run(name, func(t *testing.T) {
			if a, b := Kind(pair[0]), Kind(pair[1]); a != b {
				t.Errorf("they are different:\n%s\n%s", a, b)
			}
		})
	}
}

func TestMessagesOfDifferentKinds(t *testing.T) {
	for name, pair := range map[string][2]string{
		"field": {`"connections" of the answer to GET /a holds 3 items, not 2: [{"a":1}]`,
			`"events" of the answer to GET /a holds 3 items, not 2: [{"a":1}]`},
		"code": {`error is "forbidden", not "not_found"`, `error is "conflict", not "not_found"`},
		"too many and too few": {`"connections" of the answer to GET /a holds 3 items, not 2: [{"a":1}]`,
			`"connections" of the answer to GET /a holds 1 item, not 3: [{"a":1}]`},
		"nothing there":    {`name is "", not Zoe`, `name is "Zoe B", not Zoe`},
		"after the JSON":   {`{"a":1} has no column b`, `{"a":1} has no column c`},
		"variable":         {`the target started with KEY "a"`, `the target started with SALT "a"`},
		"brackets in text": {`dial [::1] refused`, `dial [::1] reset`},
		"what differs behind a list that is cut": {
			`the list is [{"a":1},{"b…; the nearest item differs: status is "x", not y`,
			`the list is [{"a":1},{"b…; the nearest item differs: owner is "x", not y`},
		"members of items": {`GET /a answered 200 against its contract: "items[0].title" must be a text`,
			`GET /a answered 200 against its contract: "items[0].start" must be a text`},
		"codes with a colon":        {`error is "group:forbidden", not "a:b"`, `error is "group:not_found", not "a:b"`},
		"rows too many and too few": {`the table Notes holds 3 rows, not 2`, `the table Notes holds 1 row, not 2`},
	} {
		t.Run(name, func(t *testing.T) {
			if a, b := Kind(pair[0]), Kind(pair[1]); a == b {
				t.Errorf("both are %q", a)
			}
		})
	}
}
