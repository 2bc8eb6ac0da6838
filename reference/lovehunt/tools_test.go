package lovehunt_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"

	"github.com/storespec/storespec/reference/lovehunt"
)

// many is more calls than any tool makes in these tests.
const many = 400

// everywhere runs a tool that is killed after 0, 1, 2 … calls and then run again, each time on an account of its own,
// until it is not killed any more.
func everywhere(t *testing.T, prepare func(t *testing.T) account, phase string,
	run func(*testing.T, *lovehunt.Tools) error, check func(*testing.T, account)) {
	t.Helper()
	for calls := range many {
		a := prepare(t)
		killed := run(t, a.tools(t, phase, dieAfter(calls, a.storage)))
		if err := run(t, a.tools(t, phase, nil)); err != nil {
			t.Fatalf("killed after %d calls, and run again: %v", calls, err)
		}
		if check(t, a); t.Failed() {
			t.Fatalf("killed after %d calls", calls)
		}
		if killed == nil {
			t.Logf("killed at each of %d calls", calls)
			return
		}
	}
	t.Fatalf("it makes more than %d calls", many)
}

func blobs(t *testing.T) account {
	t.Helper()
	a := lease(t)
	a.fill(t, 2, 3, 2)
	a.start(t, "blob-only").ask(http.MethodPut, "/api/v2/app", `{"limit":3}`, 200)
	a.start(t, "dual-write").ask(http.MethodDelete, "/api/v2/hunts/org-001/hunt-001", "", 204)
	return a
}

func migrated(t *testing.T) account {
	t.Helper()
	a := blobs(t)
	if _, err := a.tools(t, "dual-write", nil).Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return a
}

