package value

import (
	"math/big"
	"strconv"
)

// Add returns n + m. The error is a Problem: the sum is out of range or has more than 38 digits.
func (n Number) Add(m Number) (Number, error) {
	low := min(n.last(), m.last())
	sum := new(big.Int).Add(n.scaled(low), m.scaled(low))
	if sum.Sign() == 0 {
		return Number{}, nil
	}
	out, problem := parseNumber(sum.String() + "e" + strconv.Itoa(low))
	if problem == precision {
		problem = overflow // as DynamoDB answers, although it is the precision that does not suffice
	}
	return out, problem.Err()
}

// Sub returns n - m, as Add.
func (n Number) Sub(m Number) (Number, error) {
	m.negative = !m.negative && m.n > 0
	return n.Add(m)
}

// last returns the exponent of the last digit.
func (n Number) last() int { return int(n.exponent) - int(n.n) + 1 }

// scaled returns the number in units of a power of 10.
func (n Number) scaled(exponent int) *big.Int {
	if n.n == 0 {
		return new(big.Int)
	}
	text := make([]byte, 0, maxDigits+1)
	if n.negative {
		text = append(text, '-')
	}
	for _, digit := range n.digits[:n.n] {
		text = append(text, '0'+digit)
	}
	for range n.last() - exponent {
		text = append(text, '0')
	}
	out, _ := new(big.Int).SetString(string(text), 10) // digits only
	return out
}
