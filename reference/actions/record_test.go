package actions

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/gowebpki/jcs"
	"pgregory.net/rapid"
)

func TestCanonicalPayload(t *testing.T) {
	for name, c := range map[string]struct{ sent, stored string }{
		"order and white space": {"{ \"name\":\"n\",\n\"b\":[1, {\"y\":null,\"x\":true}],\"owner\":\"o\"}",
			`{"b":[1,{"x":true,"y":null}],"name":"n","owner":"o"}`},
		"spelling of numbers": {`{"owner":"o","name":"n","a":[1.0,1E2,-0,0.10,1e-7,100000000000000000000,1e21]}`,
			`{"a":[1,100,0,0.1,1e-7,100000000000000000000,1e+21],"name":"n","owner":"o"}`},
		"spelling of texts": {`{"owner":"o","name":"n","a":"\u00e9\/\u0041\ud83d\ude00\u001f"}`,
			"{\"a\":\"é/A😀\\u001f\",\"name\":\"n\",\"owner\":\"o\"}"},
		"keys and values trimmed": {`{"owner":" \t Actions\n","name":"\r Check out \u000b"}`,
			`{"name":"Check out","owner":"Actions"}`},
		"only owner and name are": {`{"owner":"o","name":"n","a":" x ","b":{"owner":" y "}}`,
			`{"a":" x ","b":{"owner":" y "},"name":"n","owner":"o"}`},
		"what is said about it": {`{"_metadata":{"etag":"x"},"owner":"o","a":{"_metadata":1},"name":"n"}`,
			`{"a":{"_metadata":1},"name":"n","owner":"o"}`},
		"only that, in the middle": {`{"owner":"o","_metadata":[],"name":"n"}`, `{"name":"n","owner":"o"}`},
		"times": {`{"owner":"o","name":"n","at":["2026-01-01T00:30:00.500+01:00",{"x":"2026-01-01t00:00:00.000z"}]}`,
			`{"at":["2025-12-31T23:30:00.5Z",{"x":"2026-01-01T00:00:00Z"}],"name":"n","owner":"o"}`},
		"times that name something": {`{"owner":"2026-01-01T00:00:00+01:00","name":"n","2026-01-01T00:00:00+01:00":1}`,
			`{"2026-01-01T00:00:00+01:00":1,"name":"n","owner":"2026-01-01T00:00:00+01:00"}`},
		"names in UTF-16's order": {`{"owner":"o","name":"n","\ufb33":1,"\ud83d\ude00":2}`,
			"{\"name\":\"n\",\"owner\":\"o\",\"😀\":2,\"\ufb33\":1}"},
	} {
		t.Run(name, func(t *testing.T) {
			r, refused := parseRecord([]byte(c.sent))
			if refused != nil || string(r.payload) != c.stored {
				t.Fatalf("got  %s\nwant %s (%v)", r.payload, c.stored, refused)
			}
			again, refused := parseRecord(r.payload)
			if refused != nil || again.hash != r.hash {
				t.Errorf("its own payload is another record: %s (%v)", again.payload, refused)
			}
		})
	}
}

