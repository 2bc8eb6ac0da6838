package blobs_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/sas"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// retain sets for how many days what is deleted is kept; 0: it is not.
func (m *emulator) retain(t testing.TB, days, more string) {
	t.Helper()
	policy := "<Enabled>false</Enabled>"
	if days != "" {
		policy = "<Enabled>true</Enabled><Days>" + days + "</Days>" + more
	}
	m.raw(t, "PUT", "/?restype=service&comp=properties", "<StorageServiceProperties><DeleteRetentionPolicy>"+policy+
		"</DeleteRetentionPolicy></StorageServiceProperties>").want(t, 202, "")
}

// listed counts the entries of a list.
func (m *emulator) listed(t testing.TB, include string) int {
	t.Helper()
	list := m.raw(t, "GET", "/cont?restype=container&comp=list&include="+include, "").want(t, 200, "")
	return strings.Count(list.body, "<Blob>")
}

const block = "x-ms-blob-type: BlockBlob"

// pastOneDay is some time that takes all that is kept for a day past its end, and past the pause between two purges.
const pastOneDay = 26 * time.Hour

// What is soft-deleted goes for good after its retention, and then frees its space, whatever the size of its body.
func TestRetentionEnds(t *testing.T) {
	for _, size := range sizes {
		m := start(t, engine.Options{Dir: t.TempDir()}, true)
		m.raw(t, "PUT", "/cont?restype=container", "").want(t, 201, "")
		body := string(noise(size))
		m.retain(t, "1", "")
		m.raw(t, "PUT", "/cont/b", body, block).want(t, 201, "") // to be overwritten
		m.raw(t, "PUT", "/cont/b", body, block).want(t, 201, "")
		m.raw(t, "PUT", "/cont/b?comp=snapshot", "").want(t, 201, "")
		m.raw(t, "DELETE", "/cont/b", "", "x-ms-delete-snapshots: include").want(t, 202, "")
		if n := m.listed(t, "deleted,snapshots"); n != 3 {
			t.Errorf("%d bytes: %d are listed, want 3", size, n)
		}
		m.advance(23 * time.Hour)
		if n := m.listed(t, "deleted,snapshots"); n != 3 {
			t.Errorf("%d bytes: %d are listed after less than a day, want 3", size, n)
		}
		m.advance(pastOneDay - 23*time.Hour)
		if n := m.listed(t, "deleted,snapshots"); n != 0 {
			t.Errorf("%d bytes: %d are listed after a day", size, n)
		}
		m.raw(t, "PUT", "/cont/b?comp=undelete", "").want(t, 404, "BlobNotFound")
		if n := m.rows(t); n != 0 {
			t.Errorf("%d bytes: %d rows are left", size, n)
		}
		if left := files(t, m.engine); len(left) != 0 {
			t.Errorf("%d bytes: left: %v", size, left)
		}
		m.stop()
	}
}

// A retention that is changed counts for what is deleted from then on.
func TestRetentionOfEach(t *testing.T) {
	m := start(t, engine.Options{}, true)
	m.raw(t, "PUT", "/cont?restype=container", "").want(t, 201, "")
	for _, days := range []string{"1", "3"} {
		m.retain(t, days, "")
		m.raw(t, "PUT", "/cont/of-"+days, "x", block).want(t, 201, "")
		m.raw(t, "DELETE", "/cont/of-"+days, "").want(t, 202, "")
	}
	m.advance(24*time.Hour - time.Minute)
	if n := m.listed(t, "deleted"); n != 2 {
		t.Errorf("%d are kept before a day has passed, want 2", n)
	}
	m.advance(2 * time.Minute)
	if n := m.listed(t, "deleted"); n != 1 {
		t.Errorf("%d are kept after a day, want 1", n)
	}
	m.raw(t, "PUT", "/cont/of-1?comp=undelete", "").want(t, 404, "BlobNotFound")
	m.retain(t, "", "")
	m.raw(t, "PUT", "/cont/of-3?comp=undelete", "").want(t, 200, "")
	m.raw(t, "GET", "/cont/of-3", "").want(t, 200, "")
}

