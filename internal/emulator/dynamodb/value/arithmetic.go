package value

// Positions of a fixed-point number that holds every Number: from the carry of the greatest to the last digit of the
// smallest.
const (
	lowest    = minExponent - maxDigits + 1
	positions = maxExponent + 1 - lowest + 1
)

// Add returns n + m. The error is a Problem: the sum is out of range or has more than 38 digits.
func (n Number) Add(m Number) (Number, error) {
	var sum [positions]int8 // of the powers of 10 from lowest on
	n.addTo(&sum)
	m.addTo(&sum)
	return fixed(&sum)
}

// Sub returns n - m, as Add.
func (n Number) Sub(m Number) (Number, error) {
	m.negative = !m.negative && m.n > 0
	return n.Add(m)
}

// addTo adds the digits to those of a sum, without carries.
func (n Number) addTo(sum *[positions]int8) {
	for i := range int(n.n) {
		digit := int8(n.digits[i])
		if n.negative {
			digit = -digit
		}
		sum[int(n.exponent)-i-lowest] += digit
	}
}

// fixed returns the number with these digits, of which each is between -18 and 18.
func fixed(sum *[positions]int8) (Number, error) {
	var out Number
	top := positions - 1
	for top >= 0 && sum[top] == 0 {
		top--
	}
	if top < 0 {
		return out, nil
	}
	// Digits of different signs come from numbers of different signs, and then none is beyond 9: the highest decides.
	if out.negative = sum[top] < 0; out.negative {
		for i := range sum {
			sum[i] = -sum[i]
		}
	}
	carry(sum)
	first, last := positions-1, 0
	for sum[first] == 0 {
		first--
	}
	for sum[last] == 0 {
		last++
	}
	exponent := first + lowest
	switch {
	case exponent > maxExponent:
		return Number{}, overflow
	case exponent < minExponent:
		return Number{}, underflow
	case first-last >= maxDigits:
		return Number{}, overflow // as DynamoDB answers, although it is the precision that does not suffice
	}
	out.exponent, out.n = int16(exponent), uint8(first-last+1)
	for i := range int(out.n) {
		out.digits[i] = byte(sum[first-i])
	}
	return out, nil
}

// carry brings every digit of a sum that is not negative into 0 to 9.
func carry(sum *[positions]int8) {
	var c int8
	for i := range sum {
		d := sum[i] + c
		c = 0
		for d < 0 {
			d += 10
			c--
		}
		for d > 9 {
			d -= 10
			c++
		}
		sum[i] = d
	}
}
