package azure

import (
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
)

// blobTags are tags and what is found by them.
func blobTags() []blobCase {
	return []blobCase{
		{"tags", nil, func(p *blobProbe) {
			b := p.put("b", "x")
			before := result(b.GetProperties(p.Context(), nil))(p)
			p.works(b.SetTags(p.Context(), map[string]string{"a": "1", "b c": "2+3"}, nil))
			res := result(b.GetTags(p.Context(), nil))(p)
			equal(p, "tags", len(res.BlobTagSet), 2)
			after := result(b.GetProperties(p.Context(), nil))(p)
			value(p, "ETag", after.ETag, *before.ETag)
			value(p, "tag count", after.TagCount, 2)
		}},
		{"at most ten tags", nil, func(p *blobProbe) {
			b := p.put("b", "x")
			tags := map[string]string{}
			for i := range 10 {
				tags[fmt.Sprint(i)] = "x"
			}
			p.works(b.SetTags(p.Context(), tags, nil))
			tags["10"] = "x"
			p.fails(400, "TagsTooLarge")(b.SetTags(p.Context(), tags, nil))
			res := result(b.GetTags(p.Context(), nil))(p)
			equal(p, "tags", len(res.BlobTagSet), 10)
		}},
		{"tags with other characters", nil, func(p *blobProbe) {
			b := p.put("b", "x")
			_, err := b.SetTags(p.Context(), map[string]string{"a": "1?"}, nil)
			p.status(err, 400)
		}},
		{"find blobs by tags", nil, func(p *blobProbe) {
			for name, tags := range map[string]map[string]string{"one": {"n": "1", "m": "x"}, "two": {"n": "2"},
				"three": {"m": "x"}} {
				p.works(p.put(name, "x").SetTags(p.Context(), tags, nil))
			}
			find := func(where string) string {
				res := result(p.container.FilterBlobs(p.Context(), where, nil))(p)
				var names []string
				for _, b := range res.Blobs {
					names = append(names, *b.Name)
				}
				return strings.Join(names, " ")
			}
			equal(p, "n = 1", find("n = '1'"), "one")
			equal(p, "n >= 1", find("n >= '1'"), "one two")
			equal(p, "n > 1 AND n < 3", find("n > '1' AND n < '3'"), "two")
			equal(p, "n = 1 AND m = x", find("\"n\" = '1' AND \"m\" = 'x'"), "one")
			res := result(p.service.FilterBlobs(p.Context(), "@container = '"+p.name+"' AND m = 'x'", nil))(p)
			equal(p, "in the account", len(res.Blobs), 2)
		}},
	}
}

// recorder keeps the body of the last answer to an SDK.
type recorder struct {
	client *http.Client
	body   string
}

func (r *recorder) Do(req *http.Request) (*http.Response, error) {
	res, err := r.client.Do(req)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(res.Body)
	_ = res.Body.Close() // it was read
	r.body, res.Body = string(body), io.NopCloser(strings.NewReader(string(body)))
	return res, err
}

// blobBatches are several requests in one, and conditions on a tier.
func blobBatches() []blobCase {
	return []blobCase{
		{"delete in a batch", nil, func(p *blobProbe) {
			p.put("a", "x")
			p.put("b/c d", "x")
			batch := result(p.container.NewBatchBuilder())(p)
			p.OK(batch.Delete("a", nil))
			p.OK(batch.Delete("b/c d", nil))
			p.OK(batch.Delete("none", nil))
			res := result(p.container.SubmitBatch(p.Context(), batch, nil))(p)
			equal(p, "answers", len(res.Responses), 3)
			for _, r := range res.Responses {
				if strings.HasSuffix(*r.BlobName, "none") {
					p.code(r.Error, 404, "BlobNotFound")
				} else {
					p.OK(r.Error)
				}
			}
			equal(p, "left", p.list("").names(), "")
		}},
		{"headers of a batch's parts are in small letters", nil, func(p *blobProbe) {
			var answer recorder
			answer.client = p.account.Client
			client := result(container.NewClientFromConnectionString(p.account.Connection, p.name,
				&container.ClientOptions{ClientOptions: policy.ClientOptions{Transport: &answer}}))(p)
			batch := result(client.NewBatchBuilder())(p)
			p.OK(batch.Delete("none", nil))
			p.works(client.SubmitBatch(p.Context(), batch, nil))
			if !strings.Contains(answer.body, "\r\nx-ms-error-code: BlobNotFound\r\n") {
				p.Fatalf("no x-ms-error-code in\n%s", answer.body)
			}
		}},
		{"set tiers in a batch", nil, func(p *blobProbe) {
			b := p.put("a", "x")
			batch := result(p.container.NewBatchBuilder())(p)
			p.OK(batch.SetTier("a", blob.AccessTierCool, &container.BatchSetTierOptions{}))
			p.works(p.container.SubmitBatch(p.Context(), batch, nil))
			props := result(b.GetProperties(p.Context(), nil))(p)
			value(p, "tier", props.AccessTier, string(blob.AccessTierCool))
		}},
		{"delete conditions on the tier's change", ConditionsOnTierChange, func(p *blobProbe) {
			b := p.put("b", "x")
			p.works(b.SetTier(p.Context(), blob.AccessTierCool, nil))
			props := result(b.GetProperties(p.Context(), nil))(p)
			later := props.AccessTierChangeTime.Add(10e9)
			p.fails(412, "AccessTierChangeTimeConditionNotMet")(b.Delete(p.Context(),
				&blob.DeleteOptions{AccessTierConditions: &blob.AccessTierConditions{IfModifiedSince: to.Ptr(later)}}))
		}},
	}
}
