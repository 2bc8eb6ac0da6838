package dynamodb

import (
	"cmp"
	"crypto/hmac"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/emulator/awssign"
)

// The signature is checked as in AWS's document "Signature Version 4 for API requests". The order of the checks and
// their words are those of AWS's services with JSON protocols.

const (
	serviceName = "dynamodb"
	// skew is how far the request's date may be from the server's.
	skew = 15 * time.Minute
)

// signature is an Authorization header.
type signature struct {
	accessKey, date, region, service, terminator string
	signed                                       []string // names of headers, as given
	given                                        string   // hexadecimal
	elements                                     int      // of the credential
	credential                                   string
}

func incomplete(format string, args ...any) error {
	return refuse(service+"IncompleteSignatureException", format, args...)
}

func wrongSignature(format string, args ...any) error {
	return refuse(service+"InvalidSignatureException", format, args...)
}

// authenticate returns whose request it is; only, if not empty, is the one access key that is known.
func (s *Service) authenticate(r *http.Request, body []byte, only string) (accountID, error) {
	header := r.Header.Get("Authorization")
	if s.options.NoAuth {
		id := accountID{cmp.Or(only, anonymousKey), defaultRegion}
		if sig, err := parseAuthorization(header); err == nil && sig.elements == 5 && sig.accessKey != "" {
			id.region = cmp.Or(sig.region, defaultRegion)
			id.accessKey = cmp.Or(only, sig.accessKey)
		}
		return id, nil
	}
	if !strings.HasPrefix(strings.TrimSpace(header), "AWS4-") {
		return accountID{}, refuse(service+"MissingAuthenticationTokenException",
			"Request is missing Authentication Token")
	}
	sig, err := parseAuthorization(header)
	if err != nil {
		return accountID{}, err
	}
	date, err := s.checkDate(r)
	if err != nil {
		return accountID{}, err
	}
	if err := sig.checkScope(date); err != nil {
		return accountID{}, err
	}
	secret, known := s.secret(sig.accessKey)
	if !known || only != "" && sig.accessKey != only {
		return accountID{}, refuse(service+"UnrecognizedClientException",
			"The security token included in the request is invalid.")
	}
	key := s.signing.of(sig, secret)
	canonical := awssign.Canonical(r, body, sig.signed)
	_, scope, _ := strings.Cut(sig.credential, "/")
	toSign := awssign.TextToSign(date, scope, canonical)
	want := awssign.Sum(key, toSign)
	given, err := hex.DecodeString(sig.given)
	if err != nil || !hmac.Equal(given, want) {
		return accountID{}, wrongSignature("The request signature we calculated does not match the signature you "+
			"provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for "+
			"details.\n\nThe Canonical String for this request should have been\n'%s'\n\n"+
			"The String-to-Sign should have been\n'%s'\n", canonical, toSign)
	}
	return accountID{sig.accessKey, sig.region}, nil
}

// parseAuthorization reads the header's parameters.
func parseAuthorization(header string) (sig signature, _ error) {
	scheme, rest, _ := strings.Cut(strings.TrimSpace(header), " ")
	given := map[string]string{}
	for _, pair := range strings.FieldsFunc(rest, func(c rune) bool { return c == ',' || c == ' ' }) {
		name, text, equals := strings.Cut(pair, "=")
		if !equals {
			return sig, incomplete("'%s' not a valid key=value pair (missing equal-sign) in Authorization "+
				"header: '%s'.",
				pair, header)
		}
		given[name] = text
	}
	var missing strings.Builder
	for _, name := range []string{"Credential", "Signature", "SignedHeaders"} {
		if given[name] == "" {
			missing.WriteString("Authorization header requires '" + name + "' parameter. ")
		}
	}
	if missing.Len() > 0 {
		return sig, incomplete("%sAuthorization=%s", missing.String(), header)
	}
	if scheme != awssign.Algorithm {
		return sig, incomplete("Unsupported AWS 'algorithm': '%s' (only %s for now). ", scheme, awssign.Algorithm)
	}
	sig.credential = strings.TrimRight(given["Credential"], "/")
	sig.signed = strings.Split(given["SignedHeaders"], ";")
	sig.given = given["Signature"]
	parts := strings.Split(sig.credential, "/")
	sig.elements = len(parts)
	if len(parts) != 5 {
		return sig, incomplete("Credential must have exactly 5 slash-delimited elements, e.g. "+
			"keyid/date/region/service/term, got '%s'", sig.credential)
	}
	sig.accessKey, sig.date, sig.region, sig.service, sig.terminator = parts[0], parts[1], parts[2], parts[3], parts[4]
	return sig, nil
}