// What has expired is hidden, although purges have a pause between them.
func TestExpiredIsHidden(t *testing.T) {
	m := start(t, engine.Options{}, true)
	m.raw(t, "PUT", "/cont?restype=container", "").want(t, 201, "")
	m.retain(t, "1", "<AllowPermanentDelete>true</AllowPermanentDelete>")
	for _, name := range []string{"first", "second"} {
		m.raw(t, "PUT", "/cont/"+name, "x", block).want(t, 201, "")
		m.raw(t, "DELETE", "/cont/"+name, "").want(t, 202, "")
		m.advance(30 * time.Minute)
	}
	m.advance(23*time.Hour + time.Minute)
	if n, rows := m.listed(t, "deleted"), m.rows(t); n != 1 || rows != 1 {
		t.Errorf("%d are listed and %d rows are left after a day, want 1 and 1", n, rows)
	}
	m.advance(31 * time.Minute)
	if n, rows := m.listed(t, "deleted"), m.rows(t); n != 0 || rows != 1 {
		t.Errorf("%d are listed and %d rows are left half an hour later, want 0 and 1", n, rows)
	}
	m.raw(t, "PUT", "/cont/second?comp=undelete", "").want(t, 404, "BlobNotFound")
	m.raw(t, "PUT", "/cont/second", "y", block).want(t, 201, "")
	if n := m.listed(t, "deleted,snapshots"); n != 1 {
		t.Errorf("%d are listed after a new blob, want 1", n)
	}
}

// The deleted snapshots of a deleted blob are hidden when it has expired, although they might have been kept longer.
func TestSnapshotsOfExpiredAreHidden(t *testing.T) {
	m := start(t, engine.Options{}, true)
	m.raw(t, "PUT", "/cont?restype=container", "").want(t, 201, "")
	m.retain(t, "9", "")
	for _, name := range []string{"first", "second", "second", "there", "there"} {
		m.raw(t, "PUT", "/cont/"+name, "x", block).want(t, 201, "")
	}
	m.retain(t, "1", "")
	for _, name := range []string{"first", "second"} {
		m.raw(t, "DELETE", "/cont/"+name, "").want(t, 202, "")
		m.advance(30 * time.Minute)
	}
	m.advance(23*time.Hour + time.Minute)
	if n := m.listed(t, "deleted,snapshots"); n != 4 {
		t.Errorf("%d are listed after a day, want the second blob and the existing one, each with a snapshot", n)
	}
	m.advance(31 * time.Minute)
	if n, rows := m.listed(t, "deleted,snapshots"), m.rows(t); n != 2 || rows != 4 {
		t.Errorf("%d are listed and %d rows are left half an hour later, want 2 and 4", n, rows)
	}
}

// Blocks for a new blob make the deleted one a snapshot, which comes back once there is a blob.
func TestUndeleteWithBlocks(t *testing.T) {
	m := start(t, engine.Options{}, true)
	m.raw(t, "PUT", "/cont?restype=container", "").want(t, 201, "")
	m.retain(t, "1", "")
	m.raw(t, "PUT", "/cont/b", "x", block).want(t, 201, "")
	m.raw(t, "DELETE", "/cont/b", "").want(t, 202, "")
	m.raw(t, "PUT", "/cont/b?comp=block&blockid=MDE=", "y").want(t, 201, "")
	m.raw(t, "PUT", "/cont/b?comp=undelete", "").want(t, 404, "BlobNotFound")
	m.raw(t, "PUT", "/cont/b?comp=blocklist", "<BlockList><Latest>MDE=</Latest></BlockList>").want(t, 201, "")
	m.raw(t, "PUT", "/cont/b?comp=undelete", "").want(t, 200, "")
	if n := m.listed(t, "snapshots"); n != 2 {
		t.Errorf("%d are listed, want 2", n)
	}
}

