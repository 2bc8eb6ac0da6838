package blobs

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"net/http"
	"strconv"

	"github.com/minio/crc64nvme"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// A structured message is a body in segments, each with its CRC64, and that of all content at the end. All numbers are
// little-endian:
//
//	version (1 byte, 1) · length of the message (8) · flags (2, 1: CRC64) · number of segments (2)
//	number of the segment from 1 (2) · length of its content (8) · content · CRC64 (8)      … for each segment
//	CRC64 of all content (8)
//
// https://learn.microsoft.com/rest/api/storageservices/put-blob (x-ms-structured-body)
const (
	structuredBody    = "XSM/1.0; properties=crc64" // the only value of x-ms-structured-body
	structuredVersion = 1
	structuredCRC64   = 1       // the flag
	structuredSegment = 4 << 20 // the length of a segment that is sent
)

// The parts of a message.
type (
	messageHead struct {
		Version  uint8
		Length   int64
		Flags    uint16
		Segments uint16
	}
	segmentHead struct {
		Number uint16
		Length uint64
	}
)

const (
	messageHeadSize = 1 + 8 + 2 + 2
	segmentHeadSize = 2 + 8
	checksumSize    = crc64nvme.Size
)

var (
	errStructure = errors.New("malformed structured message")
	errChecksum  = errors.New("a CRC64 of a structured message is wrong")
)

// structured returns whether a request asks for, or has, a structured message. Problem: InvalidHeaderValue.
func structured(h http.Header) (bool, *azure.Problem) {
	value := first(h, "X-Ms-Structured-Body")
	if value != "" && value != structuredBody {
		return false, azure.InvalidHeaderValue("x-ms-structured-body", value)
	}
	return value != "", nil
}

// unwrap returns the content of the request's structured message, and its length. Problems: MissingRequiredHeader,
// InvalidHeaderValue.
func unwrap(c *call) (io.Reader, int64, *azure.Problem) {
	text := first(c.HTTP.Header, "X-Ms-Structured-Content-Length")
	if text == "" {
		return nil, 0, azure.MissingHeader("x-ms-structured-content-length")
	}
	length, ok := digits(text)
	if !ok {
		return nil, 0, azure.InvalidHeaderValue("x-ms-structured-content-length", text)
	}
	c.answer.h["X-Ms-Structured-Body"] = []string{structuredBody}
	return &messageReader{from: bufio.NewReader(c.HTTP.Body), length: c.HTTP.ContentLength}, length, nil
}

// messageReader reads the content of a structured message. Its errors are errStructure and errChecksum, and those of
// the message's reader.
type messageReader struct {
	from   *bufio.Reader
	length int64 // of the message, as announced outside of it; negative: unknown

	head       messageHead
	segment    uint16 // the current one
	left       uint64 // of its content
	read       int64  // of the message
	sum, total hash.Hash64
	complete   bool  // it was read to its end, and all its checksums are right
	done       error // what Read returns from now on
}

func (m *messageReader) Read(p []byte) (int, error) {
	for m.left == 0 {
		if m.done == nil {
			m.done = m.advance()
		}
		if m.done != nil {
			return 0, m.done
		}
	}
	n, err := m.from.Read(p[:min(uint64(len(p)), m.left)])
	m.left -= uint64(n)
	m.read += int64(n)
	_, _ = m.sum.Write(p[:n]) // hashes do not fail
	_, _ = m.total.Write(p[:n])
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// advance reads what is between the content of two segments, and around all of them; io.EOF after the last.
func (m *messageReader) advance() error {
	between := m.begin
	if m.sum != nil {
		between = func() error { return m.check(m.sum) }
	}
	if err := between(); err != nil {
		return err
	}
	if m.segment == m.head.Segments {
		return m.end()
	}
	var next segmentHead
	if err := m.decode(&next, segmentHeadSize); err != nil {
		return err
	}
	if m.segment++; next.Number != m.segment || next.Length > math.MaxInt64 {
		return fmt.Errorf("%w: segment %d says that it is %+v", errStructure, m.segment, next)
	}
	m.left = next.Length
	m.sum = crc64nvme.New()
	return nil
}

func (m *messageReader) begin() error {
	m.sum, m.total = crc64nvme.New(), crc64nvme.New()
	if err := m.decode(&m.head, messageHeadSize); err != nil {
		return err
	}
	if m.head.Version != structuredVersion || m.head.Flags != structuredCRC64 || m.head.Segments == 0 ||
		m.length >= 0 && m.head.Length != m.length {
		return fmt.Errorf("%w: its head is %+v", errStructure, m.head)
	}
	return nil
}

func (m *messageReader) end() error {
	if err := m.check(m.total); err != nil {
		return err
	}
	_, err := m.from.ReadByte()
	if err == nil || m.read != m.head.Length {
		return fmt.Errorf("%w: its length is not the one in its head, %d", errStructure, m.head.Length)
	}
	m.complete = errors.Is(err, io.EOF)
	return err
}

func (m *messageReader) check(sum hash.Hash64) error {
	var sent uint64
	if err := m.decode(&sent, checksumSize); err != nil {
		return err
	}
	if sent != sum.Sum64() {
		return errChecksum
	}
	return nil
}

func (m *messageReader) decode(into any, size int64) error {
	err := binary.Read(m.from, binary.LittleEndian, into)
	if errors.Is(err, io.EOF) { // which would say that the message is complete
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return fmt.Errorf("%w: it ends too early: %w", errStructure, err)
	}
	m.read += size
	return nil
}

// structuredLength is the length of the message for content of a length.
func structuredLength(content int64) int64 {
	return messageHeadSize + segments(content)*(segmentHeadSize+checksumSize) + content + checksumSize
}

// segments is how many a message has; empty content has one.
func segments(content int64) int64 { return max(1, (content+structuredSegment-1)/structuredSegment) }

// wrapHeaders announces a structured message for content of a length. Problem: OutOfRangeInput, for more segments than
// a message can have.
func (a *answer) structured(content int64) *azure.Problem {
	if segments(content) > math.MaxUint16 {
		return outOfRange("")
	}
	a.h["X-Ms-Structured-Body"] = []string{structuredBody}
	a.h["X-Ms-Structured-Content-Length"] = []string{strconv.FormatInt(content, 10)}
	a.h["Content-Length"] = []string{strconv.FormatInt(structuredLength(content), 10)}
	return nil
}

// wrap makes a function that writes a range as a structured message from one that writes its content.
func wrap(write func(io.Writer, span) error) func(io.Writer, span) error {
	return func(w io.Writer, content span) error {
		total := crc64nvme.New()
		count := segments(content.length())
		encode := func(v any) error { return binary.Write(w, binary.LittleEndian, v) }
		head := messageHead{structuredVersion, structuredLength(content.length()), structuredCRC64, uint16(count)}
		err := encode(head)
		for i := int64(0); i < count && err == nil; i++ {
			part := span{content.start + i*structuredSegment, min(content.end, content.start+(i+1)*structuredSegment)}
			sum := crc64nvme.New()
			err = encode(segmentHead{uint16(i + 1), uint64(part.length())})
			if err == nil && part.length() > 0 {
				err = write(io.MultiWriter(w, sum, total), part)
			}
			if err == nil {
				err = encode(sum.Sum64())
			}
		}
		if err != nil {
			return err
		}
		return encode(total.Sum64())
	}
}
