package c4lendar

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"time"
)

// crockford is the alphabet of ULIDs: their order as texts is that of the numbers.
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// refLength is how many characters of a uid people see.
const refLength = 8

var ofBytes = base32.NewEncoding(crockford)

// eventUID returns the uid of the event that an update creates: a ULID, whose first 10 characters are the time, and the
// other 16 stand for 10 bytes. The design draws those at random; here they follow from the update, so that one that is
// delivered again, even at once, creates the same event without asking KV what it has seen. Updates of one second have
// growing ids, and so have their uids.
func eventUID(at time.Time, chat string, update int64) string {
	var written [10]byte
	millis := uint64(at.UnixMilli())
	for i := range written {
		written[len(written)-1-i] = crockford[millis%32]
		millis /= 32
	}
	order := binary.BigEndian.AppendUint64(nil, uint64(update))[3:] // 5 bytes: Telegram's ids have 4
	hash := sha256.Sum256(fmt.Append(nil, chat, ":", update))
	return string(written[:]) + ofBytes.EncodeToString(append(order, hash[:5]...))
}
