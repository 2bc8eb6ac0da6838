package value

import (
	"encoding/base64"
	"strconv"
)

// MarshalJSON implements json.Marshaler.
func (it Item) MarshalJSON() ([]byte, error) { return it.AppendJSON(nil), nil }

// UnmarshalJSON implements json.Unmarshaler.
func (it *Item) UnmarshalJSON(text []byte) (err error) {
	*it, err = ParseItem(string(text))
	return err
}

// AppendJSON appends the item as DynamoDB's JSON, such as {"pk":{"S":"a"}}.
func (it Item) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	for i := range it {
		dst = AppendString(Comma(dst), it[i].Name)
		dst = append(dst, ':')
		dst = it[i].Value.AppendJSON(dst)
	}
	return append(dst, '}')
}

// AppendJSON appends the value as DynamoDB's JSON, such as {"N":"1"}.
func (v Value) AppendJSON(dst []byte) []byte {
	dst = appendDescriptor(dst, v.Kind)
	switch v.Kind {
	case S, N:
		dst = AppendString(dst, v.Text)
	case B:
		dst = appendBase64(dst, v.Text)
	case BOOL:
		dst = strconv.AppendBool(dst, v.Bool)
	case NULL:
		dst = append(dst, "true"...)
	case M:
		dst = v.Map.AppendJSON(dst)
	case SS, NS, BS, L:
		dst = append(dst, '[')
		for i := range v.List {
			dst = Comma(dst)
			switch v.Kind {
			case L:
				dst = v.List[i].AppendJSON(dst)
			case BS:
				dst = appendBase64(dst, v.List[i].Text)
			default:
				dst = AppendString(dst, v.List[i].Text)
			}
		}
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

// Comma appends a comma, unless an object or a list has just begun.
func Comma(dst []byte) []byte {
	if last := dst[len(dst)-1]; last == '{' || last == '[' {
		return dst
	}
	return append(dst, ',')
}

// appendDescriptor appends the beginning of a value: its brace, its type and, for all but Invalid, a colon.
func appendDescriptor(dst []byte, k Kind) []byte {
	if k == Invalid {
		return append(dst, '{')
	}
	dst = append(dst, '{', '"')
	dst = append(dst, k.String()...)
	return append(dst, '"', ':')
}

func appendBase64[T string | []byte](dst []byte, b T) []byte {
	dst = append(dst, '"')
	dst = base64.StdEncoding.AppendEncode(dst, []byte(b))
	return append(dst, '"')
}

const hexDigits = "0123456789abcdef"

// AppendString appends a JSON string.
func AppendString[T string | []byte](dst []byte, s T) []byte {
	dst = append(dst, '"')
	start := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue // a byte of a longer character, too: nothing but UTF-8 gets in
		}
		dst = append(dst, s[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}