func TestInstants(t *testing.T) {
	for text, want := range map[string]string{
		"2026-01-02T03:04:05Z":                  "2026-01-02T03:04:05Z",
		"2026-01-02T03:04:05.1234567890123Z":    "2026-01-02T03:04:05.1234567890123Z",
		"2026-01-02T03:04:05.000-00:00":         "2026-01-02T03:04:05Z",
		"2026-03-01T00:00:00+23:59":             "2026-02-28T00:01:00Z",
		"1998-12-31T15:59:60-08:00":             "1998-12-31T23:59:60Z",
		"1998-12-31T15:59:60Z":                  "",
		"0000-01-01T00:00:00+00:01":             "",
		"9999-12-31T23:59:00-00:01":             "",
		"2026-02-29T00:00:00Z":                  "",
		"2026-01-02T24:00:00Z":                  "",
		"2026-01-02T03:04:05":                   "",
		"2026-01-02 03:04:05Z":                  "",
		"2026-01-02T03:04:05.Z":                 "",
		"2026-01-02T03:04Z":                     "",
		"2026-01-02T03:04:05+24:00":             "",
		"2026-01-02T03:04:05+0100":              "",
		" 2026-01-02T03:04:05Z":                 "",
		"2026-01-02T03:04:05Z\n":                "",
		"released at 2026-01-02T03:04:05+01:00": "",
	} {
		if got, ok := inUTC(text); got != want || ok != (want != "") {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestNumbersThatADoubleHolds(t *testing.T) {
	for spelled, want := range map[string]bool{
		"0": true, "-0.0e-999999999999": true, "0.1": true, "1.7976931348623157e308": true, "5e-324": true,
		"9007199254740992": true, "9007199254740993": false, "9007199254740994": true, "1e400": false, "1e-400": false,
		"123456789012345680000": true, "123456789012345683968": true, "123456789012345683969": false,
		"0.1000000000000000055511151231257827021181583404541015625": true,
		"0.1000000000000000055511151231257827":                      false,
		"1e99999999999999999999":                                    false, "1e-99999999999999999999": false,
		"0.30000000000000004": true, "0.300000000000000041": false,
	} {
		if got := exact([]byte(spelled)); got != want {
			t.Errorf("%s: %v", spelled, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		double := math.Float64frombits(rapid.Uint64().Draw(t, "bits"))
		if math.IsNaN(double) || math.IsInf(double, 0) {
			return
		}
		for _, format := range []byte{'e', 'f', 'g'} {
			for _, precision := range []int{-1, 1100} { // the shortest spelling and every digit there is
				if spelled := strconv.AppendFloat(nil, double, format, precision, 64); !exact(spelled) {
					t.Fatalf("%s", spelled)
				}
			}
		}
	})
}

func TestSizesOfKeys(t *testing.T) {
	for text, ok := range map[string]bool{
		strings.Repeat("a", 512): true, strings.Repeat("a", 513): false, strings.Repeat("é", 512): true,
		strings.Repeat("😀", 256): true, strings.Repeat("😀", 256) + "a": false, "it's 100% |+;~": true,
		"a\u007f": false, "a\xff": false, "a\u0085": false, "a?": false, `a\`: false, "a#": false, "\u00a0": true,
		" \f": false,
	} {
		if _, err := keyOf(text); (err == nil) != ok {
			t.Errorf("%.20q of %d bytes: %v", text, len(text), err)
		}
	}
	if got, _ := keyOf(" ÄBCİ "); got != "Äbcİ" {
		t.Errorf("%q", got)
	}
}

// FuzzStrict: what the strict reader takes is JSON to every other reader too, and reading it again changes nothing.
func FuzzStrict(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,-2.5e3,true,false,null,"x\n\u00e9\ud83d\ude00"],"b":{"c":{}}}`, `{"a":1,"a":2}`, `"\ud800"`,
		"\"\xff\"", `[01]`, `[1.]`,
		` {"t":"2026-01-01T00:00:00.10+01:00"} `, `{"a":9007199254740993}`, strings.Repeat("[", 65), `{"a":1,}`, `{,}`,
		`[1 2]`, `nulls`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		read, err := readStrict(data, asItIs)
		if err != nil {
			return
		}
		var theirs any
		if err := json.Unmarshal(data, &theirs); err != nil {
			t.Fatalf("encoding/json refuses %q: %v", data, err)
		}
		once, err := jcs.Transform(read)
		if err != nil {
			t.Fatalf("jcs refuses %q: %v", read, err)
		}
		again, err := readStrict(once, asItIs)
		if err != nil {
			t.Fatalf("%q is not read again: %v", once, err)
		}
		if twice, err := jcs.Transform(again); err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("%q became %q (%v)", once, twice, err)
		}
	})
}

// FuzzRecord: a record that is taken is the same record when its answer is sent back.
func FuzzRecord(f *testing.F) {
	f.Add([]byte(`{"owner":" O ","name":"n","_metadata":1,"at":"2026-01-01T00:00:00+01:00","x":[1.50]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, refused := parseRecord(data)
		if refused != nil {
			return
		}
		stored := row{key: r.key, etag: `W/"1"`, hash: r.hash, payload: r.payload}
		answered, err := stored.record()
		if err != nil {
			t.Fatal(err)
		}
		again, refused := parseRecord(answered)
		if refused != nil || again.hash != r.hash || again.key != r.key {
			t.Fatalf("%q came back as %q (%v)", r.payload, again.payload, refused)
		}
	})
}

func asItIs(_ string, field []byte, _ string) []byte { return field }
