package blobs_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// maxMemory is what the heap may reach while a large blob goes up and down.
const maxMemory = 64 << 20

// TestLargeBlob sends a blob up and down, whole and in blocks, through a client that streams too, and
// measures the heap all the while.
func TestLargeBlob(t *testing.T) {
	size := int64(1 << 30)
	if testing.Short() || raceEnabled {
		size = 96 << 20 // still more than may be in memory
	}
	m := start(t, engine.Options{}, true)
	m.raw(t, "PUT", "/cont?restype=container", "").want(t, 201, "")
	highest := watchHeap(t)
	t.Run("whole", func(t *testing.T) {
		sum := upload(t, m, "/cont/b", size, "x-ms-blob-type: BlockBlob")
		if got := checkDownload(t, m, "/cont/b", size); got != sum {
			t.Fatal("the blob differs")
		}
	})
	t.Run("in blocks", func(t *testing.T) {
		var list strings.Builder
		list.WriteString("<BlockList>")
		block := size / 4 / 24
		for i := range 24 {
			id := blockID(strconv.Itoa(i))
			upload(t, m, "/cont/c?comp=block&blockid="+strings.ReplaceAll(id, "=", "%3D"), block)
			list.WriteString("<Latest>" + id + "</Latest>")
		}
		list.WriteString("</BlockList>")
		m.raw(t, "PUT", "/cont/c?comp=blocklist", list.String()).want(t, 201, "")
		checkDownload(t, m, "/cont/c", block*24)
	})
	most := highest()
	t.Logf("the heap reached %d MiB", most>>20)
	if most > maxMemory {
		t.Fatalf("the heap reached %d MiB, %d are allowed", most>>20, maxMemory>>20)
	}
}

// watchHeap samples the live memory until the function it gives is called: what the collector found in use, so that
// neither garbage nor how late it is found counts. The limit makes it look often.
func watchHeap(t *testing.T) (highest func() uint64) {
	before := debug.SetMemoryLimit(maxMemory * 3 / 4)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
	debug.FreeOSMemory() // what other tests left
	var most atomic.Uint64
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
		for {
			metrics.Read(sample)
			most.Store(max(most.Load(), sample[0].Value.Uint64()+sample[1].Value.Uint64()))
			select {
			case <-tick.C:
			case <-stop:
				return
			}
		}
	}()
	return func() uint64 {
		close(stop)
		<-stopped
		return most.Load()
	}
}

// upload puts pseudo-random bytes and gives their digest.
func upload(t *testing.T, m *emulator, target string, size int64, headers ...string) string {
	t.Helper()
	sum := md5.New()
	r, err := http.NewRequest("PUT", m.url()+target, io.TeeReader(stream(size), sum))
	if err != nil {
		t.Fatal(err)
	}
	r.ContentLength = size
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close() // empty
	if res.StatusCode != 201 {
		t.Fatalf("status %d", res.StatusCode)
	}
	return string(sum.Sum(nil))
}

// checkDownload gives the digest of a blob.
func checkDownload(t *testing.T, m *emulator, target string, size int64) string {
	t.Helper()
	res, err := http.Get(m.url() + target)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	sum := md5.New()
	if n, err := io.Copy(sum, res.Body); err != nil || n != size {
		t.Fatalf("%d bytes of %d: %v", n, size, err)
	}
	return string(sum.Sum(nil))
}

// stream is pseudo-random bytes that are in no memory as a whole.
func stream(size int64) io.Reader {
	return io.LimitReader(rand.NewChaCha8([32]byte{}), size)
}

// files are those of the emulator's large bodies.
func files(t *testing.T, e *engine.Engine) []string {
	t.Helper()
	dir := must[string](t)(e.FilesDir())
	list := must[[]string](t)(filepath.Glob(filepath.Join(dir, "*", "*")))
	return list
}

