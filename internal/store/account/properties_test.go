package account

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/internal/store"
)

func TestPropertiesOfABlob(t *testing.T) {
	for _, name := range []string{"embedded", "azurite"} {
		t.Run(name, func(t *testing.T) {
			if name == "azurite" {
				needNode(t)
			}
			objects := mustLease(t, openStore(t, store.Options{Name: name})).Objects()
			described, ctx := objects.(store.Described), t.Context()
			if found, err := described.Properties(ctx, "state", "a/b"); err != nil || found != nil {
				t.Errorf("a missing blob has %v, %v", found, err)
			}
			if err := objects.Put(ctx, "state", "a/b", []byte("x")); err != nil {
				t.Fatal(err)
			}
			for _, step := range []struct{ set, want map[string]string }{
				{map[string]string{"Content-Type": "text/csv", "metadata Owner": "ana"},
					map[string]string{"Content-Type": "text/csv", "metadata owner": "ana"}},
				{map[string]string{"Cache-Control": "no-store", "metadata kind": "list"},
					map[string]string{"Content-Type": "text/csv", "Cache-Control": "no-store", "metadata owner": "ana",
						"metadata kind": "list"}},
				{map[string]string{"Cache-Control": "", "metadata owner": ""},
					map[string]string{"Content-Type": "text/csv", "metadata kind": "list"}},
			} {
				if err := described.SetProperties(ctx, "state", "a/b", step.set); err != nil {
					t.Fatal(err)
				}
				found, err := described.Properties(ctx, "state", "a/b")
				if diff := cmp.Diff(step.want, found); diff != "" || err != nil {
					t.Errorf("after %v (-want +got):\n%s%v", step.set, diff, err)
				}
			}
			if content, err := objects.Get(ctx, "state", "a/b"); err != nil || string(content) != "x" {
				t.Errorf("the blob holds %q, %v", content, err)
			}
			if err := described.SetProperties(ctx, "state", "none", nil); err == nil {
				t.Error("a missing blob has properties")
			}
		})
	}
}
