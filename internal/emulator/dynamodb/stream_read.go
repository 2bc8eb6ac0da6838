package dynamodb

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

const (
	shardID = "shardId-00000000000000000000-00000001"
	// recordsKept is how long records can be read, iteratorLife how long an iterator can be used.
	recordsKept  = 24 * time.Hour
	iteratorLife = 15 * time.Minute
	maxRecords   = 1000
	maxRecordsB  = 1 << 20
)

// streamOf returns a stream by its ARN.
func (a *Account) streamOf(arn string) (*table, *streamDefinition, error) {
	if parts := strings.SplitN(arn, ":", 6); len(parts) == 6 && parts[3] == a.id.region {
		if path := strings.SplitN(parts[5], "/", 4); len(path) == 4 && path[0] == "table" && path[2] == "stream" {
			if t := a.tables[path[1]]; t != nil {
				for i := range t.Streams {
					if t.Streams[i].Label == path[3] {
						return t, &t.Streams[i], nil
					}
				}
			}
		}
	}
	return nil, nil, refuse(kindNotFound, "Requested resource not found: Stream: %s not found", arn)
}

// firstRecord is the number of a stream's first record.
const firstRecord = uint64(1)

// streamEnd returns the first number that no reader of a stream may see.
func (a *Account) streamEnd(t *table, s *streamDefinition) uint64 {
	if t.stream != nil && t.stream.Label == s.Label {
		return t.stream.end()
	}
	last, _ := a.lastRecord(t, s.Short) // the reader of the records sees what is wrong
	return last + 1
}

func listStreams(c *call) error {
	var in struct {
		TableName, ExclusiveStartStreamArn *string
		Limit                              *int64
	}
	if err := decode(c.body, &in); err != nil {
		return err
	}
	var found checks
	limit := found.limit(in.Limit, maxListed)
	if p := found.problem(); p != nil {
		return p
	}
	type listed struct{ StreamArn, StreamLabel, TableName string }
	all := []listed{}
	a := c.account
	for _, name := range slices.Sorted(maps.Keys(a.tables)) {
		if in.TableName != nil && tableNameOf(*in.TableName) != name {
			continue
		}
		for _, s := range a.tables[name].Streams {
			arn := a.streamARN(name, s.Label)
			if in.ExclusiveStartStreamArn == nil || arn > *in.ExclusiveStartStreamArn {
				all = append(all, listed{arn, s.Label, name})
			}
		}
	}
	out := map[string]any{"Streams": all}
	if int64(len(all)) > limit {
		out["Streams"], out["LastEvaluatedStreamArn"] = all[:limit], all[limit-1].StreamArn
	}
	return c.json(out)
}

func describeStream(c *call) error {
	var in struct {
		StreamArn, ExclusiveStartShardID *string
		Limit                            *int64
	}
	if err := decode(c.body, &in); err != nil {
		return err
	}
	var found checks
	found.present(in.StreamArn, "streamArn")
	found.limit(in.Limit, maxListed)
	if p := found.problem(); p != nil {
		return p
	}
	t, s, err := c.account.streamOf(*in.StreamArn)
	if err != nil {
		return err
	}
	first, end := firstRecord, c.account.streamEnd(t, s)
	status, numbers := "ENABLED", map[string]string{"StartingSequenceNumber": sequenceNumber(first)}
	if !s.Enabled {
		status, numbers["EndingSequenceNumber"] = "DISABLED", sequenceNumber(max(first, end-1))
	}
	shards := []map[string]any{{"ShardId": shardID, "SequenceNumberRange": numbers}}
	if in.ExclusiveStartShardID != nil && *in.ExclusiveStartShardID >= shardID {
		shards = shards[:0]
	}
	return c.describe("StreamDescription", map[string]any{
		"StreamArn": *in.StreamArn, "StreamLabel": s.Label, "StreamStatus": status, "StreamViewType": s.View,
		"TableName": t.TableName, "KeySchema": t.KeySchema, "CreationRequestDateTime": secondsOf(s.Since),
		"Shards": shards,
	})
}

// iterator is what a shard iterator says; Next is the number of the record to be read next.
type iterator struct {
	Next   uint64
	Issued int64
}

