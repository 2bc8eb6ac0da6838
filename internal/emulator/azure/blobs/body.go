package blobs

import (
	"bytes"
	"crypto/md5"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"sync"

	"github.com/minio/crc64nvme"

	"github.com/storespec/storespec/internal/emulator/azure"
	"github.com/storespec/storespec/internal/emulator/patience"
)

// Where the bytes of a body are stored.
const (
	// inlineLimit is the size up to which a body is stored in the blob's own row, so that a read is one point read; a
	// list has to read past it.
	inlineLimit = 4 << 10
	// memoryLimit is the size up to which a body is held in memory and stored in a row. A larger one is a file.
	memoryLimit = 1 << 20
	// blockLimit is memoryLimit for staged blocks: a blob may have many of them, and is as large as their sum.
	blockLimit = 64 << 10
	// copyBuffer is how much of a large body is in memory at a time.
	copyBuffer = 128 << 10
)

// body is a request's body, received and verified.
type body struct {
	size int64
	md5  [md5.Size]byte
	crc  uint64
	sums digests
	data []byte  // of a small body, in a pooled buffer
	file string  // of a large one: the path of its file
	name string  // the chunk it becomes
	pool *[]byte // data's buffer
}

// buffers holds the buffers of small bodies; each keeps the size it has grown to.
type buffers struct{ sync.Pool }

func (p *buffers) get() *[]byte {
	if b, ok := p.Get().(*[]byte); ok {
		return b
	}
	b := make([]byte, 0, inlineLimit)
	return &b
}

// chunk returns the name of the body as a chunk.
func (b *body) chunk() string {
	if b.name == "" {
		b.name = "m" + rand.Text()
	}
	return b.name
}

// keep records that a row names the body's file, so that release does not remove it.
func (b *body) keep() { b.file = "" }

func (b *body) md5Text() string { return base64.StdEncoding.EncodeToString(b.md5[:]) }

func (b *body) crcText() string {
	var raw [8]byte
	binary.LittleEndian.PutUint64(raw[:], b.crc)
	return base64.StdEncoding.EncodeToString(raw[:])
}

// release frees what the body holds. It removes the file unless keep was called.
func (s *Service) release(b *body) {
	if b == nil {
		return
	}
	if b.pool != nil {
		*b.pool = b.data[:0]
		s.bodies.Put(b.pool)
		b.pool, b.data = nil, nil
	}
	if b.file != "" {
		_ = os.Remove(b.file) // on failure a stray, removed at the next start
		b.file = ""
	}
}

// digests are the digests of a body to compute. Azure's CRC64 is the one of NVMe.
// https://learn.microsoft.com/rest/api/storageservices/put-blob (x-ms-content-crc64)
type digests struct{ md5, crc bool }

// wanted adds the digests that were sent with a body.
func (d digests) wanted(h http.Header) digests {
	return digests{d.md5 || first(h, "Content-Md5") != "", d.crc || first(h, "X-Ms-Content-Crc64") != ""}
}

// receive reads the request's body: up to inMemory bytes in memory, a larger one into a file of the shelf. Content-MD5
// and x-ms-content-crc64 are checked; the digests in want are computed too. The caller releases the body. Problems:
// RequestBodyTooLarge, Md5Mismatch, InvalidMd5, Crc64Mismatch, InvalidInput, OperationTimedOut.
func receive(c *call, most int64, inMemory int, want digests) (*body, *azure.Problem) {
	r := c.HTTP
	isStructured, p := structured(r.Header)
	if p != nil {
		return nil, p
	}
	var from io.Reader = r.Body
	length := r.ContentLength
	if isStructured {
		if from, length, p = unwrap(c); p != nil {
			return nil, p
		}
	}
	if length > most {
		return nil, azure.BodyTooLarge()
	}
	if from == nil {
		from = http.NoBody
	}
	return receiveFrom(c, from, length, most, inMemory, want, r.Header)
}

// receiveFrom is receive for any source; a negative length means unknown.
func receiveFrom(c *call, from io.Reader, length, most int64, inMemory int, want digests,
	sent http.Header) (*body, *azure.Problem) {
	b := &body{pool: c.s.bodies.get(), sums: want.wanted(sent)}
	b.data = (*b.pool)[:0]
	complete, err := b.fill(from, length, inMemory)
	if err == nil && complete {
		err = finish(from)
	}
	switch {
	case err != nil:
	case !complete:
		err = spill(c, b, from, most)
	default:
		b.size = int64(len(b.data))
		if b.sums.md5 {
			b.md5 = md5.Sum(b.data)
		}
		if b.sums.crc {
			b.crc = crc64nvme.Checksum(b.data)
		}
	}
	var p *azure.Problem
	switch {
	case patience.RanOut(err):
		p = azure.OperationTimedOut()
	case errors.Is(err, errTooLarge):
		p = azure.BodyTooLarge()
	case errors.Is(err, errChecksum):
		p = crc64Mismatch()
	case errors.As(err, new(*os.PathError)):
		p = c.failed(err)
	case err != nil || length >= 0 && b.size != length:
		p = azure.InvalidInput("The request body could not be read to its end.")
	default:
		p = checkSums(sent, b)
	}
	if p != nil {
		c.s.release(b)
		return nil, p
	}
	return b, nil
}

