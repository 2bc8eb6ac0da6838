package cause

import "testing"

func TestMessagesOfOneCause(t *testing.T) {
	for name, pair := range map[string][2]string{
		"ids": {`GET /api/group/meta?groupId=grp-Family-k3mzq2ab answered 500, not 200`,
			`GET /api/group/meta?groupId=grp-Family-zz7yq4cd answered 500, not 200`},
		"UUIDs": {`the row Notes 0b9f6a3e-3f70-4a53-8f0d-2f1f0b2c9a11 / milk has no text`,
			`the row Notes 7d1c3b5a-aaaa-4bbb-9ccc-0123456789ab / milk has no text`},
		"hashes": {`there is no row Notes 395fcb0c… / milk`, `there is no row Notes ab12cd34… / milk`},
		"times": {`updatedAt is 2026-11-22T10:00:00.123Z, not after 2026-11-22T10:00:01Z`,
			`updatedAt is 2027-01-02T00:00:00Z, not after 2027-01-02T00:00:01.5Z`},
		"days":      {`day is 2026-11-22`, `day is 2026-11-23`},
		"durations": {`was answered after 16.2s, not within 15s`, `was answered after 1m3.5s, not within 15s`},
		"ports":     {`dial tcp 127.0.0.1:40123: refused`, `dial tcp 127.0.0.1:7: refused`},
		"counts":    {`table query on Notes: 503 after 4 attempts`, `table query on Notes: 503 after 11 attempts`},
		"how many requests of several failed": {"POST /a answered 500, not 200\nPOST /a answered 500, not 200",
			"POST /a answered 500, not 200"},
		"how many it says": {"120 of 200 requests: POST /a answered 500, not 200", "POST /a answered 500, not 200"},
		"the order of storage calls": {"over budget\n  → table insert on A: 204\n  blob read on b: 200",
			"over budget\n  blob read on b: 200\n  → table insert on A: 204"},
		"replays": {"2 of 7 faults broke it\n- with x: no\n  again: --replay OWRm",
			"3 of 9 faults broke it\n- with x: no\n  again: --replay NDA1"},
		"output": {"the server exited by itself: exit status 7; it wrote:\none",
			"the server exited by itself: exit status 8; it wrote:\ntwo"},
	} {
		t.Run(name, func(t *testing.T) {
			if a, b := Of(pair[0]), Of(pair[1]); a != b || Digest(a) != Digest(b) {
				t.Errorf("they are different:\n%s\n%s", a, b)
			}
		})
	}
}

func TestMessagesOfDifferentCauses(t *testing.T) {
	for name, pair := range map[string][2]string{
		"status": {`GET /notes answered 404, not 200`, `GET /notes answered 500, not 200`},
		"route":  {`GET /notes answered 404, not 200`, `GET /lists answered 404, not 200`},
		"column": {`status of the row X is "a", not b`, `joinedAt of the row X is "a", not b`},
		"call":   {`table insert on Notes: 409`, `table delete on Notes: 409`},
		"field": {`"connections" of the answer to GET /a holds 3 items, not 2: [{"a":1}]`,
			`"events" of the answer to GET /a holds 3 items, not 2: [{"a":1}]`},
		"code": {`error is "forbidden", not "not_found"`, `error is "conflict", not "not_found"`},
		"too many and too few": {`"connections" of the answer to GET /a holds 3 items, not 2: [{"a":1}]`,
			`"connections" of the answer to GET /a holds 1 item, not 3: [{"a":1}]`},
		"nothing there":    {`name is "", not Zoe`, `name is "Zoe B", not Zoe`},
		"after the JSON":   {`{"a":1} has no column b`, `{"a":1} has no column c`},
		"variable":         {`the target started with KEY "a"`, `the target started with SALT "a"`},
		"brackets in text": {`dial [::1] refused`, `dial [::1] reset`},
		"what a list holds": {`the keys with the prefix a are ["a:1"], not ["a:b"]`,
			`the keys with the prefix a are ["a:c"], not ["a:b"]`},
		"a value": {`title is "Tea", not "Milk"`, `title is "Coffee", not "Milk"`},
	} {
		t.Run(name, func(t *testing.T) {
			if a, b := Of(pair[0]), Of(pair[1]); a == b || Digest(a) == Digest(b) {
				t.Errorf("both are %q", a)
			}
		})
	}
}

func TestTheOrderOfCausesDoesNotMatter(t *testing.T) {
	if a, b := Union([]string{"b", "a", "b"}), Union([]string{"a", "b"}); a != b {
		t.Errorf("%q and %q", a, b)
	}
}
