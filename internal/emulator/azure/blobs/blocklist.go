package blobs

import (
	"encoding/base64"
	"encoding/xml"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azure"
)

const (
	// maxBlocks is the maximum number of blocks of a blob.
	maxBlocks = 50_000
	// maxBlockListBytes has room for maxBlocks entries with the longest ids and element names.
	maxBlockListBytes = 8 << 20
)

// blockRef is an entry of a block list: an id, and the list of blocks to look it up in.
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

// parseBlockList parses the body of Put Block List; an empty list makes an empty blob. Problems: InvalidXmlDocument,
// InvalidBlockId, BlockListTooLong.
func parseBlockList(data []byte) ([]blockRef, *azure.Problem) {
	var document struct {
		XMLName xml.Name `xml:"BlockList"`
		Text    string   `xml:",chardata"` // white space between the elements
		Blocks  []struct {
			XMLName  xml.Name
			ID       string     `xml:",chardata"`
			Elements []struct{} `xml:",any"`
		} `xml:",any"`
	}
	if err := azure.DecodeXML(data, &document); err != nil || strings.TrimSpace(document.Text) != "" {
		return nil, azure.InvalidXML()
	}
	var list []blockRef
	for _, block := range document.Blocks {
		id, name := strings.TrimSpace(block.ID), block.XMLName.Local
		if name != committedList && name != uncommittedList && name != latestList || len(block.Elements) > 0 {
			return nil, azure.InvalidXML()
		}
		if raw, err := base64.StdEncoding.DecodeString(id); err != nil || len(raw) == 0 || len(raw) > maxBlockID {
			return nil, invalidBlockID()
		}
		if len(list) == maxBlocks {
			return nil, blockListTooLong()
		}
		list = append(list, blockRef{id, name})
	}
	return list, nil
}
