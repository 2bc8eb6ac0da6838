package awssign

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// The credentials and the request are those of AWS's published test suite for Signature Version 4 ("get-vanilla").
func TestSignatureOfTheTestSuite(t *testing.T) {
	key := Key{ID: "AKIDEXAMPLE", Secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", Region: "us-east-1",
		Service: "service"}
	req, err := http.NewRequest("GET", "http://example.amazonaws.com/", nil)
	if err != nil {
		t.Fatal(err)
	}
	key.Sign(req, nil, time.Date(2015, 8, 30, 12, 36, 0, 0, time.UTC))
	want := "Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
	if got := req.Header.Get("Authorization"); !strings.HasSuffix(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
	if !key.Signed(req, nil) || key.Signed(req, []byte("x")) || KeyID(req) != "AKIDEXAMPLE" {
		t.Error("the signature is not checked")
	}
	other := key
	if other.Secret = "other"; other.Signed(req, nil) {
		t.Error("another key signed it too")
	}
}
