package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/verify"
)

// class returns the style class for an outcome or a verdict.
func class(outcome any) string { return strings.ReplaceAll(fmt.Sprint(outcome), " ", "-") }

// digest returns the source expression of a style or a script in a policy (CSP Level 3, section 2.3.1).
func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return base64.StdEncoding.EncodeToString(sum[:])
}

// sign is what an outcome looks like in a tab.
type sign struct{ Mark, color, path string }

func signOf(outcome verify.Outcome) sign {
	switch outcome {
	case verify.Passed, verify.KnownFailing:
		return sign{"✓", "#1a6b3c", "M9 17l5 5L24 11"}
	case verify.Skipped, verify.Unfinished:
		return sign{"–", "#566073", "M9 16h14"}
	case verify.OverBudget, verify.Unclear, verify.Fixed:
		return sign{"✗", "#8a5200", "M11 11l10 10M21 11L11 21"}
	}
	return sign{"✗", "#b3261e", "M11 11l10 10M21 11L11 21"}
}

// icon returns an image as an address (RFC 2397).
func (s sign) icon() template.URL {
	return template.URL("data:image/svg+xml," + url.PathEscape( //nolint:gosec // of constants
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="15" fill="`+s.color+
			`"/><path d="`+s.path+`" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round"/></svg>`))
}

// longestLine is how long a JSON text may be to stay on its line, in bytes.
const longestLine = 60

// pretty breaks a long JSON text into lines; any other text stays as it is.
func pretty(text string) string {
	var indented bytes.Buffer
	if len(text) <= longestLine || json.Indent(&indented, []byte(text), "", "  ") != nil {
		return text
	}
	return indented.String()
}

// milli formats a duration in milliseconds.
func milli(d time.Duration) string {
	if d >= 10*time.Millisecond {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.2g ms", float64(d)/float64(time.Millisecond))
}

// longID matches a digest or the like: no one reads it to the end.
var longID = regexp.MustCompile(`[0-9a-fA-F]{8}(?:-?[0-9a-fA-F]{4,}){2,}|[0-9A-Z]{26}`)

func shortened(s string) string {
	return longID.ReplaceAllStringFunc(s, func(id string) string { return id[:8] + "…" })
}
