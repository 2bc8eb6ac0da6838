package value

import (
	"bytes"
	"cmp"
	"math"
	"strconv"
)

// Limits of numbers (Developer Guide, "Service, account, and table quotas": Number).
const (
	maxDigits   = 38
	maxExponent = 125  // of the first digit
	minExponent = -130 // of the first digit
)

// What DynamoDB answers to a number it refuses.
const (
	notNumeric Problem = "The parameter cannot be converted to a numeric value"
	overflow   Problem = "Number overflow. Attempting to store a number with magnitude larger than supported range"
	underflow  Problem = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
	precision  Problem = "Attempting to store more than 38 significant digits in a Number"
)

// Number is a decimal number of up to 38 significant digits. The zero Number is 0. Numbers compare with ==.
type Number struct {
	digits   [maxDigits]byte // 0 to 9; the first and the last significant digit are not 0
	n        uint8           // how many digits; 0: the number is 0
	negative bool
	exponent int16 // of the first digit: d.ddd × 10^exponent
}

// ParseNumber reads a number. The error is a Problem: no number, too many digits, or out of range.
func ParseNumber(s string) (Number, error) {
	number, problem := parseNumber(s)
	return number, problem.Err()
}

func parseNumber(s string) (Number, Problem) {
	var out Number
	sc, ok := scanNumber(s)
	if !ok {
		return out, notNumeric + Problem(": "+s)
	}
	if sc.significant == 0 {
		return out, outOfRange(sc.exponent - int64(sc.fraction))
	}
	first := sc.exponent + int64(sc.first)
	if problem := outOfRange(first); problem != "" {
		return out, problem
	}
	if sc.significant > maxDigits {
		return out, precision
	}
	out.negative, out.exponent, out.n = sc.negative, int16(first), uint8(sc.significant)
	i := 0
	for _, c := range []byte(s[sc.start:]) {
		if c == '.' {
			continue
		}
		out.digits[i] = c - '0'
		if i++; i == sc.significant {
			break
		}
	}
	return out, ""
}

func outOfRange(exponent int64) Problem {
	switch {
	case exponent > maxExponent:
		return overflow
	case exponent < minExponent:
		return underflow
	}
	return ""
}

// scan is what a scan of a number's text finds.
type scan struct {
	negative    bool
	start       int // of the first digit that is not 0, in the text
	first       int // its exponent, without the written exponent
	significant int // digits from the first to the last that is not 0
	fraction    int // digits after the point
	exponent    int64
}

// scanNumber reads an optional sign, digits with an optional point among them, and an optional exponent, which must
// fit 64 bits. Nothing else is a number: no spaces, no NaN, no hexadecimal digits.
func scanNumber(s string) (scan, bool) {
	var sc scan
	i := 0
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		sc.negative = s[i] == '-'
		i++
	}
	digits, point, seen, last := 0, -1, -1, 0
	for ; i < len(s); i++ {
		c := s[i]
		if c == '.' && point < 0 {
			point = digits
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		if c != '0' {
			if seen < 0 {
				seen, sc.start = digits, i
			}
			last = digits
		}
		digits++
	}
	if digits == 0 {
		return sc, false
	}
	if point < 0 {
		point = digits
	}
	sc.fraction = digits - point
	if seen >= 0 {
		sc.significant = last - seen + 1
		sc.first = point - 1 - seen
	}
	if i == len(s) {
		return sc, true
	}
	if s[i] != 'e' && s[i] != 'E' {
		return sc, false
	}
	var err error
	sc.exponent, err = strconv.ParseInt(s[i+1:], 10, 64)
	if err != nil || sc.exponent > math.MaxInt64/2 || sc.exponent < math.MinInt64/2 {
		return sc, false
	}
	return sc, true
}

// olderProblem is what the older of DynamoDB's two validation layers answers to a text that parseNumber refuses: it
// reads a number as Java's BigDecimal does, whose exponents have 32 bits.
func olderProblem(s string, current Problem) Problem {
	if s == "" {
		return notNumeric
	}
	sc, ok := scanNumber(s)
	switch {
	case !ok:
		return current
	case sc.exponent > math.MaxInt32 || sc.exponent <= math.MinInt32:
		return notNumeric + Problem(": "+s)
	case sc.exponent+int64(sc.significant) > math.MaxInt32:
		return underflow
	}
	return current
}

// Numeric returns a value of type N, or the Problem that DynamoDB has with the text.
func Numeric(s string) (Value, error) {
	v := numeric(s)
	return v, v.Problem()
}

// numeric returns a value of type N, or an Invalid one.
func numeric(s string) Value {
	if plainInteger(s) {
		return Value{Kind: N, Text: s}
	}
	number, problem := parseNumber(s)
	if problem != "" {
		return refused(problem, olderProblem(s, problem))
	}
	return Value{Kind: N, Text: number.String()}
}

// plainInteger says whether the text is an integer as DynamoDB writes it, which needs no further look.
func plainInteger(s string) bool {
	if s == "0" {
		return true
	}
	if len(s) > 0 && s[0] == '-' {
		s = s[1:]
	}
	if len(s) == 0 || len(s) > maxDigits || s[0] == '0' {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// Int returns a value of type N.
func Int(n int64) Value { return Value{Kind: N, Text: strconv.FormatInt(n, 10)} }

// String returns the number as DynamoDB writes it: without exponent, and without zeros that carry no value.
func (n Number) String() string {
	if n.n == 0 {
		return "0"
	}
	var buf [maxExponent - minExponent + maxDigits]byte
	out := buf[:0]
	if n.negative {
		out = append(out, '-')
	}
	exponent, count := int(n.exponent), int(n.n)
	if exponent < 0 {
		out = append(out, '0', '.')
		for range -exponent - 1 {
			out = append(out, '0')
		}
	}
	for i := range count {
		if i > 0 && i == exponent+1 {
			out = append(out, '.')
		}
		out = append(out, '0'+n.digits[i])
	}
	for range exponent + 1 - count {
		out = append(out, '0')
	}
	return string(out)
}

// Compare returns -1, 0 or 1.
func (n Number) Compare(m Number) int {
	switch {
	case n.sign() != m.sign():
		return cmp.Compare(n.sign(), m.sign())
	case n.n == 0:
		return 0
	}
	order := cmp.Compare(n.exponent, m.exponent)
	if order == 0 {
		order = bytes.Compare(n.digits[:], m.digits[:]) // missing digits are 0
	}
	return order * n.sign()
}

func (n Number) sign() int {
	switch {
	case n.n == 0:
		return 0
	case n.negative:
		return -1
	}
	return 1
}
