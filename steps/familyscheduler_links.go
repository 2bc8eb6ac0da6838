package steps

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/cucumber/godog"
)

// hasExpiredLink keeps under {<name>Token} the token of a link the target would have made yesterday.
func (w *World) hasExpiredLink(name string) error {
	return w.hasLink(name, func(claims map[string]any) error { return antedate(claims, 24*time.Hour) })
}

// hasLinkFor keeps under {<name>Token} the token of a link that the target would have made for another purpose.
func (w *World) hasLinkFor(name, purpose string) error {
	return w.hasLink(name, func(claims map[string]any) error {
		if claims["purpose"] == nil {
			return errors.New("the target's tokens have no purpose")
		}
		claims["purpose"] = purpose
		return nil
	})
}

// hasLink keeps the token of a link of the target's, with other claims.
func (w *World) hasLink(name string, change func(claims map[string]any) error) error {
	link, err := w.requestLink(w.person(name))
	if err != nil {
		return err
	}
	changed, err := signedAgain(link.Token, w.lane.maker.Secret, change)
	if err != nil {
		return fmt.Errorf("%w: no such sign-in link can be made: %w", godog.ErrSkip, err)
	}
	w.kept[name+"Token"] = changed
	return nil
}

// signedAgain is a sign-in token with other claims: base64url(JSON with iat and exp) "." base64url(HMAC-SHA256). The error
// says why there is none: the token has another form, or the target has another secret than the run.
func signedAgain(token, secret string, change func(claims map[string]any) error) (string, error) {
	first, second, _ := strings.Cut(token, ".")
	if given, err := base64.RawURLEncoding.DecodeString(second); err != nil || !hmac.Equal(given, signed(first, secret)) {
		return "", fmt.Errorf("the target's tokens are not signed with the run's secret as the reference signs them")
	}
	content, err := base64.RawURLEncoding.DecodeString(first)
	if err != nil {
		return "", fmt.Errorf("the target's tokens are not base64url")
	}
	decoder := json.NewDecoder(strings.NewReader(string(content)))
	decoder.UseNumber()
	var claims map[string]any
	if err := decoder.Decode(&claims); err != nil {
		return "", fmt.Errorf("the target's tokens hold no JSON object")
	}
	if err := change(claims); err != nil {
		return "", err
	}
	first = base64.RawURLEncoding.EncodeToString([]byte(mustJSON(claims)))
	return first + "." + base64.RawURLEncoding.EncodeToString(signed(first, secret)), nil
}

// antedate makes claims what they would be had they been made that much earlier.
func antedate(claims map[string]any, by time.Duration) error {
	for _, name := range []string{"iat", "exp"} {
		number, _ := claims[name].(json.Number)
		at, err := number.Int64()
		if err != nil {
			return fmt.Errorf("the target's tokens have no %s in Unix seconds", name)
		}
		claims[name] = at - int64(by/time.Second)
	}
	return nil
}

func signed(text, secret string) []byte {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

func (w *World) opensLink(name, owner string) error {
	link, err := url.Parse(w.kept[owner+"Link"])
	if err != nil || link.String() == "" {
		return fmt.Errorf("%s has no sign-in link that can be opened", owner)
	}
	return w.browse(w.caller(name), http.MethodGet, link.RequestURI(), "")
}
