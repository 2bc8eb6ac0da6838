package actions

import (
	"bytes"
	"math"
	"strconv"
)

// number reads a number (RFC 8259, section 6) and copies it as spelled.
func (s *strict) number() error {
	from := s.at
	if s.peek() == '-' {
		s.at++
	}
	if s.peek() == '0' {
		s.at++
	} else if !s.digits() {
		return errSyntax
	}
	if s.peek() == '.' {
		s.at++
		if !s.digits() {
			return errSyntax
		}
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.at++
		if c := s.peek(); c == '+' || c == '-' {
			s.at++
		}
		if !s.digits() {
			return errSyntax
		}
	}
	spelled := s.in[from:s.at]
	if !exact(spelled) {
		return errNumber
	}
	s.out = append(s.out, spelled...)
	return nil
}

// digits skips digits; it returns false when there are none.
func (s *strict) digits() bool {
	from := s.at
	for '0' <= s.peek() && s.peek() <= '9' {
		s.at++
	}
	return s.at > from
}

// maxExactDigits: the exact decimal value of a double has at most 767 significant digits.
const maxExactDigits = 767

// exact reports whether a double represents a number as spelled: it is the number that the double's shortest spelling
// means, such as 0.1, or the double's exact value to the last digit, such as 9007199254740992.
func exact(spelled []byte) bool {
	number := decimalOf(spelled)
	if len(number.digits) <= 15 && -300 < number.point && number.point < 300 {
		return true // every decimal of 15 digits comes back from a double unchanged
	}
	double, err := strconv.ParseFloat(string(spelled), 64)
	if err != nil { // beyond the largest
		return false
	}
	if number.equal(decimalOf(strconv.AppendFloat(nil, double, 'e', -1, 64))) {
		return true
	}
	return len(number.digits) <= maxExactDigits &&
		number.equal(decimalOf(strconv.AppendFloat(nil, double, 'e', maxExactDigits-1, 64)))
}

// decimal is 0.digits × 10^point, without its sign; zero has no digits.
type decimal struct {
	digits []byte // without leading or trailing zeros
	point  int
}

func (d decimal) equal(other decimal) bool {
	return bytes.Equal(d.digits, other.digits) && d.point == other.point
}

// decimalOf parses a number in JSON's syntax, or in strconv's format e.
func decimalOf(spelled []byte) decimal {
	mantissa, exponent := spelled, 0
	if e := bytes.IndexAny(spelled, "eE"); e >= 0 {
		mantissa, exponent = spelled[:e], exponentOf(spelled[e+1:])
	}
	mantissa = bytes.TrimPrefix(mantissa, []byte("-"))
	whole, fraction, _ := bytes.Cut(mantissa, []byte("."))
	digits := append(append(make([]byte, 0, len(mantissa)), whole...), fraction...)
	significant := bytes.TrimLeft(digits, "0")
	point := len(whole) - (len(digits) - len(significant)) + exponent
	significant = bytes.TrimRight(significant, "0")
	if len(significant) == 0 {
		return decimal{}
	}
	return decimal{significant, point}
}

// exponentOf parses an exponent; one that does not fit in an int is clamped.
func exponentOf(spelled []byte) int {
	exponent, err := strconv.ParseInt(string(spelled), 10, 32)
	if err != nil && spelled[0] == '-' {
		return math.MinInt32
	}
	if err != nil {
		return math.MaxInt32
	}
	return int(exponent)
}
