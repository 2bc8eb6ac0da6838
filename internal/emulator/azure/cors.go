package azure

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// corsRules is the element Cors of the service properties.
// https://learn.microsoft.com/rest/api/storageservices/cross-origin-resource-sharing--cors--support-for-the-azure-storage-services
type corsRules struct {
	Rules []corsRule `xml:"CorsRule"`
}

type corsRule struct {
	AllowedOrigins  string
	AllowedMethods  string
	MaxAgeInSeconds int
	ExposedHeaders  string
	AllowedHeaders  string
}

func (c *corsRules) check() *Problem {
	if len(c.Rules) > maxCorsRules {
		return InvalidXML()
	}
	for _, r := range c.Rules {
		switch {
		case r.AllowedOrigins == "":
			return invalidNode("AllowedOrigins", "")
		case r.AllowedMethods == "":
			return invalidNode("AllowedMethods", "")
		case r.MaxAgeInSeconds < 0:
			return invalidNode("MaxAgeInSeconds", strconv.Itoa(r.MaxAgeInSeconds))
		}
		for method := range items(r.AllowedMethods) {
			if !slices.Contains([]string{"DELETE", "GET", "HEAD", "MERGE", "POST", "OPTIONS", "PUT", "PATCH"}, method) {
				return invalidNode("AllowedMethods", r.AllowedMethods)
			}
		}
	}
	return nil
}

// isPreflight reports whether a browser asks what a page may do; such a request has no signature.
func isPreflight(req *Request) bool { return req.HTTP.Method == http.MethodOptions }

// cors adds the headers of the first matching rule to the answer to a page's request. A preflight request without a
// match is refused; any other is answered, and the browser withholds the answer from the page. A cache has to keep the
// answers to different origins apart as soon as there is a rule, unless one for all of them matched.
func (f *Front) cors(h http.Header, req *Request) *Problem {
	preflight, origin := isPreflight(req), req.HTTP.Header.Get("Origin")
	if origin == "" {
		if preflight {
			return MissingHeader("Origin")
		}
		return nil
	}
	set, err := f.properties(req.Account)
	if err != nil {
		return f.broken("read CORS rules", err)
	}
	var rules []corsRule
	if set.Cors != nil {
		rules = set.Cors.Rules
	}
	method := req.HTTP.Method
	if preflight {
		if method = req.HTTP.Header.Get("Access-Control-Request-Method"); method == "" {
			return MissingHeader("Access-Control-Request-Method")
		}
	}
	asked := req.HTTP.Header.Get("Access-Control-Request-Headers")
	i := slices.IndexFunc(rules, func(r corsRule) bool { return r.matches(origin, method, asked) })
	if i < 0 {
		if !preflight {
			varyByOrigin(h, method, len(rules) > 0)
			return nil
		}
		return NewProblem(http.StatusForbidden, "CorsPreflightFailure",
			"CORS not enabled or no matching rule found for this request.")
	}
	rule := rules[i]
	if rule.AllowedOrigins == "*" {
		h.Set("Access-Control-Allow-Origin", "*")
	} else {
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Access-Control-Allow-Credentials", "true")
		varyByOrigin(h, method, !preflight)
	}
	if !preflight {
		if rule.ExposedHeaders != "" {
			h.Set("Access-Control-Expose-Headers", rule.ExposedHeaders)
		}
		return nil
	}
	h.Set("Access-Control-Allow-Methods", method)
	if asked != "" {
		h.Set("Access-Control-Allow-Headers", asked)
	}
	h.Set("Access-Control-Max-Age", strconv.Itoa(rule.MaxAgeInSeconds))
	return nil
}

// varyByOrigin sets Vary, but not for methods whose answers no cache keeps.
func varyByOrigin(h http.Header, method string, varies bool) {
	if varies && (method == http.MethodGet || method == http.MethodHead) {
		h.Set("Vary", "Origin")
	}
}

// matches compares the method case-sensitively, origin and header names case-insensitively.
func (r corsRule) matches(origin, method, headers string) bool {
	if !contains(r.AllowedOrigins, func(allowed string) bool { return originMatches(allowed, origin) }) {
		return false
	}
	if !contains(r.AllowedMethods, func(m string) bool { return m == method }) {
		return false
	}
	for header := range items(headers) {
		if !contains(r.AllowedHeaders, func(allowed string) bool { return headerMatches(allowed, header) }) {
			return false
		}
	}
	return true
}

// originMatches reports whether an origin is allowed: "*" allows all, and "*." before a domain allows its subdomains.
func originMatches(allowed, origin string) bool {
	if allowed == "*" || strings.EqualFold(allowed, origin) {
		return true
	}
	scheme, domain, wild := strings.Cut(allowed, "*.")
	if !wild || len(origin) < len(scheme)+len(domain)+2 || !strings.EqualFold(origin[:len(scheme)], scheme) {
		return false
	}
	host := origin[len(scheme):]
	if scheme == "" {
		_, host, _ = strings.Cut(host, "://")
	}
	at := len(host) - len(domain) - 1
	return at > 0 && host[at] == '.' && strings.EqualFold(host[at+1:], domain) &&
		!strings.ContainsAny(host[:at], "/:@")
}

// headerMatches reports whether a header is allowed; an allowed header may end with a star, which matches any suffix.
func headerMatches(allowed, header string) bool {
	if start, ok := strings.CutSuffix(allowed, "*"); ok {
		return len(header) >= len(start) && strings.EqualFold(header[:len(start)], start)
	}
	return strings.EqualFold(allowed, header)
}

func contains(list string, is func(string) bool) bool {
	for item := range items(list) {
		if is(item) {
			return true
		}
	}
	return false
}

// items splits a list at its commas and drops empty items.
func items(list string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for item := range strings.SplitSeq(list, ",") {
			if item = strings.TrimSpace(item); item != "" && !yield(item) {
				return
			}
		}
	}
}
