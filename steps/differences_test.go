package steps

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestDifferencesOfAnError(t *testing.T) {
	status := placed(matches("removed", "active", nil), "%s of the row GroupMembers g / k", "status")
	time := placed(matches(missing{}, "a time", nil), "joinedAt")
	err := fmt.Errorf("row 2: %w", errors.Join(status, errors.New("something else"), time))
	want := []Difference{
		{Where: "status of the row GroupMembers g / k", Expected: "active", Seen: `"removed"`},
		{Where: "joinedAt", Expected: "a UTC time like 2026-01-31T12:00:00Z", Seen: "absent"},
	}
	if diff := cmp.Diff(want, Differences(err), cmpopts.IgnoreUnexported(Difference{})); diff != "" {
		t.Errorf("differences (-want +got):\n%s", diff)
	}
	if want := `row 2: status of the row GroupMembers g / k is "removed", not active`; !strings.HasPrefix(err.Error(), want) {
		t.Errorf("the message is %q, not %q", err, want)
	}
	if got := Differences(errors.New("the store is gone")); got != nil {
		t.Errorf("differences %v of an error that tells none", got)
	}
}

func TestShownBody(t *testing.T) {
	for _, test := range []struct{ name, kind, body, want string }{
		{"values", "", `{"groupId":"g1","count":2}`, `{"count":2,"groupId":"g1"}`},
		{"what may be confidential", "", `{"token":"abc","user":{"email":"a@b.c","sessionId":"s"},"list":[{"inviteCode":"x"}]}`,
			`{"list":[{"inviteCode":"{inviteCode}"}],"token":"{token}","user":{"email":"{email}","sessionId":"{sessionId}"}}`},
		{"no JSON", "", `token=abc`, "{body}"},
		{"JSON, and more", "", `{} {"token":"abc"}`, "{body}"},
		{"a form", ofForm, "token=abc&groupId=g+1", "groupId=g+1&token=%7Btoken%7D"},
		{"nothing in an object", "", `{}`, `{}`},
		{"a list", "", `[{"token":"abc"},12345678901234567890]`, `[{"token":"{token}"},12345678901234567890]`},
		{"a text", "", `"abc"`, "{body}"},
		{"nothing", "", "", ""},
		{"too long", "", `{"text":"` + strings.Repeat("x", longestBody) + `"}`, "{body}"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := shownBody(test.kind, test.body); got != test.want {
				t.Errorf("shown as %s, want %s", got, test.want)
			}
		})
	}
}