// finish reads the end of a structured message whose content was read, so that it is checked.
func finish(from io.Reader) error {
	if m, ok := from.(*messageReader); ok {
		n, err := m.Read(make([]byte, 1))
		if n > 0 || err == nil {
			return errStructure
		}
		if !m.complete {
			return err
		}
	}
	return nil
}

// fill reads into memory; complete reports that there is no more.
func (b *body) fill(from io.Reader, length int64, inMemory int) (complete bool, err error) {
	want := inMemory + 1
	switch {
	case length > int64(inMemory):
		return false, nil
	case length >= 0:
		want = int(length) // the length is known, so there is no need to look for the end
	}
	if cap(b.data) < want {
		if length < 0 {
			return b.grow(from, inMemory)
		}
		b.data = make([]byte, 0, want)
	}
	n, err := io.ReadFull(from, b.data[:want])
	b.data = b.data[:n]
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return true, nil
	}
	return n <= inMemory, err
}

// grow reads a body of unknown length, doubling the buffer.
func (b *body) grow(from io.Reader, inMemory int) (complete bool, err error) {
	buffer := bytes.NewBuffer(b.data)
	n, err := buffer.ReadFrom(io.LimitReader(from, int64(inMemory)+1))
	b.data = buffer.Bytes()
	return n <= int64(inMemory), err
}

var errTooLarge = errors.New("body too large")

// spill writes what is in memory and the rest to a file: under another name first, so that a file with a chunk's name
// is complete, and to disk before the row that names it.
func spill(c *call, b *body, from io.Reader, most int64) error {
	b.name = fileChunk + rand.Text()
	path, err := c.shelf.path(b.name)
	if err != nil {
		return err
	}
	temporary := path + ".new"
	f, err := os.Create(temporary)
	if err != nil {
		return err
	}
	b.file = temporary
	sum, crc := md5.New(), crc64nvme.New()
	writers := []io.Writer{f}
	if b.sums.md5 {
		writers = append(writers, sum)
	}
	if b.sums.crc {
		writers = append(writers, crc)
	}
	to := io.MultiWriter(writers...)
	buffer := c.s.copies.get()
	defer c.s.copies.Put(buffer)
	_, err = to.Write(b.data)
	b.size = int64(len(b.data))
	if err == nil {
		var n int64
		n, err = io.CopyBuffer(onlyWriter{to}, io.LimitReader(from, most-b.size+1), (*buffer)[:copyBuffer])
		if b.size += n; err == nil && b.size > most {
			err = errTooLarge
		}
	}
	if err == nil && c.shelf.sync {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := os.Rename(temporary, path); err != nil {
		return err
	}
	b.file = path
	sum.Sum(b.md5[:0])
	b.crc = crc.Sum64()
	if c.shelf.sync {
		return syncDir(filepath.Dir(path))
	}
	return nil
}

// onlyWriter hides ReadFrom, so that io.CopyBuffer uses its buffer.
type onlyWriter struct{ io.Writer }

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// checkSums compares a body with the digests sent with it.
func checkSums(h http.Header, b *body) *azure.Problem {
	if sent := first(h, "Content-Md5"); sent != "" {
		sum, p := parseMD5("Content-MD5", sent)
		if p != nil {
			return p
		}
		if sum != string(b.md5[:]) {
			return md5Mismatch()
		}
	}
	if sent := first(h, "X-Ms-Content-Crc64"); sent != "" {
		raw, err := base64.StdEncoding.DecodeString(sent)
		if err != nil || len(raw) != crc64nvme.Size {
			return azure.InvalidHeaderValue("x-ms-content-crc64", sent)
		}
		if binary.LittleEndian.Uint64(raw) != b.crc {
			return crc64Mismatch()
		}
	}
	return nil
}

// parseMD5 decodes the digest of a header, in base64. Problem: InvalidMd5.
func parseMD5(header, text string) (string, *azure.Problem) {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(raw) != md5.Size {
		return "", invalidMD5(header, text)
	}
	return string(raw), nil
}

// readAll reads a small document, such as a block list.
func readAll(c *call, most int64) ([]byte, *azure.Problem) {
	b, p := receive(c, most, int(most), digests{})
	if p != nil {
		return nil, p
	}
	defer c.s.release(b)
	return bytes.Clone(b.data), nil
}
