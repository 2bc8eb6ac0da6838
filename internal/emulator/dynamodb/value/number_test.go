package value

import (
	"bytes"
	"cmp"
	"errors"
	"math/big"
	"strings"
	"testing"
)

func TestParseNumber(t *testing.T) {
	nines := "9.9999999999999999999999999999999999999"
	for _, c := range []struct{ text, want, problem string }{
		{"0", "0", ""},
		{"-0", "0", ""},
		{"00042", "42", ""},
		{"0042.1200", "42.12", ""},
		{"1.0", "1", ""},
		{"+1.5E2", "150", ""},
		{"-1.5e-2", "-0.015", ""},
		{".5", "0.5", ""},
		{"5.", "5", ""},
		{"100", "100", ""},
		{"12345678901234567890123456789012345678", "12345678901234567890123456789012345678", ""},
		{nines + "E+125", strings.Repeat("9", 38) + strings.Repeat("0", 88), ""},
		{"-" + nines + "E125", "-" + strings.Repeat("9", 38) + strings.Repeat("0", 88), ""},
		{"1E-130", "0." + strings.Repeat("0", 129) + "1", ""},
		{"0e125", "0", ""},
		{"", "", string(notNumeric) + ": "},
		{"abc", "", string(notNumeric) + ": abc"},
		{"1.2.3", "", string(notNumeric) + ": 1.2.3"},
		{" 1", "", string(notNumeric) + ":  1"},
		{"1 ", "", string(notNumeric) + ": 1 "},
		{"0x10", "", string(notNumeric) + ": 0x10"},
		{"1e", "", string(notNumeric) + ": 1e"},
		{"-", "", string(notNumeric) + ": -"},
		{"NaN", "", string(notNumeric) + ": NaN"},
		{"1e9223372036854775808", "", string(notNumeric) + ": 1e9223372036854775808"},
		{"1e126", "", string(overflow)},
		{"0e126", "", string(overflow)},
		{"1e2147483648", "", string(overflow)},
		{"-1e99999999999", "", string(overflow)},
		{"1e-131", "", string(underflow)},
		{"0e-131", "", string(underflow)},
		{"1e-99999999999", "", string(underflow)},
		{"123456789012345678901234567890123456789", "", string(precision)},
		{"1.23456789012345678901234567890123456789", "", string(precision)},
	} {
		number, err := ParseNumber(c.text)
		if c.problem != "" {
			if err == nil || err.Error() != c.problem {
				t.Errorf("ParseNumber(%q) = %v, %v; want the problem %q", c.text, number, err, c.problem)
			}
			continue
		}
		if err != nil || number.String() != c.want {
			t.Errorf("ParseNumber(%q) = %v, %v; want %s", c.text, number, err, c.want)
		}
		if v, err := Numeric(c.text); err != nil || v.Text != c.want {
			t.Errorf("Numeric(%q) = %v, %v; want %s", c.text, v, err, c.want)
		}
	}
}

// The older wording, as BatchWriteItem was recorded with it.
func TestOlderProblem(t *testing.T) {
	for text, want := range map[string]string{
		"abc":          string(notNumeric) + ": abc",
		"":             string(notNumeric),
		"1e126":        string(overflow),
		"1e2147483647": string(underflow),
	} {
		v, _ := Numeric(text)
		if err := v.OlderProblem(); err == nil || err.Error() != want {
			t.Errorf("the older problem with %q is %v; want %q", text, err, want)
		}
	}
}

func TestArithmetic(t *testing.T) {
	nines := strings.Repeat("9", 38)
	for _, c := range []struct{ a, b, sum, difference string }{
		{"1", "2", "3", "-1"},
		{"0", "-5", "-5", "5"},
		{"0.1", "0.2", "0.3", "-0.1"},
		{"99", "1", "100", "98"},
		{"-1.5", "1.5", "0", "-3"},
		{"10", "9", "19", "1"},
		{nines, "1", "1" + strings.Repeat("0", 38), strings.Repeat("9", 37) + "8"},
		{"1e38", "0.1", string(overflow), string(overflow)},
		{nines + "e88", nines + "e88", string(overflow), "0"},
		{"1e-130", "-9e-130", "-0." + strings.Repeat("0", 129) + "8", "0." + strings.Repeat("0", 128) + "1"},
		{"1.1e-130", "1e-130", "0." + strings.Repeat("0", 129) + "21", string(underflow)},
	} {
		a, errA := ParseNumber(c.a)
		b, errB := ParseNumber(c.b)
		if errA != nil || errB != nil {
			if c.sum == string(overflow) {
				a, _ = ParseNumber("9e125")
				b = a
			} else {
				t.Fatal(errA, errB)
			}
		}
		if got := outcome(a.Add(b)); got != c.sum {
			t.Errorf("%s + %s = %s; want %s", c.a, c.b, got, c.sum)
		}
		if got := outcome(a.Sub(b)); got != c.difference {
			t.Errorf("%s - %s = %s; want %s", c.a, c.b, got, c.difference)
		}
	}
}