// A blob that goes for good takes its soft-deleted snapshots with it, which might have been kept longer.
func TestSnapshotsGoWithTheirBlob(t *testing.T) {
	m := start(t, engine.Options{}, true)
	m.raw(t, "PUT", "/cont?restype=container", "").want(t, 201, "")
	m.retain(t, "9", "")
	m.raw(t, "PUT", "/cont/b", string(noise(5000)), block).want(t, 201, "")
	m.raw(t, "PUT", "/cont/b", "y", block).want(t, 201, "")
	m.retain(t, "1", "")
	m.raw(t, "DELETE", "/cont/b", "").want(t, 202, "")
	m.advance(pastOneDay)
	if n := m.listed(t, "deleted,snapshots"); n != 0 {
		t.Errorf("%d are listed", n)
	}
	if n := m.rows(t); n != 0 {
		t.Errorf("%d rows are left", n)
	}
}

// A container that is deleted, or an account that is reset, takes what is soft-deleted in it along.
func TestDeletedWithTheirContainer(t *testing.T) {
	m := start(t, engine.Options{Dir: t.TempDir()}, true)
	m.retain(t, "1", "")
	fill := func() {
		m.raw(t, "PUT", "/cont?restype=container", "").want(t, 201, "")
		for _, size := range sizes {
			m.raw(t, "PUT", "/cont/b", string(noise(size)), block).want(t, 201, "")
		}
		m.raw(t, "DELETE", "/cont/b", "").want(t, 202, "")
	}
	fill()
	m.raw(t, "DELETE", "/cont?restype=container", "").want(t, 202, "")
	if n, left := m.rows(t), files(t, m.engine); n != 0 || len(left) != 0 {
		t.Errorf("%d rows and the files %v are left", n, left)
	}
	fill()
	if err := m.account.Data.Reset(); err != nil {
		t.Fatal(err)
	}
	if n := m.listed(t, "deleted,snapshots"); n != 0 {
		t.Errorf("%d are listed after a reset", n)
	}
	if err := m.account.Data.Drop(); err != nil { // the setting is gone too
		t.Fatal(err)
	}
	m.raw(t, "PUT", "/cont?restype=container", "").want(t, 201, "")
	m.raw(t, "PUT", "/cont/b", "x", block).want(t, 201, "")
	deleted := m.raw(t, "DELETE", "/cont/b", "").want(t, 202, "")
	if got := deleted.header.Get("x-ms-delete-type-permanent"); got != "true" {
		t.Errorf("x-ms-delete-type-permanent %q of an account that is new", got)
	}
}

// What is soft-deleted is so after a restart, and goes then.
func TestRestartWithDeletedBlobs(t *testing.T) {
	dir := t.TempDir()
	large := string(noise(2 << 20))
	m := start(t, engine.Options{Dir: dir}, true)
	m.raw(t, "PUT", "/cont?restype=container", "").want(t, 201, "")
	m.retain(t, "1", "")
	for _, name := range []string{"a", "b"} {
		m.raw(t, "PUT", "/cont/"+name, large, block).want(t, 201, "")
		m.raw(t, "DELETE", "/cont/"+name, "").want(t, 202, "")
	}
	m.stop()
	m = start(t, engine.Options{Dir: dir}, true)
	m.raw(t, "PUT", "/cont/a?comp=undelete", "").want(t, 200, "")
	if got := m.raw(t, "GET", "/cont/a", "").want(t, 200, "").body; got != large {
		t.Errorf("%d bytes of %d came back", len(got), len(large))
	}
	m.stop()
	m = start(t, engine.Options{Dir: dir}, true)
	m.advance(pastOneDay)
	m.raw(t, "DELETE", "/cont/a", "").want(t, 202, "")
	m.advance(pastOneDay)
	if n := m.listed(t, "deleted"); n != 0 {
		t.Errorf("%d are listed", n)
	}
	if n, left := m.rows(t), files(t, m.engine); n != 0 || len(left) != 0 {
		t.Errorf("%d rows and the files %v are left", n, left)
	}
}

