package familyscheduler

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/reference/web"
)

func TestEscapeKey(t *testing.T) {
	for text, want := range map[string]string{
		"gpt-4o/2024#1": "gpt-4o~2F2024~231",
		`a\b?c~d`:       "a~5Cb~3Fc~7Ed",
		"tab\tend":      "tab~09end",
		"nel\u0085":     "nel~C2~85",
		"auth:käse|1":   "auth:käse|1",
		"":              "",
	} {
		if got := escapeKey(text); got != want {
			t.Errorf("escapeKey(%q) = %q, want %q", text, got, want)
		}
	}
}

func FuzzEscapeKeyIsOneToOne(f *testing.F) {
	f.Add("a/b", "a~2Fb")
	f.Fuzz(func(t *testing.T, a, b string) {
		a, b = strings.ToValidUTF8(a, ""), strings.ToValidUTF8(b, "")
		if strings.ContainsAny(escapeKey(a), `/\#?`) || (escapeKey(a) == escapeKey(b)) != (a == b) {
			t.Errorf("%q and %q", escapeKey(a), escapeKey(b))
		}
	})
}

func TestNormalizeEmail(t *testing.T) {
	for text, want := range map[string]string{
		" Ana@X.COM ":                      "ana@x.com",
		"a@b":                              "a@b",
		"":                                 "",
		"ana":                              "",
		"@x.com":                           "",
		"ana@":                             "",
		"a@b@c":                            "",
		"a b@c":                            "",
		"an\u00e4@x.com":                   "",
		"\u212aate@x.com":                  "", // the Kelvin sign lowers to k
		"\u00a0ana@x.com":                  "", // only ASCII is trimmed
		strings.Repeat("a", 249) + "@x.de": strings.Repeat("a", 249) + "@x.de",
		strings.Repeat("a", 250) + "@x.de": "",
	} {
		if got, ok := normalizeEmail(text); got != want || ok != (want != "") {
			t.Errorf("normalizeEmail(%q) = %q, %v", text, got, ok)
		}
	}
}

func TestMemberKeys(t *testing.T) {
	userKey := userKeyOf("ana@x.com")
	if userKey != "03fded36e5de3aa5574b74c9f74a86c85dc60a352799efe57ff1b69faee05d13" {
		t.Errorf("userKey %s", userKey)
	}
	for sub, want := range map[string]string{"": "auth:" + userKey, "ana@x.com": "auth:" + userKey,
		"oid-1": "auth:oid-1"} {
		if got := memberKeyOf(sub, userKey); got != want {
			t.Errorf("memberKeyOf(%q) = %s", sub, got)
		}
	}
	if guestUserKey("1") != sha256hex("guest:1") {
		t.Error("a guest's key must come from guest:{gsid}")
	}
}

func TestSessionIdentity(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	full := session{V: 1, Kind: kindFull, Email: "Ana@x.com", Sub: "oid-1", ExpiresAt: "2026-05-01T12:00:00.001Z"}
	grace := session{V: 1, Kind: kindGrace, GSID: "7", ScopeGroupID: "g", ExpiresAt: "2026-05-01T14:00:01+02:00"}
	for name, c := range map[string]struct {
		change func(full, grace *session)
		use    *session
		ok     bool
	}{
		"full":                    {nil, &full, true},
		"grace":                   {nil, &grace, true},
		"expires now":             {func(s, _ *session) { s.ExpiresAt = "2026-05-01T12:00:00Z" }, &full, false},
		"no time":                 {func(s, _ *session) { s.ExpiresAt = "" }, &full, false},
		"another version":         {func(s, _ *session) { s.V = 2 }, &full, false},
		"another kind":            {func(s, _ *session) { s.Kind = "admin" }, &full, false},
		"full without an e-mail":  {func(s, _ *session) { s.Email = "" }, &full, false},
		"grace without its group": {func(_, s *session) { s.ScopeGroupID = "" }, &grace, false},
		"grace without its guest": {func(_, s *session) { s.GSID = "" }, &grace, false},
	} {
		t.Run(name, func(t *testing.T) {
			f, g := full, grace
			if c.change != nil {
				c.change(&f, &g)
			}
			used := &f
			if c.use == &grace {
				used = &g
			}
			who, ok := used.identity(now)
			if ok != c.ok {
				t.Fatalf("ok = %v", ok)
			}
			if ok && used == &f && (who.memberKey != "auth:oid-1" || who.email != "ana@x.com" || who.isGuest()) {
				t.Errorf("%+v", who)
			}
			if ok && used == &g && (who.memberKey != "guest:7" || who.email != "" || who.guestOf != "g") {
				t.Errorf("%+v", who)
			}
		})
	}
}

func TestTimes(t *testing.T) {
	for text, want := range map[string]string{
		"2026-01-01T00:30:00+01:00": "20251231233000Z|a",
		"2026-01-01T10:00:00.000Z":  "20260101100000Z|a",
		"2026-01-01T10:00:00.5Z":    "",
		"2026-01-01T10:00:00":       "",
		"2026-01-01":                "",
		"2026-02-30T10:00:00Z":      "",
		"9999-12-31T23:59:59-01:00": "",
		"tomorrow":                  "",
	} {
		start, ok := parseStart(text)
		if ok != (want != "") || ok && appointmentKey("g", start, "a").RowKey != want {
			t.Errorf("parseStart(%q) = %v, %v", text, start, ok)
		}
	}
	at := time.Date(2026, 1, 1, 1, 0, 0, 5_000_000, time.FixedZone("", 3600))
	if got := timestamp(at); got != "2026-01-01T00:00:00.005Z" {
		t.Errorf("timestamp: %s", got)
	}
	if d := deletedNow(at, "u"); d.PurgeAfterAt != "2026-01-31T00:00:00.005Z" {
		t.Errorf("purgeAfterAt: %s", d.PurgeAfterAt)
	}
}

