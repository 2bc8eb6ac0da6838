package account

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// credential is an account for a store that accepts any account.
type credential struct{ account, key string }

// The emulator's account and key as "Use the Azurite emulator" (Microsoft Learn) publishes them.
const (
	publishedAccount = "devstoreaccount1"
	publishedKey     = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
)

// newCredentials creates n accounts named prefix1, prefix2, … with keys of Azure's length.
func newCredentials(entropy io.Reader, prefix string, n int) ([]credential, error) {
	creds := make([]credential, 0, n)
	for i := range n {
		key, err := newKey(entropy)
		if err != nil {
			return nil, err
		}
		creds = append(creds, credential{account: fmt.Sprintf("%s%d", prefix, i+1), key: key})
	}
	return creds, nil
}

// newKey creates an account key: 64 bytes in base64.
func newKey(entropy io.Reader) (string, error) {
	var key [64]byte
	if _, err := io.ReadFull(entropy, key[:]); err != nil {
		return "", fmt.Errorf("make an account key: %w", err)
	}
	return base64.StdEncoding.EncodeToString(key[:]), nil
}

// newTransport returns a transport for many short calls to one store. It never asks for compression, since what it
// carries is passed on unread.
func newTransport(proxy bool) *http.Transport {
	t := &http.Transport{
		MaxIdleConns:        0, // no limit
		MaxIdleConnsPerHost: 256,
		IdleConnTimeout:     90 * time.Second,
		DisableCompression:  true,
	}
	if proxy {
		t.Proxy = http.ProxyFromEnvironment
	}
	return t
}

// connectionString builds a connection string with endpoints in path style.
func connectionString(account, key, tableEndpoint, blobEndpoint string) string {
	protocol := "http"
	if strings.HasPrefix(tableEndpoint+blobEndpoint, "https:") {
		protocol = "https"
	}
	text := fmt.Sprintf("DefaultEndpointsProtocol=%s;AccountName=%s;AccountKey=%s;", protocol, account, key)
	for _, endpoint := range [][2]string{{"Blob", blobEndpoint}, {"Table", tableEndpoint}} {
		if endpoint[1] != "" {
			text += fmt.Sprintf("%sEndpoint=%s/%s;", endpoint[0], strings.TrimSuffix(endpoint[1], "/"), account)
		}
	}
	return text
}

// keysOf returns the account keys in a connection string.
func keysOf(connection string) []string {
	var keys []string
	for part := range strings.SplitSeq(connection, ";") {
		if key, ok := strings.CutPrefix(part, "AccountKey="); ok {
			keys = append(keys, key)
		}
	}
	return keys
}
