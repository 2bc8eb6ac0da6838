package kv

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
	"unicode/utf8"
)

// problem is why a request is refused, in the words of the runtime's own KV where it has any. Each dialect has its
// own code for it.
type problem struct {
	status  int
	code    int // of the REST API
	message string
}

func (p *problem) Error() string { return p.message }

// The codes of the REST API, from the list that Cloudflare once published ("Workers KV: error codes"), which clients
// keep. docs/run/emulators.md says which of them are confirmed.
const (
	codeMethod         = 7001
	codeRoute          = 7003
	codeNoHeader       = 9106
	codeAuthentication = 10000
	codeUnavailable    = 10001
	codePage           = 10007
	codePerPage        = 10008
	codeNoKey          = 10009
	codeMalformed      = 10012 // a value, or a body
	codeNoNamespace    = 10013
	codeTitleTaken     = 10014
	codeNamespaces     = 10018 // too many of them
	codeTitle          = 10019
	codeTooOften       = 10022
	codeTooLarge       = 10024
	codeLimit          = 10028
	codeInvalid        = 10029
	codeKeyTooLong     = 10030
	codeExpiration     = 10033
	codeTTL            = 10034
	codeCursor         = 10041
	codeIllegalKey     = 10042
	codeMetadata       = 10047
)

func badRequest(format string, args ...any) *problem { return refused(codeInvalid, format, args...) }

// refused is status 400 with a code.
func refused(code int, format string, args ...any) *problem {
	return &problem{http.StatusBadRequest, code, fmt.Sprintf(format, args...)}
}

// checkKey refuses what no key may be.
func checkKey(key string) *problem {
	switch key {
	case "":
		return refused(codeIllegalKey, "Key names must not be empty")
	case ".", "..":
		return refused(codeIllegalKey, "Illegal key name %q. Please use a different name.", key)
	}
	if !utf8.ValidString(key) {
		return refused(codeIllegalKey, "Could not URL-decode key name")
	}
	return checkLength(key)
}

func checkLength(key string) *problem {
	if len(key) > maxKey {
		return &problem{http.StatusRequestURITooLong, codeKeyTooLong,
			fmt.Sprintf("UTF-8 encoded length of %d exceeds key length limit of %d.", len(key), maxKey)}
	}
	return nil
}

func checkValue(length int64) *problem {
	if length > maxValue {
		return &problem{http.StatusRequestEntityTooLarge, codeTooLarge,
			fmt.Sprintf("Value length of %d exceeds limit of %d.", length, maxValue)}
	}
	return nil
}

// checkMetadata refuses what is too large, or not JSON.
func checkMetadata(metadata []byte) *problem {
	if len(metadata) > maxMetadata {
		return &problem{http.StatusRequestEntityTooLarge, codeMetadata,
			fmt.Sprintf("Metadata length of %d exceeds limit of %d.", len(metadata), maxMetadata)}
	}
	if metadata != nil && !json.Valid(metadata) {
		return refused(codeMetadata, "Metadata is not JSON")
	}
	return nil
}

// expiry reads when a value expires: in ttl seconds, or at a time. "" is not given; if both are, ttl counts.
func expiry(now time.Time, at, ttl string) (time.Time, *problem) {
	refuse := func(name, given, why string) (time.Time, *problem) {
		code := codeExpiration
		if name == "expiration_ttl" {
			code = codeTTL
		}
		return time.Time{}, refused(code, "Invalid %s of %s. %s", name, given, why)
	}
	seconds := now.Unix()
	if ttl != "" {
		n, err := strconv.ParseInt(ttl, 10, 64)
		switch {
		case err != nil || n <= 0:
			return refuse("expiration_ttl", ttl, "Please specify integer greater than 0.")
		case n < minTTL:
			return refuse("expiration_ttl", ttl, fmt.Sprintf("Expiration TTL must be at least %d.", minTTL))
		case n > 1<<40:
			return refuse("expiration_ttl", ttl, "Please specify a smaller integer.")
		}
		return time.Unix(seconds+n, 0), nil
	}
	if at == "" {
		return time.Time{}, nil
	}
	n, err := strconv.ParseInt(at, 10, 64)
	switch {
	case err != nil || n <= seconds:
		return refuse("expiration", at,
			"Please specify integer greater than the current number of seconds since the UNIX epoch.")
	case n < seconds+minTTL:
		return refuse("expiration", at,
			fmt.Sprintf("Expiration times must be at least %d seconds in the future.", minTTL))
	}
	return time.Unix(n, 0), nil
}

// limitOf reads how many keys a page may have.
func limitOf(given, name string, least int) (int, *problem) {
	if given == "" {
		return maxList, nil
	}
	n, err := strconv.Atoi(given)
	switch {
	case err != nil || n < least:
		return 0, refused(codeLimit, "Invalid %s of %s. Please specify an integer greater than %d.", name, given,
			least-1)
	case n > maxList:
		return 0, refused(codeLimit, "Invalid %s of %s. Please specify an integer less than %d.", name, given, maxList)
	}
	return n, nil
}
