package blobs_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// versions are the ids that a list has, in its order.
func (m *emulator) versions(t testing.TB, include string) (ids []string) {
	t.Helper()
	list := m.raw(t, "GET", "/cont?restype=container&comp=list&include="+include, "").want(t, 200, "").body
	for _, rest := range strings.Split(list, "<VersionId>")[1:] {
		id, _, _ := strings.Cut(rest, "<")
		ids = append(ids, id)
	}
	return ids
}

// put writes a blob and returns the id of its version.
func (m *emulator) put(t testing.TB, body string) string {
	t.Helper()
	return m.raw(t, "PUT", "/cont/b", body, block).want(t, 201, "").header.Get("x-ms-version-id")
}

// Versions of every size are read, restored over the blob and deleted, and then free their space.
func TestVersionsOfEverySize(t *testing.T) {
	m := startWith(t, engine.Options{Dir: t.TempDir()}, true, true)
	m.raw(t, "PUT", "/cont?restype=container", "").want(t, 201, "")
	var ids, bodies []string
	for _, size := range sizes {
		bodies = append(bodies, string(noise(size)))
		ids = append(ids, m.put(t, bodies[len(bodies)-1]))
	}
	m.raw(t, "PUT", "/cont/b?comp=metadata", "", "x-ms-meta-a: 1").want(t, 200, "")
	m.raw(t, "PUT", "/cont/b?comp=snapshot", "").want(t, 201, "")
	for i, id := range ids {
		at := "/cont/b?versionid=" + id
		if got := m.raw(t, "GET", at, "").want(t, 200, "").body; got != bodies[i] {
			t.Errorf("version of %d bytes has %d", len(bodies[i]), len(got))
		}
		source := "x-ms-copy-source: " + m.url() + at
		m.raw(t, "PUT", "/cont/b", "", source).want(t, 202, "")
		if got := m.raw(t, "GET", "/cont/b", "").want(t, 200, "").body; got != bodies[i] {
			t.Errorf("%d bytes were restored, want %d", len(got), len(bodies[i]))
		}
	}
	m.raw(t, "DELETE", "/cont/b", "", "x-ms-delete-snapshots: include").want(t, 202, "")
	all := m.versions(t, "versions")
	if want := 2*len(sizes) + 2; len(all) != want {
		t.Errorf("%d versions, want %d", len(all), want)
	}
	for _, id := range all {
		m.raw(t, "DELETE", "/cont/b?versionid="+id, "").want(t, 202, "")
	}
	if n, left := m.rows(t), files(t, m.engine); n != 0 || len(left) != 0 {
		t.Errorf("%d rows and the files %v are left", n, left)
	}
}

// A container takes its versions along, soft-deleted ones too.
func TestVersionsGoWithTheirContainer(t *testing.T) {
	m := startWith(t, engine.Options{Dir: t.TempDir()}, true, true)
	m.raw(t, "PUT", "/cont?restype=container", "").want(t, 201, "")
	m.retain(t, "1", "")
	var ids []string
	for _, size := range sizes {
		ids = append(ids, m.put(t, string(noise(size))))
	}
	for _, id := range ids[:3] {
		m.raw(t, "DELETE", "/cont/b?versionid="+id, "").want(t, 202, "")
	}
	m.raw(t, "DELETE", "/cont?restype=container", "").want(t, 202, "")
	if n, left := m.rows(t), files(t, m.engine); n != 0 || len(left) != 0 {
		t.Errorf("%d rows and the files %v are left", n, left)
	}
}

// A deleted version goes at the end of its retention; the blob and other versions stay, and so do those of a blob that
// was deleted.
func TestDeletedVersionsEnd(t *testing.T) {
	m := startWith(t, engine.Options{}, true, true)
	m.raw(t, "PUT", "/cont?restype=container", "").want(t, 201, "")
	m.retain(t, "1", "")
	first := m.put(t, string(noise(100_000)))
	second := m.put(t, string(noise(100_001)))
	m.raw(t, "DELETE", "/cont/b", "").want(t, 202, "")
	m.raw(t, "DELETE", "/cont/b?versionid="+first, "").want(t, 202, "")
	if n := len(m.versions(t, "deletedwithversions")); n != 1 {
		t.Errorf("%d blobs have versions only, want 1", n)
	}
	m.advance(pastOneDay)
	m.raw(t, "PUT", "/cont/b?comp=undelete", "").want(t, 200, "") // there is still a version
	if ids := m.versions(t, "versions,deleted"); len(ids) != 1 || ids[0] != second {
		t.Errorf("versions %v, want %s", ids, second)
	}
	m.raw(t, "DELETE", "/cont/b?versionid="+second, "").want(t, 202, "")
	if n := len(m.versions(t, "deletedwithversions")); n != 1 { // a deleted version counts
		t.Errorf("%d blobs have versions only, want 1", n)
	}
	m.advance(pastOneDay)
	if n := len(m.versions(t, "deletedwithversions")); n != 0 {
		t.Errorf("%d blobs have versions only, want none", n)
	}
	if n := m.rows(t); n != 0 {
		t.Errorf("%d rows are left", n)
	}
}

