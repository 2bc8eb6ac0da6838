package dynamodb

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// Tags of tables (API Reference, "TagResource"; Developer Guide, "Tagging restrictions in DynamoDB").

const (
	maxTags     = 50
	maxTagKey   = 128 // characters
	maxTagValue = 256
)

// tagsOf checks tags.
func tagsOf(given []tagInput) (map[string]string, error) {
	var found checks
	tags := map[string]string{}
	for i, tag := range given {
		at := "tags." + itoa(i+1) + ".member."
		if tag.Key == nil {
			found.missing(at + "key")
			continue
		}
		if tag.Value == nil {
			found.missing(at + "value")
			continue
		}
		found.length(utf8.RuneCountInString(*tag.Key), *tag.Key, at+"key", 1, maxTagKey)
		found.length(utf8.RuneCountInString(*tag.Value), *tag.Value, at+"value", 0, maxTagValue)
		if _, twice := tags[*tag.Key]; twice {
			return nil, invalid("One or more parameter values are not valid. Duplicate tag keys found: %s", *tag.Key)
		}
		tags[*tag.Key] = *tag.Value
	}
	if p := found.problem(); p != nil {
		return nil, p
	}
	if len(tags) > maxTags {
		return nil, refuse(kindLimit, "Subscriber limit exceeded: Number of tags for resource exceeds the limit of 50")
	}
	return tags, nil
}

// resource returns the table of an ARN. operation is named in the error for something that is not an ARN.
func (c *call) resource(arn *string, operation string) (*table, error) {
	if arn == nil {
		return nil, invalid("Invalid TableArn")
	}
	parts := strings.SplitN(*arn, ":", 6)
	if len(parts) != 6 || !strings.Contains(parts[5], "/") {
		return nil, refuse(kindAccessDenied,
			"User: arn:aws:iam::%s:storespec is not authorized to perform: dynamodb:%s on "+
				"resource: %s", accountNumber, operation, *arn)
	}
	name := strings.TrimPrefix(parts[5], "table/")
	if !strings.HasPrefix(*arn, "arn:aws:dynamodb:") || !strings.HasPrefix(parts[5], "table/") || len(name) < 3 ||
		!isName(name) {
		return nil, invalid("Invalid TableArn: Invalid ResourceArn provided as input %s", *arn)
	}
	if t := c.account.tables[name]; t != nil && parts[3] == c.account.id.region {
		return t, nil
	}
	return nil, refuse(kindNotFound, "Requested resource not found: ResourcArn: %s not found", *arn)
}

func tagResource(c *call) error {
	var in struct {
		ResourceArn *string
		Tags        *[]tagInput
	}
	if err := decode(c.body, &in); err != nil {
		return err
	}
	t, err := c.resource(in.ResourceArn, "TagResource")
	if err != nil {
		return err
	}
	var found checks
	if in.Tags == nil {
		found.missing("tags")
		return found.problem()
	}
	if len(*in.Tags) == 0 {
		return invalid("Atleast one Tag needs to be provided as Input.")
	}
	tags, err := tagsOf(*in.Tags)
	if err != nil {
		return err
	}
	d := t.definition
	d.Tags = maps.Clone(d.Tags)
	if d.Tags == nil {
		d.Tags = map[string]string{}
	}
	maps.Copy(d.Tags, tags)
	if len(d.Tags) > maxTags {
		return refuse(kindLimit, "Subscriber limit exceeded: Number of tags for resource exceeds the limit of 50")
	}
	return c.change(d, t)
}

func untagResource(c *call) error {
	var in struct {
		ResourceArn *string
		TagKeys     *[]string
	}
	if err := decode(c.body, &in); err != nil {
		return err
	}
	t, err := c.resource(in.ResourceArn, "UntagResource")
	if err != nil {
		return err
	}
	var found checks
	if in.TagKeys == nil {
		found.missing("tagKeys")
		return found.problem()
	}
	if len(*in.TagKeys) == 0 {
		return invalid("Atleast one Tag Key needs to be provided as Input.")
	}
	d := t.definition
	d.Tags = maps.Clone(d.Tags)
	for _, key := range *in.TagKeys {
		delete(d.Tags, key)
	}
	return c.change(d, t)
}

// change stores a definition whose answer is empty.
func (c *call) change(d definition, was *table) error {
	b := c.account.engine.NewBatch()
	defer b.Discard()
	_, err := c.account.store(b, d, was)
	c.out = []byte{}
	return err
}

// tagsPerPage is how many tags a page of ListTagsOfResource has.
const tagsPerPage = 10

func listTags(c *call) error {
	var in struct{ ResourceArn, NextToken *string }
	if err := decode(c.body, &in); err != nil {
		return err
	}
	t, err := c.resource(in.ResourceArn, "ListTagsOfResource")
	if err != nil {
		return err
	}
	type tag struct{ Key, Value string }
	page := []tag{}
	next := ""
	for _, key := range slices.Sorted(maps.Keys(t.Tags)) {
		if in.NextToken != nil && key <= *in.NextToken {
			continue
		}
		if len(page) == tagsPerPage {
			next = page[len(page)-1].Key
			break
		}
		page = append(page, tag{key, t.Tags[key]})
	}
	out := map[string]any{"Tags": page}
	if next != "" {
		out["NextToken"] = next
	}
	return c.json(out)
}
