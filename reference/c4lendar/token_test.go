package c4lendar

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"
)

const (
	testKey     = "0123456789abcdef0123456789abcdef-its-rest-is-not-used"
	testPrevKey = "fedcba9876543210fedcba9876543210"
)

func testVault(t *testing.T, current, previous string) *vault {
	t.Helper()
	v, err := newVault(current, previous)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The design's encryptToken wrote these, on Node 20's WebCrypto, with fixed IVs.
func TestWhatTheDesignsJavaScriptWroteIsRead(t *testing.T) {
	v := testVault(t, testKey, testPrevKey)
	for stored, want := range map[string]string{
		"AAsWISw3Qk1YY2555AsQnRFqGpq3J8xcj0vXLQ==":                                    "",
		"JTA7RlFcZ3J9iJOe9xLxp4U3T+AGm9rcYellwdtLAwVKFtvpWtdN6SAJS7K5aMpbR2KuA8g=":    "1//0gRefreshToken-abc_DEF",
		"SlVga3aBjJeirbjDOKWkBOn3Vh+W7aNultV2dO0=":                                    "a",
		"b3qFkJumsbzH0t3oMZAhK682RvyjPTADkzmBhVxwqNfCSBQN2GeJpfwM":                    "Grüße 🙂 \x00",
		"TVhjbnmEj5qlsLvG10DttWimtR27EQKNwxWdsZy+ob74Mw==" /* by the previous key */ : "1//old",
	} {
		token, old, err := v.decrypt(stored)
		if err != nil || token != want || old != (want == "1//old") {
			t.Errorf("%s: %q, %v, %v", stored, token, old, err)
		}
	}
}

func TestEncryptionIsReadBack(t *testing.T) {
	v := testVault(t, testKey, "")
	seen := map[string]bool{}
	for range 1000 {
		stored := v.encrypt("1//token")
		if token, old, err := v.decrypt(stored); token != "1//token" || old || err != nil {
			t.Fatalf("%q, %v, %v", token, old, err)
		}
		data, err := base64.StdEncoding.DecodeString(stored)
		if err != nil || len(data) != 12+len("1//token")+16 {
			t.Fatalf("%d bytes: %v", len(data), err)
		}
		if iv := string(data[:12]); seen[iv] {
			t.Fatal("an IV is used twice")
		} else {
			seen[iv] = true
		}
	}
}

func TestAChangedByteIsNotDecrypted(t *testing.T) {
	v := testVault(t, testKey, testPrevKey)
	stored := v.encrypt("1//token")
	data, _ := base64.StdEncoding.DecodeString(stored)
	for i := range data {
		data[i] ^= 1
		token, _, err := v.decrypt(base64.StdEncoding.EncodeToString(data))
		if !errors.Is(err, errUnreadable) || token != "" {
			t.Errorf("byte %d: %q, %v", i, token, err)
		}
		data[i] ^= 1
	}
	for _, wrong := range []string{"", "AAAA", "not base64", strings.TrimRight(stored, "=") + "!"} {
		if _, _, err := v.decrypt(wrong); !errors.Is(err, errUnreadable) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}

func TestKeysThatAreRefused(t *testing.T) {
	for name, c := range map[string]struct{ current, previous, says string }{
		"31 characters":          {testKey[:31], "", "ENCRYPTION_KEY has fewer than 32"},
		"none":                   {"", "", "ENCRYPTION_KEY has fewer than 32"},
		"not ASCII":              {"ü" + testKey, "", "ENCRYPTION_KEY has characters"},
		"not ASCII, further on":  {testKey + "ü", "", "ENCRYPTION_KEY has characters"},
		"a short one before":     {testKey, "short", "ENCRYPTION_KEY_PREVIOUS has fewer than 32"},
		"one of 32 characters":   {testKey[:32], "", ""},
		"and another one before": {testKey, testPrevKey, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := newVault(c.current, c.previous)
			if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Error(err)
			}
			if err != nil && c.current != "" && strings.Contains(err.Error(), c.current) {
				t.Error("the error quotes the key")
			}
		})
	}
}
