package azure

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
)

// SignedIdentifier is a stored access policy of a table or a container. The signature that names the policy supplies
// the empty fields.
// https://learn.microsoft.com/rest/api/storageservices/define-stored-access-policy
type SignedIdentifier struct {
	ID         string `xml:"Id"`
	Start      string `xml:"AccessPolicy>Start,omitempty"`
	Expiry     string `xml:"AccessPolicy>Expiry,omitempty"`
	Permission string `xml:"AccessPolicy>Permission,omitempty"`
}

// policyTime is the format in which policies are answered: 100 ns, whatever was sent.
const policyTime = "2006-01-02T15:04:05.0000000Z"

const (
	maxIdentifiers  = 5
	maxIdentifierID = 64 // characters
)

type signedIdentifiers struct {
	XMLName xml.Name           `xml:"SignedIdentifiers"`
	List    []SignedIdentifier `xml:"SignedIdentifier"`
}

// ParseIdentifiers reads the body of Set Table ACL and Set Container ACL; an empty one deletes all policies. The
// permissions are for the service to check. Problem: InvalidXmlDocument, for anything that is wrong.
func ParseIdentifiers(body []byte) ([]SignedIdentifier, *Problem) {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, nil
	}
	var parsed signedIdentifiers
	if err := DecodeXML(body, &parsed); err != nil || len(parsed.List) > maxIdentifiers {
		return nil, InvalidXML()
	}
	for i, s := range parsed.List {
		start, badStart := normalTime(s.Start)
		expiry, badExpiry := normalTime(s.Expiry)
		if s.ID == "" || len([]rune(s.ID)) > maxIdentifierID || badStart != nil || badExpiry != nil ||
			slices.ContainsFunc(parsed.List[:i], func(o SignedIdentifier) bool { return o.ID == s.ID }) {
			return nil, InvalidXML()
		}
		parsed.List[i].Start, parsed.List[i].Expiry = start, expiry
	}
	return parsed.List, nil
}

// normalTime returns a policy's time as it is answered; empty for none.
func normalTime(sent string) (string, error) {
	t, err := parseSASTime(sent)
	if err != nil || sent == "" {
		return "", err
	}
	return t.Format(policyTime), nil
}

// EncodeIdentifiers returns the body of the answers to Get Table ACL and Get Container ACL. ParseIdentifiers reads it
// back.
func EncodeIdentifiers(list []SignedIdentifier) ([]byte, error) {
	return encodeXML(signedIdentifiers{List: list})
}

func invalidNode(name, value string) *Problem {
	return NewProblem(400, "InvalidXmlNodeValue", "The value for one of the XML nodes is not in the correct format.").
		With("XmlNodeName", name).With("XmlNodeValue", value)
}

// DecodeXML reads one document, with nothing but white space around it.
func DecodeXML(body []byte, into any) error {
	d := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(body, []byte("\ufeff"))))
	if err := d.Decode(into); err != nil {
		return err
	}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if text, ok := token.(xml.CharData); ok && len(bytes.TrimSpace(text)) > 0 {
			return errors.New("text after the document")
		}
		if _, ok := token.(xml.StartElement); ok {
			return errors.New("a second document")
		}
	}
}

func encodeXML(document any) ([]byte, error) {
	encoded, err := xml.Marshal(document)
	if err != nil {
		return nil, err
	}
	return append([]byte(`<?xml version="1.0" encoding="utf-8"?>`), encoded...), nil
}
