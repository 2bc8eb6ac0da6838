package value

import "errors"

// The first byte of a number's key. What follows is, for positive numbers, the exponent and the digits in pairs, each
// plus 1, ended by 0; for negative numbers the complement of the same.
const (
	keyNegative = 1
	keyZero     = 2
	keyPositive = 3
)

// AppendKey appends the value, an S, N or B, as bytes that compare as values of this type do. The bytes are not
// terminated: the key of an S or a B is its bytes, and so the keys of all values that begin with a prefix begin with
// the prefix's key.
func AppendKey(dst []byte, v Value) []byte {
	if v.Kind != N {
		return append(dst, v.Text...)
	}
	number, problem := parseNumber(v.Text)
	if problem != "" || number.n == 0 {
		return append(dst, keyZero)
	}
	start := len(dst)
	dst = append(dst, keyPositive, byte(int(number.exponent)-minExponent))
	for i := 0; i < int(number.n); i += 2 {
		pair := number.digits[i] * 10
		if i+1 < int(number.n) {
			pair += number.digits[i+1]
		}
		dst = append(dst, pair+1)
	}
	dst = append(dst, 0)
	if number.negative {
		dst[start] = keyNegative
		for i := start + 1; i < len(dst); i++ {
			dst[i] = ^dst[i]
		}
	}
	return dst
}

// KeyString is AppendKey as a string; for an S or a B it costs nothing.
func KeyString(v Value) string {
	if v.Kind != N {
		return v.Text
	}
	var buf [maxDigits/2 + 3]byte
	return string(AppendKey(buf[:0], v))
}

var errKey = errors.New("value: malformed key of a number")

// KeyValue returns the value of the kind that AppendKey wrote.
func KeyValue(kind Kind, key string) (Value, error) {
	if kind != N {
		return Value{Kind: kind, Text: key}, nil
	}
	if key == string(rune(keyZero)) {
		return Value{Kind: N, Text: "0"}, nil
	}
	var number Number
	if len(key) < 4 || len(key) > maxDigits/2+3 || key[0] != keyNegative && key[0] != keyPositive {
		return Value{}, errKey
	}
	flip := byte(0)
	if key[0] == keyNegative {
		number.negative, flip = true, 0xFF
	}
	number.exponent = int16(int(key[1]^flip) + minExponent)
	last := len(key) - 1
	for i := 2; i < last; i++ {
		pair := key[i] ^ flip
		if pair < 1 || pair > 100 {
			return Value{}, errKey
		}
		number.digits[number.n], number.digits[number.n+1] = (pair-1)/10, (pair-1)%10
		number.n += 2
	}
	if number.digits[number.n-1] == 0 {
		number.n--
	}
	if key[last]^flip != 0 || number.digits[0] == 0 || number.digits[number.n-1] == 0 {
		return Value{}, errKey
	}
	return Value{Kind: N, Text: number.String()}, nil
}