func outcome(n Number, err error) string {
	if err != nil {
		return err.Error()
	}
	return n.String()
}

// The costs that were measured with items at the limit of 400 KB.
func TestNumberSize(t *testing.T) {
	for text, want := range map[string]int{
		"0": 1, "1": 2, "12": 2, "123": 3, "1234": 3, "12345678901234567890123456789012345678": 20, "0042": 2, "100": 2,
		"1010": 3, "0.0000001": 2, "1E125": 2, "1E-100": 2, "1.5": 3, "15": 2, "1.2": 3, "1.200": 3, "1.234": 4,
		"3.14159": 5, "123456": 4, "100.5": 4, "0.15": 2, "-42": 3, "-0": 1,
	} {
		if v, err := Numeric(text); err != nil || v.Size() != want {
			t.Errorf("the size of %s is %d, %v; want %d", text, v.Size(), err, want)
		}
	}
}

func TestNumberOrder(t *testing.T) {
	ascending := []string{
		"-1e125", "-1000", "-123.4", "-123.39", "-12.5", "-12", "-1.01", "-1", "-0.5", "-0.05", "-1e-130", "0",
		"1e-130",
		"0.05", "0.5", "1", "1.01", "1.1", "2", "9.99", "10", "12", "12.5", "123", "99999", "1e125",
	}
	for i, a := range ascending {
		for j, b := range ascending {
			checkOrder(t, a, b, cmp.Compare(i, j))
		}
	}
}

func checkOrder(t *testing.T, a, b string, want int) {
	t.Helper()
	x, errX := Numeric(a)
	y, errY := Numeric(b)
	if errX != nil || errY != nil {
		t.Fatal(errX, errY)
	}
	if got, ok := Compare(x, y); !ok || got != want {
		t.Errorf("Compare(%s, %s) = %d; want %d", a, b, got, want)
	}
	if got := bytes.Compare(AppendKey(nil, x), AppendKey(nil, y)); got != want {
		t.Errorf("the keys of %s and %s compare %d; want %d", a, b, got, want)
	}
	p, _ := ParseNumber(a)
	q, _ := ParseNumber(b)
	if got := p.Compare(q); got != want {
		t.Errorf("%s.Compare(%s) = %d; want %d", a, b, got, want)
	}
	if back, err := KeyValue(N, KeyString(x)); err != nil || back.Text != x.Text {
		t.Errorf("KeyValue of the key of %s = %v, %v", a, back, err)
	}
}

// FuzzNumber compares numbers with those of math/big.
func FuzzNumber(f *testing.F) {
	for _, s := range strings.Fields("0 -1.5e3 1e-130 123456789.987654321 9e125 abc 1e9999999999 -0.0e5") {
		f.Add(s, "1")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		x, err := ParseNumber(a)
		if err != nil {
			if !errors.As(err, new(Problem)) {
				t.Errorf("ParseNumber(%q) fails with %T", a, err)
			}
			return
		}
		y, err := ParseNumber(b)
		if err != nil {
			return
		}
		p, q := rational(t, a), rational(t, b)
		if rational(t, x.String()).Cmp(p) != 0 {
			t.Errorf("%q is read as %s", a, x)
		}
		if again, err := ParseNumber(x.String()); err != nil || again != x {
			t.Errorf("%s is read as %v, %v", x, again, err)
		}
		checkOrder(t, a, b, p.Cmp(q))
		if sum, err := x.Add(y); err == nil && rational(t, sum.String()).Cmp(new(big.Rat).Add(p, q)) != 0 {
			t.Errorf("%s + %s = %s", x, y, sum)
		}
		if d, err := x.Sub(y); err == nil && rational(t, d.String()).Cmp(new(big.Rat).Sub(p, q)) != 0 {
			t.Errorf("%s - %s = %s", x, y, d)
		}
	})
}

func rational(t *testing.T, s string) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		t.Fatalf("%q is no number", s)
	}
	return r
}
