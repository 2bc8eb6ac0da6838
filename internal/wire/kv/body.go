package kv

import (
	"encoding/json"
	"strconv"
)

// bulkKeys returns the keys that the body of a bulk request names: {"keys": […]}, a list of keys, or a list of pairs.
// There are none before the whole body has passed.
func bulkKeys(body []byte) []string {
	var query struct {
		Keys []string `json:"keys"`
	}
	if json.Unmarshal(body, &query) == nil {
		return query.Keys
	}
	var keys []string
	if json.Unmarshal(body, &keys) == nil {
		return keys
	}
	var pairs []struct {
		Key string `json:"key"`
	}
	if json.Unmarshal(body, &pairs) != nil {
		return nil
	}
	keys = nil
	for _, pair := range pairs {
		keys = append(keys, pair.Key)
	}
	return keys
}

// errorCode returns the code of the first error in Cloudflare's envelope, or "".
func errorCode(body []byte) string {
	var answer struct {
		Errors []struct {
			Code int `json:"code"`
		} `json:"errors"`
	}
	if json.Unmarshal(body, &answer) != nil || len(answer.Errors) == 0 {
		return ""
	}
	return strconv.Itoa(answer.Errors[0].Code)
}

// listed counts the keys or values in an answer, and says whether there are more. ok is false for another form.
func listed(body []byte, of address) (found int, more, ok bool) {
	switch {
	case of.class() == BulkGet:
		values := map[string]json.RawMessage{}
		var answer struct {
			Result struct {
				Values map[string]json.RawMessage `json:"values"`
			} `json:"result"`
		}
		if of.dialect == rest {
			if json.Unmarshal(body, &answer) != nil {
				return 0, false, false
			}
			values = answer.Result.Values
		} else if json.Unmarshal(body, &values) != nil {
			return 0, false, false
		}
		for _, value := range values {
			if string(value) != "null" {
				found++
			}
		}
		return found, false, true
	case of.dialect == rest:
		var answer struct {
			Result []struct{} `json:"result"`
			Info   struct {
				Cursor string `json:"cursor"`
			} `json:"result_info"`
		}
		err := json.Unmarshal(body, &answer)
		return len(answer.Result), answer.Info.Cursor != "", err == nil
	}
	var answer struct {
		Keys     []struct{} `json:"keys"`
		Complete bool       `json:"list_complete"`
	}
	err := json.Unmarshal(body, &answer)
	return len(answer.Keys), !answer.Complete, err == nil
}