// Versions stay when the account stops keeping them; the blob then has none, and gets one when it goes on.
func TestVersioningOnAndOff(t *testing.T) {
	dir := t.TempDir()
	restart := func(m *emulator, versioning bool) *emulator {
		m.stop()
		return startWith(t, engine.Options{Dir: dir}, true, versioning)
	}
	m := startWith(t, engine.Options{Dir: dir}, true, false)
	m.raw(t, "PUT", "/cont?restype=container", "").want(t, 201, "")
	if id := m.put(t, "zero"); id != "" {
		t.Errorf("version %q without versioning", id)
	}
	m = restart(m, true)
	if n := len(m.versions(t, "versions")); n != 0 {
		t.Errorf("%d versions of a blob from before", n)
	}
	one := m.put(t, "one")
	before := m.versions(t, "versions")
	if len(before) != 2 || before[1] != one {
		t.Fatalf("versions %v", before)
	}
	m = restart(m, false)
	if got := m.put(t, "two"); got != "" {
		t.Errorf("version %q without versioning", got)
	}
	m.put(t, "three") // replaces "two", of which nothing is kept
	m.raw(t, "PUT", "/cont/b?comp=metadata", "", "x-ms-meta-a: 1").want(t, 200, "")
	m.raw(t, "GET", "/cont/b?versionid="+before[0], "").want(t, 200, "")
	if got := m.versions(t, "versions"); len(got) != 2 {
		t.Errorf("versions %v, want %v", got, before)
	}
	m = restart(m, true)
	four := m.put(t, "four")
	ids := m.versions(t, "versions")
	if len(ids) != 4 || ids[3] != four {
		t.Fatalf("versions %v, the last of which should be %s", ids, four)
	}
	for i, want := range []string{"zero", "one", "three", "four"} {
		if got := m.raw(t, "GET", "/cont/b?versionid="+ids[i], "").want(t, 200, "").body; got != want {
			t.Errorf("version %d holds %q, want %q", i, got, want)
		}
	}
}

// Many clients write, delete and restore versions of a blob while the clock passes their retention: what is read under
// an id never changes, and nothing is left.
func TestVersionsAtTheSameTime(t *testing.T) {
	m := startWith(t, engine.Options{}, true, true)
	m.serve("PUT", "/cont?restype=container", nil)
	m.retain(t, "1", "")
	bodies := [][]byte{noise(10), noise(100_000), noise(1<<20 + 5)}
	done := make(chan struct{})
	for g := range 6 {
		go func() {
			defer func() { done <- struct{}{} }()
			for i := range 30 {
				body := bodies[(g+i)%len(bodies)]
				a := m.serve("PUT", "/cont/b", body, block)
				at := "/cont/b?versionid=" + a.Header().Get("x-ms-version-id")
				if a = m.serve("GET", at, nil); a.Code != http.StatusOK || a.Body.String() != string(body) {
					t.Errorf("%s: status %d, %d bytes, want %d", at, a.Code, a.Body.Len(), len(body))
				}
				switch (g + i) % 5 {
				case 0:
					m.serve("DELETE", at, nil)
				case 1:
					m.serve("DELETE", "/cont/b", nil)
				case 2:
					m.serve("PUT", "/cont/b?comp=undelete", nil)
				case 3:
					m.serve("PUT", "/cont/b?comp=metadata", nil, "x-ms-meta-a: 1")
				case 4:
					m.advance(time.Hour)
				}
			}
		}()
	}
	for range 6 {
		<-done
	}
	m.serve("PUT", "/cont/b?comp=undelete", nil)
	m.serve("DELETE", "/cont/b", nil)
	for _, id := range m.versions(t, "versions") {
		m.raw(t, "DELETE", "/cont/b?versionid="+id, "").want(t, 202, "")
	}
	m.advance(pastOneDay)
	m.serve("GET", "/cont/b", nil)
	if n, left := m.rows(t), files(t, m.engine); n != 0 || len(left) != 0 {
		t.Errorf("%d rows and the files %v are left", n, left)
	}
}

// A blob has the type of its versions: of deleted ones until they have expired, and also when the account has stopped
// keeping versions.
func TestTypeOfVersions(t *testing.T) {
	const appendable = "x-ms-blob-type: AppendBlob"
	dir := t.TempDir()
	m := startWith(t, engine.Options{Dir: dir}, true, true)
	m.raw(t, "PUT", "/cont?restype=container", "").want(t, 201, "")
	m.retain(t, "1", "")
	id := m.put(t, "x")
	m.raw(t, "DELETE", "/cont/b", "").want(t, 202, "")
	m.raw(t, "DELETE", "/cont/b?versionid="+id, "").want(t, 202, "")
	m.raw(t, "PUT", "/cont/b", "", appendable).want(t, 409, "InvalidBlobType")
	m.advance(pastOneDay)
	m.raw(t, "PUT", "/cont/b", "", appendable).want(t, 201, "")
	m.stop()
	m = startWith(t, engine.Options{Dir: dir}, true, false)
	m.raw(t, "PUT", "/cont/b", "x", block).want(t, 409, "InvalidBlobType") // it would become a version
	m.raw(t, "PUT", "/cont/b", "", appendable).want(t, 201, "")
	m.raw(t, "PUT", "/cont/b", "x", block).want(t, 201, "") // the blob it replaces is not a version
}

// A blob that becomes a version when it is deleted keeps its deleted snapshots, from before it had versions.
func TestDeletedSnapshotsOfVersion(t *testing.T) {
	dir := t.TempDir()
	m := startWith(t, engine.Options{Dir: dir}, true, false)
	m.raw(t, "PUT", "/cont?restype=container", "").want(t, 201, "")
	m.retain(t, "1", "")
	m.put(t, "x")
	m.put(t, "y") // a deleted snapshot has "x"
	m.retain(t, "", "")
	m.stop()
	m = startWith(t, engine.Options{Dir: dir}, true, true)
	m.raw(t, "DELETE", "/cont/b", "").want(t, 202, "")
	m.raw(t, "PUT", "/cont/b?comp=undelete", "").want(t, 200, "")
	if n := m.listed(t, "snapshots"); n != 1 {
		t.Errorf("%d snapshots came back, want 1", n)
	}
}
