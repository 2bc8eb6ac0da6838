package familyscheduler

import (
	"context"
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

	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/steps/pages"
)

// justExpired is how long ago a link expired that has expired: more than clocks differ, and less than any grace.
const justExpired = 5 * time.Second

// hasExpiredLink keeps under {<name>Token} the token of a link that was good until a moment ago.
func hasExpiredLink(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names,
	requests *scenario.Requests, name string) error {
	return hasLink(ctx, stage, people, names, requests, name, func(claims map[string]any) error {
		return expire(claims, time.Now().Add(-justExpired))
	})
}

// hasLinkFor keeps under {<name>Token} the token of a link that the target would have issued for another purpose.
func hasLinkFor(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names,
	requests *scenario.Requests, name, purpose string) error {
	return hasLink(ctx, stage, people, names, requests, name, func(claims map[string]any) error {
		if claims["purpose"] == nil {
			return errors.New("the server's tokens have no purpose")
		}
		claims["purpose"] = purpose
		return nil
	})
}

// hasLink keeps the token of one of the target's links, with changed claims.
func hasLink(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names,
	requests *scenario.Requests, name string, change func(claims map[string]any) error) error {
	link, err := requestLink(ctx, stage, names, requests, people.Person(name))
	if err != nil {
		return err
	}
	changed, err := signedAgain(link.Token, stage.Lane().Maker.Secret, change)
	if err != nil {
		return fmt.Errorf("%w: no such sign-in link can be made: %w", godog.ErrSkip, err)
	}
	names.Keep(name+"Token", changed)
	return nil
}

// signedAgain returns a sign-in token with changed claims: base64url(JSON with iat and exp) "." base64url(HMAC-SHA256).
// The error says why this is not possible: the token has another form, or the target does not use the run's secret.
func signedAgain(token, secret string, change func(claims map[string]any) error) (string, error) {
	first, second, _ := strings.Cut(token, ".")
	if given, err := base64.RawURLEncoding.DecodeString(second); err != nil ||
		!hmac.Equal(given, signed(first, secret)) {
		return "", fmt.Errorf("the server's tokens are not signed with the run's secret as the reference signs them")
	}
	content, err := base64.RawURLEncoding.DecodeString(first)
	if err != nil {
		return "", fmt.Errorf("the server's tokens are not base64url")
	}
	decoder := json.NewDecoder(strings.NewReader(string(content)))
	decoder.UseNumber()
	var claims map[string]any
	if err := decoder.Decode(&claims); err != nil {
		return "", fmt.Errorf("the server's tokens hold no JSON object")
	}
	if err := change(claims); err != nil {
		return "", err
	}
	first = base64.RawURLEncoding.EncodeToString([]byte(matching.MustJSON(claims)))
	return first + "." + base64.RawURLEncoding.EncodeToString(signed(first, secret)), nil
}

// expire changes claims to what they would be if they had been issued so that they expired at the given time.
func expire(claims map[string]any, at time.Time) error {
	times := map[string]int64{}
	for _, name := range []string{"iat", "exp"} {
		number, _ := claims[name].(json.Number)
		seconds, err := number.Int64()
		if err != nil {
			return fmt.Errorf("the server's tokens have no %s in Unix seconds", name)
		}
		times[name] = seconds
	}
	claims["iat"], claims["exp"] = at.Unix()-(times["exp"]-times["iat"]), at.Unix()
	return nil
}

func signed(text, secret string) []byte {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

func opensLink(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names,
	requests *scenario.Requests, name, owner string) error {
	text, _ := names.Kept(owner + "Link")
	link, err := url.Parse(text)
	if err != nil || link.String() == "" {
		return fmt.Errorf("%s has no sign-in link that can be opened", owner)
	}
	return pages.Browse(ctx, stage, requests, people.Caller(name), http.MethodGet, link.RequestURI(), "")
}
