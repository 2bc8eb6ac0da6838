package c4lendar

import (
	"crypto/sha256"
	"strconv"
	"time"
)

// crockford is the alphabet of ULIDs: their order as texts is that of the numbers.
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// refLength is how many characters of a uid people are told.
const refLength = 8

const (
	bitsOfUpdate = 40 // Telegram's update ids have 31 or so
	bytesOfHash  = 5
)

// eventUID returns the uid of the event that an update creates: a ULID of 48 bits of time and 80 others. The design
// draws those at random; here they follow from the update, so that one that is delivered again, even at once, creates
// the same event without asking KV what it has seen. Updates of one millisecond have growing ids, and so have their
// uids.
func eventUID(at time.Time, chat string, update int64) string {
	hash := sha256.Sum256([]byte(chat + ":" + strconv.FormatInt(update, 10)))
	var bytes [16]byte
	millis := uint64(at.UnixMilli())
	for i := range 6 {
		bytes[i] = byte(millis >> (8 * (5 - i)))
	}
	low := uint64(update) & (1<<bitsOfUpdate - 1)
	for i := range 5 {
		bytes[6+i] = byte(low >> (8 * (4 - i)))
	}
	copy(bytes[16-bytesOfHash:], hash[:])
	return encodeULID(bytes)
}

// encodeULID writes 128 bits as 26 characters: the first stands for the 3 highest bits.
func encodeULID(bytes [16]byte) string {
	text := make([]byte, 26)
	for i := range text {
		var value int
		for bit := i*5 - 2; bit < i*5+3; bit++ { // 130 bits, of which the first 2 are 0
			value <<= 1
			if bit >= 0 && bytes[bit/8]&(0x80>>(bit%8)) != 0 {
				value |= 1
			}
		}
		text[i] = crockford[value]
	}
	return string(text)
}
