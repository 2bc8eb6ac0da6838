package c4lendar

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"unicode/utf8"
)

const (
	keyLength = 32 // characters of ENCRYPTION_KEY that are the key of AES-256
	ivLength  = 12 // bytes
)

// errUnreadable: a token is encrypted with neither key, or was changed.
var errUnreadable = errors.New("the token cannot be decrypted")

// vault encrypts refresh tokens as the design's JavaScript does: AES-256-GCM, standard base64 of the IV, the ciphertext
// and the tag of 16 bytes.
type vault struct {
	keys []cipher.AEAD // the first encrypts, all decrypt
}

// newVault takes the keys as they are in the environment; previous may be "". Errors name the variable, never its
// value.
func newVault(current, previous string) (*vault, error) {
	key, err := aead("ENCRYPTION_KEY", current)
	if err != nil || previous == "" {
		return &vault{[]cipher.AEAD{key}}, err
	}
	before, err := aead("ENCRYPTION_KEY_PREVIOUS", previous)
	return &vault{[]cipher.AEAD{key, before}}, err
}

// aead makes a key of the first 32 characters. The design would pad a shorter one, and cut a character of several bytes
// in JavaScript's way: both are refused.
func aead(name, secret string) (cipher.AEAD, error) {
	if len(secret) < keyLength {
		return nil, fmt.Errorf("%s has fewer than %d characters", name, keyLength)
	}
	if len(secret) != utf8.RuneCountInString(secret) {
		return nil, fmt.Errorf("%s has characters that are not ASCII", name)
	}
	block, _ := aes.NewCipher([]byte(secret[:keyLength])) // fails for other lengths only
	return cipher.NewGCM(block)
}

// encrypt returns a token as it is stored, each time with another IV.
func (v *vault) encrypt(token string) string {
	iv := make([]byte, ivLength)
	_, _ = rand.Read(iv) // never fails
	return base64.StdEncoding.EncodeToString(v.keys[0].Seal(iv, iv, []byte(token), nil))
}

// decrypt returns a token; old reports that only the previous key opens it. Errors: errUnreadable.
func (v *vault) decrypt(stored string) (token string, old bool, _ error) {
	data, err := base64.StdEncoding.DecodeString(stored)
	if err != nil || len(data) < ivLength {
		return "", false, errUnreadable
	}
	for i, key := range v.keys {
		if plain, err := key.Open(nil, data[:ivLength], data[ivLength:], nil); err == nil {
			return string(plain), i > 0, nil
		}
	}
	return "", false, errUnreadable
}