// TestFilesGo checks that a file stays as long as something needs it, and no longer.
func TestFilesGo(t *testing.T) {
	ctx := context.Background()
	big := noise(2 << 20)
	for _, c := range []struct {
		name string
		do   func(t *testing.T, m *emulator, b *blockblob.Client) // after which no file may be left
	}{
		{"replaced", func(t *testing.T, _ *emulator, b *blockblob.Client) {
			must[blockblob.UploadResponse](t)(b.Upload(ctx, bodyOf([]byte("small")), nil))
		}},
		{"deleted", func(t *testing.T, _ *emulator, b *blockblob.Client) {
			must[blob.DeleteResponse](t)(b.Delete(ctx, nil))
		}},
		{"copied, then both deleted", func(t *testing.T, m *emulator, b *blockblob.Client) {
			dst := m.client(t).NewContainerClient("files").NewBlockBlobClient("copy")
			must[blob.StartCopyFromURLResponse](t)(dst.StartCopyFromURL(ctx, b.URL(), nil))
			must[blob.DeleteResponse](t)(b.Delete(ctx, nil))
			if !bytes.Equal(download(t, dst, 0, 0), big) {
				t.Fatal("the copy differs")
			}
			must[blob.DeleteResponse](t)(dst.Delete(ctx, nil))
		}},
		{"the container deleted", func(t *testing.T, m *emulator, b *blockblob.Client) {
			must[blob.CreateSnapshotResponse](t)(b.CreateSnapshot(ctx, nil))
			must[blockblob.StageBlockResponse](t)(b.StageBlock(ctx, blockID("1"), bodyOf(big), nil))
			if _, err := m.client(t).NewContainerClient("files").Delete(ctx, nil); err != nil {
				t.Fatal(err)
			}
		}},
		{"the account reset", func(t *testing.T, m *emulator, _ *blockblob.Client) {
			for range 20 { // old epochs are dropped some resets later
				if err := m.account.Data.Reset(); err != nil {
					t.Fatal(err)
				}
			}
		}},
		{"an upload refused", func(t *testing.T, _ *emulator, b *blockblob.Client) {
			must[blob.DeleteResponse](t)(b.Delete(ctx, nil))
			sum := md5.Sum([]byte("other"))
			_, err := b.Upload(ctx, bodyOf(big),
				&blockblob.UploadOptions{TransactionalValidation: blob.TransferValidationTypeMD5(sum[:])})
			wantCode(t, err, "Md5Mismatch")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := start(t, engine.Options{}, false)
			b := m.container(t, "files").NewBlockBlobClient("b")
			must[blockblob.UploadResponse](t)(b.Upload(ctx, bodyOf(big), nil))
			if n := len(files(t, m.engine)); n != 1 {
				t.Fatalf("%d files, want 1", n)
			}
			c.do(t, m, b)
			if left := files(t, m.engine); len(left) != 0 {
				t.Fatalf("left: %v", left)
			}
		})
	}
}

// TestReaderKeepsItsFile replaces a blob while it is read: the reader gets what it began with.
func TestReaderKeepsItsFile(t *testing.T) {
	m := start(t, engine.Options{}, true)
	m.raw(t, "PUT", "/cont?restype=container", "").want(t, 201, "")
	want := noise(32 << 20) // more than the sockets hold
	m.raw(t, "PUT", "/cont/b", string(want), "x-ms-blob-type: BlockBlob").want(t, 201, "")
	res, err := http.Get(m.url() + "/cont/b")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	m.raw(t, "PUT", "/cont/b", "other", "x-ms-blob-type: BlockBlob").want(t, 201, "")
	m.raw(t, "DELETE", "/cont/b", "").want(t, 202, "")
	if got := must[[]byte](t)(io.ReadAll(res.Body)); !bytes.Equal(got, want) {
		t.Fatal("the reader got something else")
	}
	deadline := time.Now().Add(10 * time.Second)
	for len(files(t, m.engine)) > 0 { // the handler may end after the last byte is here
		if time.Now().After(deadline) {
			t.Fatalf("left: %v", files(t, m.engine))
		}
		runtime.Gosched()
	}
}

// TestReopen checks that everything exists after a restart, and that stray files do not.
func TestReopen(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	big, middle := noise(3<<20), noise(100_000)
	m := start(t, engine.Options{Dir: dir}, false)
	c := m.container(t, "cont")
	must[blockblob.UploadResponse](t)(c.NewBlockBlobClient("big").Upload(ctx, bodyOf(big), nil))
	must[blockblob.UploadResponse](t)(c.NewBlockBlobClient("middle").Upload(ctx, bodyOf(middle), nil))
	must[blockblob.StageBlockResponse](t)(c.NewBlockBlobClient("staged").StageBlock(ctx, blockID("1"), bodyOf(big),
		nil))
	kept := files(t, m.engine)
	stray := filepath.Join(filepath.Dir(kept[0]), "fSTRAY.new")
	if err := os.WriteFile(stray, []byte("half a body"), 0o600); err != nil {
		t.Fatal(err)
	}
	m.stop()

	m = start(t, engine.Options{Dir: dir}, false)
	c = m.client(t).NewContainerClient("cont")
	if !bytes.Equal(download(t, c.NewBlockBlobClient("big"), 0, 0), big) ||
		!bytes.Equal(download(t, c.NewBlockBlobClient("middle"), 0, 0), middle) {
		t.Fatal("a blob differs after the restart")
	}
	staged := c.NewBlockBlobClient("staged")
	must[blockblob.CommitBlockListResponse](t)(staged.CommitBlockList(ctx, []string{blockID("1")}, nil))
	if !bytes.Equal(download(t, staged, 0, 0), big) {
		t.Fatal("the staged block differs after the restart")
	}
	if got := files(t, m.engine); fmt.Sprint(got) != fmt.Sprint(kept) {
		t.Fatalf("files %v, want %v", got, kept)
	}
}