// checkDate returns the request's date in ISO 8601's basic format.
func (s *Service) checkDate(r *http.Request) (string, error) {
	text := cmp.Or(r.Header.Get("X-Amz-Date"), r.Header.Get("Date"))
	if text == "" {
		return "", incomplete("Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. "+
			"Authorization=%s", r.Header.Get("Authorization"))
	}
	date, err := time.Parse(awssign.DateFormat, text)
	if err != nil {
		if date, err = http.ParseTime(text); err != nil {
			return "", incomplete("Date must be in ISO-8601 'basic format'. Got '%s'. "+
				"See http://en.wikipedia.org/wiki/ISO_8601", text)
		}
		text = date.UTC().Format(awssign.DateFormat)
	}
	now := s.options.Now().UTC()
	switch {
	case date.Before(now.Add(-skew)):
		return "", wrongSignature("Signature expired: %s is now earlier than %s (%s - 15 min.)", text,
			now.Add(-skew).Format(awssign.DateFormat), now.Format(awssign.DateFormat))
	case date.After(now.Add(skew)):
		return "", wrongSignature("Signature not yet current: %s is still later than %s (%s + 15 min.)", text,
			now.Add(skew).Format(awssign.DateFormat), now.Format(awssign.DateFormat))
	}
	return text, nil
}

// checkScope checks the signed headers and the credential's scope.
func (g signature) checkScope(date string) error {
	if !slices.ContainsFunc(g.signed, func(name string) bool { return strings.EqualFold(name, "host") }) {
		return wrongSignature("'Host' must be a 'SignedHeader' in the AWS Authorization.")
	}
	var wrong strings.Builder
	if !isRegion(g.region) {
		wrong.WriteString("Credential should be scoped to a valid region, not '" + g.region + "'. ")
	}
	if g.service != serviceName {
		wrong.WriteString("Credential should be scoped to correct service: 'dynamodb'. ")
	}
	if g.terminator != awssign.Terminator {
		wrong.WriteString("Credential should be scoped with a valid terminator: 'aws4_request', not '" +
			g.terminator + "'. ")
	}
	if g.date != date[:8] {
		wrong.WriteString("Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from " +
			"HTTP: '" +
			g.date + "' != '" + date[:8] + "', from '" + date + "'. ")
	}
	if wrong.Len() > 0 {
		return wrongSignature("%s", wrong.String())
	}
	return nil
}

// isRegion takes any region, AWS's own and made-up ones such as "local".
func isRegion(region string) bool {
	for i := range len(region) {
		if c := region[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return region != "" && len(region) <= 64
}

// signingKeys are the derived keys, which change once a day.
type signingKeys struct{ known sync.Map }

type signingKey struct{ accessKey, secret, date, region string }

func (k *signingKeys) of(sig signature, secret string) []byte {
	id := signingKey{sig.accessKey, secret, sig.date, sig.region}
	if key, ok := k.known.Load(id); ok {
		derived, _ := key.([]byte)
		return derived
	}
	key := awssign.DeriveKey(secret, sig.date, sig.region, sig.service)
	k.known.Range(func(old, _ any) bool { // yesterday's
		if o, ok := old.(signingKey); ok && o.date != id.date {
			k.known.Delete(old)
		}
		return true
	})
	k.known.Store(id, key)
	return key
}
