package blobs

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"net/http"
	"reflect"
	"testing"
)

// TestRowsWithoutKeys decodes rows as they were before there were keys, and before there were versions.
func TestRowsWithoutKeys(t *testing.T) {
	rec := record{kind: blockBlob, etag: 5, tier: tier{"Archive", 5, "Cool", true}, inline: []byte("inline")}
	for lacks, cut := range map[string]int{
		"versions":          2, // two numbers
		"keys and versions": 3, // and the length of a key
	} {
		head := rec.append(nil)
		head = head[:len(head)-len(rec.inline)-cut]
		binary.BigEndian.PutUint32(head[3:], uint32(len(head)-7))
		var got record
		if err := got.decode(append(head, rec.inline...)); err != nil || !reflect.DeepEqual(got, rec) {
			t.Errorf("a blob's row without %s: %v, %+v", lacks, err, got)
		}
	}
	block := stagedBlock{id: "id", chunk: "chunk", size: 7}
	row := block.value()
	if got, err := decodeStaged("id", row[:len(row)-1]); err != nil || got != block {
		t.Errorf("a block's row: %v, %+v", err, got)
	}
}

// TestRowsWithKeys decodes rows of what has a key.
func TestRowsWithKeys(t *testing.T) {
	digest := sha256.Sum256([]byte("key"))
	for name, rec := range map[string]record{
		"a key": {kind: pageBlob, key: string(digest[:]), inline: []byte{}},
		"a key and a pending tier": {kind: blockBlob, key: string(digest[:]), tier: tier{"Archive", 5, "Hot", false},
			inline: []byte("inline")},
	} {
		var got record
		if err := got.decode(rec.append(nil)); err != nil || !reflect.DeepEqual(got, rec) {
			t.Errorf("%s: %v, %+v", name, err, got)
		}
	}
	block := stagedBlock{id: "id", chunk: "chunk", size: 7, key: string(digest[:])}
	if got, err := decodeStaged("id", block.value()); err != nil || got != block {
		t.Errorf("a block's row: %v, %+v", err, got)
	}
}

// FuzzCustomerKey finds no digest but that of a key of 32 bytes, and no key in an error.
func FuzzCustomerKey(f *testing.F) {
	key := bytes.Repeat([]byte{7}, 32)
	digest := sha256.Sum256(key)
	text := base64.StdEncoding.EncodeToString
	f.Add(text(key), text(digest[:]), "AES256", false)
	f.Add(text(key), "", "", true)
	f.Add("mumbojumbo", "mumbojumbohash", "AES256", false)
	f.Fuzz(func(t *testing.T, key, sent, algorithm string, reads bool) {
		n := ownKey()
		got, p := n.parse(http.Header{n.key: {key}, n.digest: {sent}, n.algorithm: {algorithm}}, reads)
		switch {
		case p != nil && (p.Status != 400 || got != ""):
			t.Fatalf("%d, and a digest %x", p.Status, got)
		case p != nil:
			for _, d := range p.Extra {
				if d.Value == key && key != algorithm {
					t.Fatalf("%s is the key", d.Name)
				}
			}
		case got != "":
			raw, err := base64.StdEncoding.DecodeString(key)
			if sum := sha256.Sum256(raw); err != nil || len(raw) != 32 || got != string(sum[:]) {
				t.Fatalf("digest %x of %q", got, key)
			}
		}
	})
}