func TestCleanName(t *testing.T) {
	for text, want := range map[string]string{
		"  The\t Smiths ": "The Smiths", "äöü": "äöü", "   ": "", "": "", "a\x00b": "",
	} {
		if got, ok := cleanName(text, 10); ok != (want != "") || ok && got != want {
			t.Errorf("cleanName(%q) = %q, %v", text, got, ok)
		}
	}
	if _, ok := cleanName("äöü", 3); !ok {
		t.Error("three code points must fit three")
	}
	if _, ok := cleanName("abcd", 3); ok {
		t.Error("four code points must not fit three")
	}
}

func TestLoginTokens(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	valid := loginToken{V: 1, Sub: "ana@x.com", JTI: "j-1", Purpose: purposeLogin, IssuedAt: now.Unix(),
		Expires: now.Unix() + 1}
	for name, c := range map[string]struct {
		change func(*loginToken)
		spoil  func(string) string
		code   string
	}{
		"valid":            {nil, nil, ""},
		"expires now":      {func(x *loginToken) { x.Expires = now.Unix() }, nil, "expired_token"},
		"another purpose":  {func(x *loginToken) { x.Purpose = "invite" }, nil, "invalid_token"},
		"another version":  {func(x *loginToken) { x.V = 2 }, nil, "invalid_token"},
		"a jti with paths": {func(x *loginToken) { x.JTI = "../a" }, nil, "invalid_token"},
		"no e-mail":        {func(x *loginToken) { x.Sub = "ana" }, nil, "invalid_token"},
		"another secret":   {nil, func(s string) string { return strings.Replace(s, ".", ".A", 1) }, "invalid_token"},
		"no signature":     {nil, func(s string) string { return s[:strings.Index(s, ".")] }, "invalid_token"},
		"nothing":          {nil, func(string) string { return "" }, "invalid_token"},
	} {
		t.Run(name, func(t *testing.T) {
			token := valid
			if c.change != nil {
				c.change(&token)
			}
			text := sign("secret", token)
			if c.spoil != nil {
				text = c.spoil(text)
			}
			got, err := verify("secret", text, now)
			var refused *web.Error
			if c.code == "" && (err != nil || *got != valid) {
				t.Errorf("%+v, %v", got, err)
			}
			if c.code != "" && (!errors.As(err, &refused) || refused.Code != c.code) {
				t.Errorf("%v, want %s", err, c.code)
			}
		})
	}
}

func TestTypeOf(t *testing.T) {
	for data, want := range map[string]string{
		"\xff\xd8\xff\xe0":             "image/jpeg",
		"\x89PNG\r\n\x1a\n":            "image/png",
		"RIFF\x00\x00\x00\x00WEBPVP8 ": "image/webp",
		"RIFF\x00\x00\x00\x00WAVE":     "",
		"GIF89a":                       "",
		"":                             "",
	} {
		if got := typeOf([]byte(data)); got != want {
			t.Errorf("typeOf(%q) = %q", data, got)
		}
	}
}

func TestConfig(t *testing.T) {
	env := map[string]string{
		"AZURE_TABLES_CONNECTION_STRING": "t", "AzureWebJobsStorage": "b",
		"MAGIC_LINK_SECRET": "a-secret-that-nobody-guesses", "STORAGE_MAX_RETRIES": "0", "LINKS_PER_CALLER": "7",
	}
	c, err := FromEnv(func(name string) string { return env[name] })
	if err != nil {
		t.Fatal(err)
	}
	if c.Container != "state" || c.Patience.MaxRetries != 0 || c.Patience.TryTimeout != 3*time.Second ||
		c.OpenAIModel != "gpt-4o-mini" || c.LinksPerAddress != linksPerAddress || c.LinksPerCaller != 7 {
		t.Errorf("%+v", c)
	}
	env["MAGIC_LINK_SECRET"], env["STORAGE_TRY_TIMEOUT"], env["AzureWebJobsStorage"] = "", "soon", "key=topsecret"
	_, err = FromEnv(func(name string) string { return env[name] })
	if err == nil || !strings.Contains(err.Error(), "MAGIC_LINK_SECRET") ||
		!strings.Contains(err.Error(), "STORAGE_TRY_TIMEOUT") ||
		strings.Contains(err.Error(), "topsecret") {
		t.Errorf("%v", err)
	}
	env["MAGIC_LINK_SECRET"], env["LINKS_PER_ADDRESS"] = "twenty-three-characters", "none"
	_, err = FromEnv(func(name string) string { return env[name] })
	if err == nil || !strings.Contains(err.Error(), "MAGIC_LINK_SECRET must have at least 24 characters") ||
		!strings.Contains(err.Error(), "LINKS_PER_ADDRESS must be a number from 1 to") ||
		strings.Contains(err.Error(), "twenty-three") {
		t.Errorf("%v", err)
	}
}