// Undeleting, and deleting for good, need permissions of their own.
func TestPermissionsOfDeletedBlobs(t *testing.T) {
	m := start(t, engine.Options{}, false)
	with := func(permissions sas.AccountPermissions) func(method, path string, headers ...string) answer {
		url, err := m.client(t).GetSASURL(sas.AccountResourceTypes{Service: true, Container: true, Object: true},
			permissions, time.Now().Add(time.Hour), nil)
		if err != nil {
			t.Fatal(err)
		}
		_, query, _ := strings.Cut(url, "?")
		query = strings.ReplaceAll(query, "spr=https&", "")
		return func(method, path string, headers ...string) answer {
			glue := "?"
			if strings.Contains(path, "?") {
				glue = "&"
			}
			return m.raw(t, method, path+glue+query, "", append(headers, "x-ms-version: 2024-11-04")...)
		}
	}
	c := m.container(t, "cont")
	must[any](t)(c.NewBlockBlobClient("b").Upload(t.Context(), bodyOf([]byte("x")), nil))
	remover, restorer := with(sas.AccountPermissions{Delete: true}), with(sas.AccountPermissions{Write: true})
	eraser := with(sas.AccountPermissions{PermanentDelete: true})
	restorer("DELETE", "/cont/b").want(t, 403, "AuthorizationPermissionMismatch")
	eraser("DELETE", "/cont/b").want(t, 403, "AuthorizationPermissionMismatch")
	remover("PUT", "/cont/b?comp=undelete").want(t, 403, "AuthorizationPermissionMismatch")
	restorer("PUT", "/cont/b?comp=undelete").want(t, 200, "")
	remover("DELETE", "/cont/b?deletetype=permanent&snapshot=2026-01-01T00:00:00.0000000Z").want(t, 403,
		"AuthorizationPermissionMismatch")
	eraser("DELETE", "/cont/b?deletetype=permanent&snapshot=2026-01-01T00:00:00.0000000Z").want(t, 409,
		"PermanentDeleteIsOff")
	remover("DELETE", "/cont/b").want(t, 202, "")
}

// Many clients write, delete and undelete the same blobs while the clock passes their retention: every read sees a
// body that was put, whole, and nothing is left.
func TestDeletedAtTheSameTime(t *testing.T) {
	m := start(t, engine.Options{}, true)
	m.serve("PUT", "/cont?restype=container", nil)
	m.retain(t, "1", "<AllowPermanentDelete>true</AllowPermanentDelete>")
	bodies := [][]byte{noise(10), noise(100_000), noise(1<<20 + 5)}
	done := make(chan struct{})
	for g := range 6 {
		go func() {
			defer func() { done <- struct{}{} }()
			for i := range 40 {
				name := "/cont/b" + string(rune('0'+(g+i)%2))
				switch (g*7 + i) % 7 {
				case 0, 1:
					m.serve("PUT", name, bodies[(g+i)%len(bodies)], block)
				case 2:
					m.serve("DELETE", name, nil, "x-ms-delete-snapshots: include")
				case 3:
					m.serve("PUT", name+"?comp=undelete", nil)
				case 4:
					m.serve("PUT", name+"?comp=snapshot", nil)
				case 5:
					m.advance(5 * time.Hour)
				case 6:
					a := m.serve("GET", name, nil)
					if a.Code != http.StatusNotFound && !isOneOf(a.Body.Bytes(), bodies) {
						t.Errorf("status %d, %d bytes that no one put", a.Code, a.Body.Len())
					}
				}
			}
		}()
	}
	for range 6 {
		<-done
	}
	for _, name := range []string{"/cont/b0", "/cont/b1"} {
		m.serve("DELETE", name, nil, "x-ms-delete-snapshots: include")
	}
	m.advance(pastOneDay)
	m.serve("GET", "/cont/b0", nil)
	if n, left := m.rows(t), files(t, m.engine); n != 0 || len(left) != 0 {
		t.Errorf("%d rows and the files %v are left", n, left)
	}
}

// An account that keeps nothing has no more rows than before there was soft delete.
func TestNothingKeptCostsNothing(t *testing.T) {
	m := start(t, engine.Options{}, true)
	m.raw(t, "PUT", "/cont?restype=container", "").want(t, 201, "")
	m.raw(t, "PUT", "/cont/b", "x", block).want(t, 201, "")
	m.raw(t, "PUT", "/cont/b", "y", block).want(t, 201, "")
	if n := m.rows(t); n != 1 {
		t.Errorf("%d rows for a small blob, want 1", n)
	}
}
