package blobs_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// TestSizes puts and gets bodies of every way they are kept: in the row, in a chunk's row, in a file.
func TestSizes(t *testing.T) {
	m := start(t, engine.Options{}, false)
	c := m.container(t, "sizes")
	ctx := context.Background()
	for _, size := range []int{0, 1, 4096, 4097, 100_000, 1 << 20, 1<<20 + 1, 5 << 20} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			want := noise(size)
			b := c.NewBlockBlobClient(fmt.Sprintf("dir/b %d", size))
			put := must[blockblob.UploadResponse](t)(b.Upload(ctx, bodyOf(want), nil))
			got := download(t, b, 0, 0)
			if !bytes.Equal(got, want) {
				t.Fatalf("got %d bytes that differ from the %d put", len(got), len(want))
			}
			if size > 2 {
				if got := download(t, b, 1, int64(size-2)); !bytes.Equal(got, want[1:size-1]) {
					t.Fatal("a range differs")
				}
			}
			p := must[blob.GetPropertiesResponse](t)(b.GetProperties(ctx, nil))
			if *p.ContentLength != int64(size) || *p.ETag != *put.ETag || !bytes.Equal(p.ContentMD5, put.ContentMD5) {
				t.Fatalf("properties: length %d, etag %s", *p.ContentLength, *p.ETag)
			}
			// Replaced by a small one, nothing of the old is left.
			must[blockblob.UploadResponse](t)(b.Upload(ctx, bodyOf([]byte("small")), nil))
			if got := download(t, b, 0, 0); string(got) != "small" {
				t.Fatalf("after replacement: %q", got)
			}
		})
	}
}

func TestStaged(t *testing.T) {
	m := start(t, engine.Options{}, false)
	c := m.container(t, "staged")
	ctx := context.Background()
	b := c.NewBlockBlobClient("b")
	part := map[string][]byte{}
	stage := func(id string, size int) {
		t.Helper()
		part[id] = noise(size)
		must[blockblob.StageBlockResponse](t)(b.StageBlock(ctx, blockID(id), bodyOf(part[id]), nil))
	}
	commit := func(ids ...string) {
		t.Helper()
		var list []string
		for _, id := range ids {
			list = append(list, blockID(id))
		}
		must[blockblob.CommitBlockListResponse](t)(b.CommitBlockList(ctx, list, nil))
	}
	expect := func(ids ...string) {
		t.Helper()
		var want []byte
		for _, id := range ids {
			want = append(want, part[id]...)
		}
		if got := download(t, b, 0, 0); !bytes.Equal(got, want) {
			t.Fatalf("got %d bytes, want those of %v (%d)", len(got), ids, len(want))
		}
	}
	stage("a", 10)
	_, err := b.GetProperties(ctx, nil)
	wantCode(t, err, "BlobNotFound") // an uncommitted blob does not exist
	stage("b", 70_000)
	stage("c", 2<<20)
	commit("c", "a", "b", "a")
	expect("c", "a", "b", "a")
	stage("d", 5)
	commit("a", "d") // a subset of the committed ones, and a new one
	expect("a", "d")
	stage("a", 7) // latest: the new a
	commit("a")
	expect("a")
	_, err = b.CommitBlockList(ctx, []string{blockID("z")}, nil)
	wantCode(t, err, "InvalidBlockList")
	expect("a")
	commit()
	expect()
}

func TestUploadStream(t *testing.T) {
	m := start(t, engine.Options{}, false)
	c := m.container(t, "stream")
	want := noise(10<<20 + 17)
	b := c.NewBlockBlobClient("b")
	must[blockblob.UploadStreamResponse](t)(b.UploadStream(context.Background(), bytes.NewReader(want), nil))
	if got := download(t, b, 0, 0); !bytes.Equal(got, want) {
		t.Fatal("the blob differs")
	}
}

// TestUnknownLength sends bodies in chunks, without a length.
func TestUnknownLength(t *testing.T) {
	m := start(t, engine.Options{}, true)
	m.raw(t, "PUT", "/cont?restype=container", "").want(t, 201, "")
	for _, size := range []int{0, 10, 5000, 1 << 20, 3 << 20} {
		want := noise(size)
		m.rawReader(t, "PUT", "/cont/b", io.MultiReader(bytes.NewReader(want)), "x-ms-blob-type: BlockBlob").want(t,
			201, "")
		if got := m.raw(t, "GET", "/cont/b", ""); got.body != string(want) {
			t.Fatalf("%d bytes: the blob has %d others", size, len(got.body))
		}
	}
}

func noise(size int) []byte {
	b := make([]byte, size)
	_, _ = rand.NewChaCha8([32]byte{byte(size), byte(size >> 8), byte(size >> 16)}).Read(b)
	return b
}

func blockID(id string) string {
	return base64.StdEncoding.EncodeToString([]byte("block-" + strings.Repeat("0", 8-len(id)) + id))
}

func download(t testing.TB, b *blockblob.Client, offset, count int64) []byte {
	t.Helper()
	res, err := b.DownloadStream(context.Background(),
		&blob.DownloadStreamOptions{Range: blob.HTTPRange{Offset: offset, Count: count}})
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	return must[[]byte](t)(io.ReadAll(res.Body))
}
