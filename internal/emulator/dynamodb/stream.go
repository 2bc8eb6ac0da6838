package dynamodb

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
	"github.com/storespec/storespec/internal/emulator/engine"
)

// Streams of tables (Developer Guide, "Change data capture for DynamoDB Streams"). A stream here has one shard.

// The values of StreamViewType.
const (
	viewKeys = "KEYS_ONLY"
	viewNew  = "NEW_IMAGE"
	viewOld  = "OLD_IMAGE"
	viewBoth = "NEW_AND_OLD_IMAGES"
)

// stream is a stream in use. Its records are numbered in the order in which writes of one item happen.
type stream struct {
	streamDefinition

	mu      sync.Mutex
	next    uint64
	pending []uint64 // numbers whose batch is not committed yet
}

func newStream(d streamDefinition) *stream { return &stream{streamDefinition: d, next: 1} }

// startStream adds a stream to a definition if the request wants one.
func (a *Account) startStream(d *definition, in *streamInput) {
	if in == nil || !*in.StreamEnabled {
		return
	}
	now := a.Now().UTC()
	label := now.Format("2006-01-02T15:04:05.000")
	for slices.ContainsFunc(d.Streams, func(s streamDefinition) bool { return s.Label == label }) {
		now = now.Add(time.Millisecond)
		label = now.Format("2006-01-02T15:04:05.000")
	}
	d.Streams = append(d.Streams, streamDefinition{Label: label, View: *in.StreamViewType, Enabled: true,
		Short: shortID(), Since: now})
}

// streamKey is the key of a record, or of all records if number is 0.
func (t *table) streamKey(space engine.Space, short string, number uint64) []byte {
	var raw [8]byte
	binary.BigEndian.PutUint64(raw[:], number)
	return engine.AppendPart(space.Key(nil, keyStreams, t.Short, short), raw[:])
}

// lastRecord returns the number of a stream's last record; 0: it has none.
func (a *Account) lastRecord(t *table, short string) (number uint64, _ error) {
	space := a.space.Data()
	lower, upper := space.Range(keyStreams, t.Short, short)
	it, err := a.engine.Iter(lower, upper)
	if err != nil {
		return 0, err
	}
	if it.Last() {
		if parts, err := space.Parts(it.Key()); err == nil && len(parts[3]) == 8 {
			number = binary.BigEndian.Uint64([]byte(parts[3]))
		}
	}
	return number, it.Close()
}

// rewind goes on after a record.
func (s *stream) rewind(last uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next = max(s.next, last+1)
}

// began returns the number of a record that is about to be written.
func (s *stream) began() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	number := s.next
	s.next++
	s.pending = append(s.pending, number)
	return number
}

func (s *stream) ended(number uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.Index(s.pending, number); i >= 0 {
		s.pending = slices.Delete(s.pending, i, i+1)
	}
}

// end is the first number that no reader may see yet: earlier ones are all committed.
func (s *stream) end() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.pending) > 0 {
		return slices.Min(s.pending)
	}
	return s.next
}

// record is a record of a stream before it has a number.
type record struct {
	table         *table
	stream        *stream
	before, after []byte // the JSON around the number
	number        uint64
	at            time.Time
}

// newRecord describes a write (API Reference, "Record", "StreamRecord").
func newRecord(a *Account, w *write, old value.Item) *record {
	r := &record{table: w.table, stream: w.table.stream, at: a.Now()}
	event := "MODIFY"
	switch {
	case w.stored == nil:
		event = "INSERT"
	case w.raw == nil:
		event = "REMOVE"
	}
	keys := w.table.keyItem(w.item)
	if w.item == nil {
		keys = w.table.keyItem(old)
	}
	b := append([]byte(`{"eventID":"`), uuid32()...)
	b = append(append(append(b, `","eventName":"`...), event...),
		`","eventVersion":"1.1","eventSource":"aws:dynamodb",`...)
	if w.expired {
		b = append(b, `"userIdentity":{"Type":"Service","PrincipalId":"dynamodb.amazonaws.com"},`...)
	}
	b = value.AppendString(append(b, `"awsRegion":`...), a.id.region)
	b = append(b, `,"dynamodb":{"ApproximateCreationDateTime":`...)
	b = strconv.AppendInt(b, r.at.Unix(), 10)
	b = keys.AppendJSON(append(b, `,"Keys":`...))
	size := keys.Size()
	if view := r.stream.View; w.raw != nil && (view == viewNew || view == viewBoth) {
		b = w.item.AppendJSON(append(b, `,"NewImage":`...))
		size += w.newSize()
	}
	if view := r.stream.View; w.stored != nil && (view == viewOld || view == viewBoth) {
		b = old.AppendJSON(append(b, `,"OldImage":`...))
		size += w.oldSize()
	}
	b = append(b, `,"SequenceNumber":"`...)
	r.before = b
	r.after = fmt.Appendf(nil, `","SizeBytes":%d,"StreamViewType":"%s"}}`, size, r.stream.View)
	return r
}

// keyItem returns the key attributes of an item.
func (t *table) keyItem(item value.Item) value.Item {
	var key value.Item
	for _, a := range item {
		if a.Name == t.schema.Partition || a.Name == t.schema.Sort {
			key = append(key, a)
		}
	}
	return key
}

func uuid32() string {
	id := uuid()
	return id[:8] + id[9:13] + id[14:18] + id[19:23] + id[24:]
}

// sequenceNumber is 21 digits.
func sequenceNumber(n uint64) string { return fmt.Sprintf("1%020d", n) }

func parseSequence(text string) (uint64, bool) {
	if len(text) != 21 || text[0] != '1' {
		return 0, false
	}
	n, err := strconv.ParseUint(text[1:], 10, 64)
	return n, err == nil
}

// number gives the records their numbers and puts them into the batch. The value is the time and the JSON.
func (s *staging) number() error {
	for _, r := range s.records {
		r.number = r.stream.began()
		b := binary.BigEndian.AppendUint64(nil, uint64(r.at.Unix()))
		b = append(append(append(b, r.before...), sequenceNumber(r.number)...), r.after...)
		if err := s.batch.Set(r.table.streamKey(s.space, r.stream.Short, r.number), b); err != nil {
			return err
		}
	}
	return nil
}