// agrees fails the test unless every record agrees in a phase, and there are count of them.
func agrees(t *testing.T, a account, phase string, count int) {
	t.Helper()
	found, err := a.tools(t, phase, nil).Compare(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if found.Records != count || found.Share() != 1 {
		t.Errorf("%d of %d records agree in %s, of %d: %v", found.Agree, found.Records, phase, count, found.Wrong)
	}
}

// The AppData, 2 organizations and 5 hunts, each with one date.
const all = 13

func TestMigrateMayBeKilledAtAnyCall(t *testing.T) {
	everywhere(t, blobs, "dual-write", func(t *testing.T, tools *lovehunt.Tools) error {
		_, err := tools.Migrate(t.Context())
		return err
	}, func(t *testing.T, a account) {
		for _, phase := range []string{"dual-write", "tables-first", "tables-only"} {
			agrees(t, a, phase, all)
		}
		a.start(t, "tables-only").ask(http.MethodGet, "/api/v2/hunts/org-001/hunt-001", "", 404)
	})
}

// A transaction takes 4 MiB; what these hunts hold cannot be compressed.
func TestMigrateLargeHunts(t *testing.T) {
	const hunts = 12
	a := lease(t)
	a.fill(t, 1, hunts, 1)
	a.enlarge(t, "orgs/org-000.json")
	counted := &counting{a.storage, make(chan string, many)}
	report, err := a.tools(t, "dual-write", counted).Migrate(t.Context())
	if err != nil || report.Hunts != hunts {
		t.Fatalf("%+v, %v", report, err)
	}
	// Each has 400 KiB as it is stored. One by one they would take 12 writes.
	if len(counted.writes) > 6 {
		t.Errorf("%d writes", len(counted.writes))
	}
	agrees(t, a, "dual-write", 2*hunts+1)
}

// enlarge gives each hunt in an organization's blob a description of 400 KiB. Creating hunts of that size would rewrite
// the blob for each of them.
func (a account) enlarge(t *testing.T, blob string) {
	t.Helper()
	in, err := container.NewClientFromConnectionString(a.env["AZURE_STORAGE_CONNECTION_STRING"],
		a.config(t, "blob-only").Container, &container.ClientOptions{
			ClientOptions: policy.ClientOptions{Transport: &http.Client{Transport: a.storage}}})
	if err != nil {
		t.Fatal(err)
	}
	client := in.NewBlockBlobClient(blob)
	found, err := client.DownloadStream(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(found.Body)
	if err != nil {
		t.Fatal(err)
	}
	random, noise := rand.NewChaCha8([32]byte{}), make([]byte, 300<<10)
	larger := regexp.MustCompile(`"huntName":`).ReplaceAllFunc(text, func(name []byte) []byte {
		_, _ = random.Read(noise) // never fails
		return fmt.Appendf(nil, `"description":%q,%s`, base64.StdEncoding.EncodeToString(noise), name)
	})
	if len(larger) < 4<<20 {
		t.Fatalf("the blob has %d bytes, so that a transaction takes all of it", len(larger))
	}
	if _, err = client.UploadBuffer(t.Context(), larger, nil); err != nil {
		t.Fatal(err)
	}
}

func TestASecondMigrationWritesNothing(t *testing.T) {
	a := migrated(t)
	for _, phase := range []string{"blob-only", "dual-write", "tables-first"} {
		counted := &counting{a.storage, make(chan string, many)}
		report, err := a.tools(t, phase, counted).Migrate(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(counted.writes) > 0 || report.Hunts+report.Index+report.Organizations+report.Marked > 0 {
			t.Errorf("in %s: %d writes, first %s; %+v", phase, len(counted.writes), <-counted.writes, report)
		}
	}
}

// In blob-only the blob is the truth: what was changed and deleted there since the last migration follows.
func TestMigrateFollowsBlobsInBlobOnly(t *testing.T) {
	everywhere(t, func(t *testing.T) account {
		a := migrated(t)
		s := a.start(t, "blob-only")
		s.ask(http.MethodPut, "/api/v2/hunts/org-000/hunt-000",
			`{"huntName":"Changed","startDate":"2025-01-01","endDate":"2025-01-02"}`, 200)
		s.ask(http.MethodDelete, "/api/v2/hunts/org-000/hunt-001", "", 204)
		return a
	}, "blob-only", func(t *testing.T, tools *lovehunt.Tools) error {
		_, err := tools.Migrate(t.Context())
		return err
	}, func(t *testing.T, a account) { agrees(t, a, "dual-write", all-1) }) // one hunt less, one date more
}

func TestRepairMayBeKilledAtAnyCall(t *testing.T) {
	everywhere(t, func(t *testing.T) account {
		a := migrated(t)
		s := a.start(t, "tables-only") // which leaves the blobs behind
		s.ask(http.MethodPut, "/api/v2/hunts/org-000/hunt-000",
			`{"huntName":"Changed","startDate":"2025-01-01","endDate":"2025-01-01"}`, 200)
		s.ask(http.MethodDelete, "/api/v2/hunts/org-000/hunt-001", "", 204)
		s.ask(http.MethodPost, "/api/v2/hunts/org-001",
			`{"huntId":"new","huntName":"New","startDate":"2025-01-01","endDate":"2025-01-01"}`, 201)
		return a
	}, "tables-only", func(t *testing.T, tools *lovehunt.Tools) error {
		_, err := tools.Repair(t.Context(), true)
		return err
	}, func(t *testing.T, a account) { agrees(t, a, "dual-write", all) })
}

func TestArchiveMayBeKilledAtAnyCall(t *testing.T) {
	everywhere(t, migrated, "tables-only", func(t *testing.T, tools *lovehunt.Tools) error {
		_, err := tools.Archive(t.Context())
		return err
	}, func(t *testing.T, a account) {
		agrees(t, a, "tables-only", all)
		s := a.start(t, "blob-only")
		s.ask(http.MethodGet, "/api/v2/organizations/org-000", "", 404)
		s.ask(http.MethodGet, "/api/v2/app", "", 404)
	})
}

func TestArchiveWaitsForTheMigration(t *testing.T) {
	for phase, a := range map[string]account{"tables-only": blobs(t), "tables-first": migrated(t)} {
		moved, err := a.tools(t, phase, nil).Archive(t.Context())
		if !errors.Is(err, lovehunt.ErrNotReady) || moved > 0 {
			t.Errorf("in %s: %d put aside, %v", phase, moved, err)
		}
	}
}

func TestRestoreMayBeKilledAtAnyCall(t *testing.T) {
	var saved bytes.Buffer
	source := migrated(t)
	if rows, err := source.tools(t, "tables-only", nil).Backup(t.Context(), &saved); rows != all || err != nil {
		t.Fatalf("%d rows, %v", rows, err)
	}
	empty := func(t *testing.T) account { return lease(t) }
	everywhere(t, empty, "tables-only", func(t *testing.T, tools *lovehunt.Tools) error {
		_, err := tools.Restore(t.Context(), bytes.NewReader(saved.Bytes()), false)
		return err
	}, func(t *testing.T, a account) { agrees(t, a, "tables-only", all) })
}

func TestRestoreRefuses(t *testing.T) {
	var saved bytes.Buffer
	a := migrated(t)
	if _, err := a.tools(t, "tables-only", nil).Backup(t.Context(), &saved); err != nil {
		t.Fatal(err)
	}
	a.start(t, "tables-only").ask(http.MethodDelete, "/api/v2/hunts/org-000/hunt-000", "", 204)
	a.start(t, "tables-only").ask(http.MethodPost, "/api/v2/organizations", `{"slug":"new","orgName":"New"}`, 201)
	lines := bytes.SplitAfter(saved.Bytes(), []byte("\n"))
	for name, test := range map[string]struct {
		data    []byte
		replace bool
		want    error
	}{
		"tables with other rows": {saved.Bytes(), false, lovehunt.ErrNotEmpty},
		"an end that is missing": {bytes.Join(lines[:len(lines)-2], nil), true, lovehunt.ErrBackup},
		"a row that is missing":  {bytes.Join(lines[1:], nil), true, lovehunt.ErrBackup},
		"another file":           {[]byte("{}\n"), true, lovehunt.ErrBackup},
	} {
		changed, err := a.tools(t, "tables-only", nil).Restore(t.Context(), bytes.NewReader(test.data), test.replace)
		if changed != 0 || !errors.Is(err, test.want) {
			t.Errorf("%s: %d rows changed, %v", name, changed, err)
		}
	}
	if _, err := a.tools(t, "tables-only", nil).Restore(t.Context(), &saved, true); err != nil {
		t.Fatal(err)
	}
	agrees(t, a, "tables-only", all)
}
