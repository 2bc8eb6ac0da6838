package actions

import (
	"bytes"
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

// maxExactDigits is more than the exact decimal value of any double has, which is at most 767 significant digits.
const maxExactDigits = 768

// exact reports whether a double represents a number as spelled: it is the number that the double's shortest spelling
// means, such as 0.1, or the double's exact value to the last digit, such as 1180591620717411303424. It is enough to
// compare the digits: a double is never ten times as large, or as small, as the number it is nearest to.
func exact(spelled []byte) bool {
	double, _ := strconv.ParseFloat(string(spelled), 64)  // infinite, which has no digits, beyond the largest
	for _, precision := range []int{-1, maxExactDigits} { // -1: the shortest
		if bytes.Equal(significant(strconv.AppendFloat(nil, double, 'e', precision, 64)), significant(spelled)) {
			return true
		}
	}
	return false
}

// significant returns the digits of a number, in JSON's syntax or in strconv's format e, without zeros at either end.
func significant(spelled []byte) []byte {
	mantissa, _, _ := bytes.Cut(bytes.ToLower(spelled), []byte("e"))
	return bytes.Trim(bytes.ReplaceAll(mantissa, []byte("."), nil), "-0")
}