func (a *Account) iterator(arn string, next uint64) string {
	raw, _ := json.Marshal(iterator{next, a.Now().Unix()}) // two numbers
	return arn + "|1|" + base64.StdEncoding.EncodeToString(raw)
}

func getShardIterator(c *call) error {
	var in struct{ StreamArn, ShardID, ShardIteratorType, SequenceNumber *string }
	if err := decode(c.body, &in); err != nil {
		return err
	}
	var found checks
	found.present(in.StreamArn, "streamArn")
	found.present(in.ShardID, "shardId")
	found.required(in.ShardIteratorType, "shardIteratorType", "AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER",
		"LATEST", "TRIM_HORIZON")
	if p := found.problem(); p != nil {
		return p
	}
	a := c.account
	t, s, err := a.streamOf(*in.StreamArn)
	if err != nil {
		return err
	}
	if *in.ShardID != shardID {
		return refuse(kindNotFound, "Requested resource not found: Shard: %s in Stream: %s not found", *in.ShardID,
			*in.StreamArn)
	}
	next, end := firstRecord, a.streamEnd(t, s)
	switch kind := *in.ShardIteratorType; kind {
	case "LATEST":
		next = end
	case "AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER":
		if in.SequenceNumber == nil {
			return invalid("The parameter SequenceNumber is required for the ShardIteratorType %s", kind)
		}
		n, ok := parseSequence(*in.SequenceNumber)
		if !ok || n >= max(end, next+1) {
			return invalid("Invalid SequenceNumber: %s", *in.SequenceNumber)
		}
		next = n
		if kind == "AFTER_SEQUENCE_NUMBER" {
			next++
		}
	default:
		if in.SequenceNumber != nil {
			return invalid("The parameter SequenceNumber must not be present for the ShardIteratorType %s", kind)
		}
	}
	return c.json(map[string]string{"ShardIterator": a.iterator(*in.StreamArn, next)})
}

func getRecords(c *call) error {
	var in struct {
		ShardIterator *string
		Limit         *int64
	}
	if err := decode(c.body, &in); err != nil {
		return err
	}
	var found checks
	found.present(in.ShardIterator, "shardIterator")
	limit := found.limit(in.Limit, maxRecords)
	if p := found.problem(); p != nil {
		return p
	}
	a := c.account
	arn, rest, _ := strings.Cut(*in.ShardIterator, "|1|")
	var at iterator
	raw, err := base64.StdEncoding.DecodeString(rest)
	if err != nil || json.Unmarshal(raw, &at) != nil {
		return invalid("Invalid ShardIterator")
	}
	t, s, err := a.streamOf(arn)
	if err != nil {
		return err
	}
	if a.Now().Sub(time.Unix(at.Issued, 0)) > iteratorLife {
		return refuse(kindExpired, "The shard iterator has expired: it was issued more than 15 minutes ago")
	}
	out, next, err := a.records([]byte(`{"Records":[`), t, s, at.Next, limit)
	if err != nil {
		return err
	}
	out = append(out, ']')
	if end := a.streamEnd(t, s); s.Enabled || next < end {
		out = append(append(out, `,"NextShardIterator":"`...), a.iterator(arn, next)...)
		out = append(out, '"')
	}
	out = append(out, '}')
	c.out = out
	return nil
}

// records appends the records from a number on, and returns the number after the last.
func (a *Account) records(out []byte, t *table, s *streamDefinition, from uint64, limit int64) ([]byte, uint64, error) {
	end := a.streamEnd(t, s)
	space := a.space.Data()
	lower, upper := space.Range(keyStreams, t.Short, s.Short)
	oldest := a.Now().Add(-recordsKept).Unix()
	size, some := 0, int64(0)
	err := a.engine.Each(lower, upper, t.streamKey(space, s.Short, from), func(key, raw []byte) (bool, error) {
		parts, err := space.Parts(key)
		if err != nil {
			return false, err
		}
		number := binary.BigEndian.Uint64([]byte(parts[3]))
		if number >= end || some == limit || some > 0 && size+len(raw) > maxRecordsB {
			return false, nil
		}
		from = number + 1
		if int64(binary.BigEndian.Uint64(raw)) < oldest {
			return true, nil
		}
		out = append(value.Comma(out), raw[8:]...)
		some++
		size += len(raw)
		return true, nil
	})
	return out, from, err
}
