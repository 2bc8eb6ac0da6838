package azure

// KeepsKeys is what is kept of blobs with a key of the customer's.
var KeepsKeys = documented("each snapshot and each version has a key of its own",
	customerKeys+"#encrypting-read-and-write-operations")

// putKeyedVersion writes the blob b with a key, and returns the id of the version.
func (p *blobProbe) putKeyedVersion(content string, k customerKey) string {
	p.putKeyed("b", content, k)
	return p.answers(p.raw("HEAD", "/b", "", k.with()...), 200, "").version()
}

// keysShown are the digests of keys in a list.
func (p *blobProbe) keysShown(include string, want ...customerKey) {
	l := p.list("&include=" + include)
	equal(p, "entries", len(l.Blobs), len(want))
	for i, k := range want {
		equal(p, "digest of the key in the list", l.Blobs[i].KeyDigest, k.digest)
	}
}

// blobCustomerKeysDeleted are blobs with a key of the customer's while the account keeps what is deleted.
func blobCustomerKeysDeleted() []blobCase {
	one, two := keyOf('1'), keyOf('2')
	return []blobCase{
		{"undelete a blob with a customer's key", OthersNeedNoKeys, kept(func(p *blobProbe) {
			p.putKeyed("b", "content", one, aColor)
			p.answers(p.raw("DELETE", "/b", ""), 202, "")
			p.keysShown("deleted", one)
			p.undelete("b")
			r := p.needsKey(one, "GET", "/b", "", 200)
			equal(p, "content", r.body, "content")
			equal(p, "metadata", r.header.Get("x-ms-meta-color"), "red")
			p.shows(r, one)
		})},
		{"what is overwritten keeps its customer's key", KeepsKeys, kept(func(p *blobProbe) {
			p.putKeyed("b", "one", one)
			p.putKeyed("b", "two", two)
			p.answers(p.raw("PUT", "/b", "three", aBlockBlob), 201, "")
			p.keysShown("deleted,snapshots", one, two, customerKey{})
			p.undelete("b")
			l := p.list("&include=snapshots")
			for i, k := range []customerKey{one, two} {
				r := p.needsKey(k, "GET", "/b?snapshot="+l.Blobs[i].Snapshot, "", 200)
				equal(p, "content", r.body, []string{"one", "two"}[i])
			}
			p.answers(p.raw("GET", "/b", "", two.with()...), 409, usesNoKey)
		})},
	}
}

// blobVersionKeys are versions with keys of the customer's.
func blobVersionKeys() []blobCase {
	one, two := keyOf('1'), keyOf('2')
	return []blobCase{
		{"each version has its customer's key", KeepsKeys, func(p *blobProbe) {
			first := p.putKeyedVersion("one", one)
			second := p.putKeyedVersion("two", two)
			third := p.putVersion("b", "three")
			p.keysShown("versions", one, two, customerKey{})
			for _, method := range []string{"GET", "HEAD"} {
				p.shows(p.needsKey(one, method, "/b?versionid="+first, "", 200), one)
				p.shows(p.needsKey(two, method, "/b?versionid="+second, "", 200), two)
				p.answers(p.raw(method, "/b?versionid="+third, "", two.with()...), 409, usesNoKey)
			}
			equal(p, "content", p.needsKey(one, "GET", "/b?versionid="+first, "", 200).body, "one")
			p.reads("b", third, "three")
		}},
		{"metadata of versions with a customer's key", KeepsKeys, func(p *blobProbe) {
			first := p.putKeyedVersion("content", one)
			second := p.needsKey(one, "PUT", "/b?comp=metadata", "", 200, aColor).version()
			for id, color := range map[string]string{first: "", second: "red"} {
				r := p.needsKey(one, "GET", "/b?versionid="+id, "", 200)
				equal(p, "content", r.body, "content")
				equal(p, "metadata", r.header.Get("x-ms-meta-color"), color)
			}
		}},
		{"snapshots of versions with a customer's key", KeepsKeys, func(p *blobProbe) {
			first := p.putKeyedVersion("content", one)
			r := p.needsKey(one, "PUT", "/b?comp=snapshot", "", 201)
			p.putKeyed("b", "another", two)
			for _, query := range []string{"versionid=" + first, "snapshot=" + r.header.Get("x-ms-snapshot"),
				"versionid=" + r.version()} {
				equal(p, "content", p.needsKey(one, "GET", "/b?"+query, "", 200).body, "content")
			}
			p.keysShown("versions,snapshots", one, one, one, two)
		}},
		{"copying a version with a customer's key", KeepsKeys, func(p *blobProbe) {
			source := "x-ms-copy-source: " + p.container.URL() + "/b?versionid=" +
				p.putKeyedVersion("one", one) + "&" + p.sas
			p.putVersion("b", "two")
			const refused = "CannotVerifyCopySource"
			p.answers(p.raw("PUT", "/b", "", source), 409, refused)
			p.answers(p.raw("PUT", "/b", "", append(two.ofSource(), source, aBlockBlob)...), 409, refused)
			p.answers(p.raw("PUT", "/b", "", append(one.ofSource(), source, aBlockBlob)...), 201, "")
			equal(p, "content", p.answers(p.raw("GET", "/b", ""), 200, "").body, "one")
		}},
		{"deleted versions with a customer's key", KeepsKeys, kept(func(p *blobProbe) {
			first := p.putKeyedVersion("one", one)
			second := p.putKeyedVersion("two", two)
			p.answers(p.raw("DELETE", "/b", ""), 202, "")
			p.answers(p.ask("DELETE", p.name+"/b?versionid="+first, ""), 202, "")
			p.keysShown("versions,deleted", one, two)
			p.undelete("b")
			equal(p, "content", p.needsKey(one, "GET", "/b?versionid="+first, "", 200).body, "one")
			equal(p, "content", p.needsKey(two, "GET", "/b?versionid="+second, "", 200).body, "two")
		})},
	}
}
