package namespace

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/internal/store"
)

func TestMetadataOfAKey(t *testing.T) {
	for _, name := range []string{"embedded", "workerd"} {
		t.Run(name, func(t *testing.T) {
			if name == "workerd" {
				needNode(t)
			}
			l, err := open(t, store.Options{Name: name}).Lease(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			objects, ctx := l.Objects(), t.Context()
			described := objects.(store.Described)
			if found, err := described.Properties(ctx, "", "note:a b"); err != nil || found != nil {
				t.Errorf("a key that is not there has %v, %v", found, err)
			}
			if err := described.SetProperties(ctx, "", "note:a b", nil); err == nil {
				t.Error("a key that is not there has got metadata")
			}
			if err := objects.Put(ctx, "", "note:a b", []byte("x")); err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{`{"owner":"ana"}`, `[1]`, ""} {
				set := map[string]string{"metadata": text}
				if err := described.SetProperties(ctx, "", "note:a b", set); err != nil {
					t.Fatal(err)
				}
				want := map[string]string{}
				if text != "" {
					want["metadata"] = text
				}
				found, err := described.Properties(ctx, "", "note:a b")
				if diff := cmp.Diff(want, found); diff != "" || err != nil {
					t.Errorf("with %q (-want +got):\n%s%v", text, diff, err)
				}
			}
			if content, err := objects.Get(ctx, "", "note:a b"); err != nil || string(content) != "x" {
				t.Errorf("the key holds %q, %v", content, err)
			}
			if at, _, err := objects.(store.Expiring).Expires(ctx, "", "note:a b"); err != nil || !at.IsZero() {
				t.Errorf("the key expires at %v, %v", at, err)
			}
		})
	}
}
