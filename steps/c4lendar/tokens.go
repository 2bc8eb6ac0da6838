package c4lendar

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/wire"
)

// The design's form of an encrypted token ("AES-GCM Encryption Functions"): base64 of an IV and the ciphertext with its
// tag, under the first 32 characters of ENCRYPTION_KEY.
const (
	ivBytes  = 12
	keyBytes = 32
)

// connection is what a step reads of a stored connection.
type connection struct {
	Token string `json:"refresh_token_encrypted"`
}

// split decodes an encrypted token.
func (c connection) split() (iv, sealed []byte, _ error) {
	combined, err := base64.StdEncoding.Strict().DecodeString(c.Token)
	if err != nil {
		return nil, nil, fmt.Errorf("is not standard base64 with padding: %w", err)
	}
	if len(combined) < ivBytes {
		return nil, nil, fmt.Errorf("has %d bytes, fewer than an IV", len(combined))
	}
	return combined[:ivBytes], combined[ivBytes:], nil
}

// open decrypts a token under a key of 32 characters or more.
func (c connection) open(key string) (string, error) {
	iv, sealed, err := c.split()
	if err != nil {
		return "", err
	}
	block, err := aes.NewCipher([]byte(key[:keyBytes]))
	if err != nil {
		return "", err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return "", err
	}
	plain, err := gcm.Open(nil, iv, sealed, nil)
	if err != nil {
		return "", errors.New("cannot be decrypted under ENCRYPTION_KEY: AES-256-GCM, an IV of 12 bytes, a tag of 16")
	}
	return string(plain), nil
}

// tokenIs decrypts the token of a stored connection; "" is the token of one that was revoked.
func tokenIs(ctx context.Context, stage *scenario.Stage, names *scenario.Names, key, want string) error {
	if err := names.WriteOut(&key, &want); err != nil {
		return err
	}
	content, err := stage.Lane().Data.Blob(ctx, key)
	if err != nil {
		return err
	}
	if content == nil {
		return matching.IsMissing("key " + key)
	}
	var stored connection
	if err := json.Unmarshal(content, &stored); err != nil {
		return fmt.Errorf("the key %s does not hold a connection: %w", key, err)
	}
	if stored.Token == "" && want == "" {
		return nil
	}
	secret, err := encryptionKey(stage)
	if err != nil {
		return err
	}
	token, err := stored.open(secret)
	if err != nil {
		return fmt.Errorf("the token of the key %s %w", key, err)
	}
	if token != want {
		return fmt.Errorf("the token of the key %s is %q, not %q", key, token, want)
	}
	return nil
}

// encryptionKey returns what the target is given as ENCRYPTION_KEY.
func encryptionKey(stage *scenario.Stage) (string, error) {
	for _, variable := range stage.System().Env {
		if key := variable.Fill(nil); variable.Name == "ENCRYPTION_KEY" && len(key) >= keyBytes {
			return key, nil
		}
	}
	return "", errors.New("system.yaml gives the server no ENCRYPTION_KEY of 32 characters")
}

// ownIVs looks at every token that a call of the scenario has written, in a scenario that encrypts again for each.
func ownIVs(ctx context.Context, stage *scenario.Stage, storage *scenario.Storage) error {
	if err := storage.Settle(ctx); err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, call := range stage.Lane().Recorder.Calls() {
		if call.Effect != wire.Writes || !slices.ContainsFunc(call.Key, isConnection) {
			continue
		}
		var stored connection
		if err := json.Unmarshal(call.Content, &stored); err != nil {
			return fmt.Errorf("a write of %s does not hold a connection: %w", strings.Join(call.Key, "/"), err)
		}
		iv, _, err := stored.split()
		if err != nil {
			return fmt.Errorf("the token of the key %s %w", strings.Join(call.Key, "/"), err)
		}
		if seen[string(iv)] {
			return fmt.Errorf("the token of the key %s has an IV that was used before", strings.Join(call.Key, "/"))
		}
		seen[string(iv)] = true
	}
	if len(seen) < 2 {
		return fmt.Errorf("%d tokens were written, too few to compare", len(seen))
	}
	return nil
}

func isConnection(key string) bool { return strings.HasPrefix(key, "gc:conn:") }
