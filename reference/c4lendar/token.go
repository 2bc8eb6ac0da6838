package c4lendar

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
)

// keyLength is how many characters of ENCRYPTION_KEY are the key of AES-256.
const keyLength = 32

// errUnreadable: a token is encrypted with neither key, or was changed.
var errUnreadable = errors.New("the token cannot be decrypted")

// vault encrypts refresh tokens as the design's JavaScript does: AES-256-GCM, standard base64 of the 12 bytes of the
// IV, the ciphertext and the tag of 16 bytes.
type vault struct {
	current  cipher.AEAD
	previous cipher.AEAD // nil: none
}

// newVault takes the keys as they are in the environment. Errors name the variable, never its value.
func newVault(current, previous string) (*vault, error) {
	v := &vault{}
	var err error
	if v.current, err = aead("ENCRYPTION_KEY", current); err != nil || previous == "" {
		return v, err
	}
	v.previous, err = aead("ENCRYPTION_KEY_PREVIOUS", previous)
	return v, err
}

// aead makes a key of the first 32 characters. The design would pad a shorter one, and cut a character of several bytes
// in JavaScript's way: both are refused.
func aead(name, secret string) (cipher.AEAD, error) {
	if len(secret) < keyLength {
		return nil, fmt.Errorf("%s has fewer than %d characters", name, keyLength)
	}
	for _, r := range secret {
		if r > 0x7f {
			return nil, fmt.Errorf("%s has characters that are not ASCII", name)
		}
	}
	block, err := aes.NewCipher([]byte(secret[:keyLength]))
	if err != nil {
		return nil, fmt.Errorf("%s cannot be used: %w", name, err)
	}
	return cipher.NewGCM(block)
}

// encrypt returns a token as it is stored, each time with another IV.
func (v *vault) encrypt(token string) string {
	iv := make([]byte, v.current.NonceSize())
	_, _ = rand.Read(iv) // never fails
	return base64.StdEncoding.EncodeToString(v.current.Seal(iv, iv, []byte(token), nil))
}

// decrypt returns a token; old reports that only the previous key opens it. Errors: errUnreadable.
func (v *vault) decrypt(stored string) (token string, old bool, _ error) {
	data, err := base64.StdEncoding.DecodeString(stored)
	if err != nil || len(data) < v.current.NonceSize() {
		return "", false, errUnreadable
	}
	iv, sealed := data[:v.current.NonceSize()], data[v.current.NonceSize():]
	if plain, err := v.current.Open(nil, iv, sealed, nil); err == nil {
		return string(plain), false, nil
	}
	if v.previous != nil {
		if plain, err := v.previous.Open(nil, iv, sealed, nil); err == nil {
			return string(plain), true, nil
		}
	}
	return "", false, errUnreadable
}
