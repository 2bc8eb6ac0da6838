// Package azuresign signs requests to Azure Storage by account key: what the string to sign is, for
// the table and the blob service, for SharedKey and SharedKeyLite, and its signature.
//
// It is one piece of code for the two who need it: a store that signs anew what a gateway passes on,
// and the emulator that checks what it gets. It reads requests and never changes or sends one, and
// it never logs a key.
//
// Open [AppendStringToSign] first; it follows
// https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key.
package azuresign
