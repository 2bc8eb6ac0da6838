package blobs

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azure"
)

const (
	// maxBlocks is how many blocks a blob may have.
	maxBlocks = 50_000
	// maxBlockListBytes is room for as many with the longest ids and element names.
	maxBlockListBytes = 8 << 20
)

// blockRef is an entry of a block list: an id, and in which list of blocks it is looked for.
type blockRef struct {
	id   string
	list string
}

// The lists of blocks, spelled as in the request's body.
const (
	committedList   = "Committed"
	uncommittedList = "Uncommitted"
	latestList      = "Latest" // the uncommitted ones first, then the committed
)

// parseBlockList reads the body of Put Block List; an empty list makes an empty blob.
// Problems: InvalidXmlDocument, InvalidBlockId, BlockListTooLong.
func parseBlockList(data []byte) ([]blockRef, *azure.Problem) {
	d := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	if start, err := nextElement(d); err != nil || start.Name.Local != "BlockList" {
		return nil, azure.InvalidXML()
	}
	var list []blockRef
	for {
		start, err := nextElement(d)
		if errors.Is(err, errEndElement) {
			return list, endOfDocument(d)
		}
		if err != nil {
			return nil, azure.InvalidXML()
		}
		name := start.Name.Local
		if name != committedList && name != uncommittedList && name != latestList {
			return nil, azure.InvalidXML()
		}
		id, err := elementText(d)
		if err != nil {
			return nil, azure.InvalidXML()
		}
		if raw, err := base64.StdEncoding.DecodeString(id); err != nil || len(raw) == 0 || len(raw) > maxBlockID {
			return nil, invalidBlockID()
		}
		if len(list) == maxBlocks {
			return nil, azure.NewProblem(http.StatusBadRequest, "BlockListTooLong", "The block list may not contain more than 50,000 blocks.")
		}
		list = append(list, blockRef{id, name})
	}
}

// endOfDocument: nothing but white space and comments may follow.
func endOfDocument(d *xml.Decoder) *azure.Problem {
	if _, err := nextElement(d); !errors.Is(err, io.EOF) {
		return azure.InvalidXML()
	}
	return nil
}

var (
	errEndElement = errors.New("end of element")
	errText       = errors.New("text between elements")
)

// nextElement moves to the next start of an element. errEndElement: the current one has ended.
func nextElement(d *xml.Decoder) (xml.StartElement, error) {
	for {
		token, err := d.Token()
		if err != nil {
			return xml.StartElement{}, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			return t, nil
		case xml.EndElement:
			return xml.StartElement{}, errEndElement
		case xml.CharData:
			if len(bytes.TrimSpace(t)) > 0 {
				return xml.StartElement{}, errText
			}
		}
	}
}

// elementText is the text of the element just begun, which has no elements in it.
func elementText(d *xml.Decoder) (string, error) {
	var text strings.Builder
	for {
		token, err := d.Token()
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.CharData:
			text.Write(t)
		case xml.EndElement:
			return strings.TrimSpace(text.String()), nil
		case xml.StartElement:
			return "", errText
		}
	}
}
