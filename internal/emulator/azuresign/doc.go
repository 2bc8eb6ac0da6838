// Package azuresign signs requests to Azure Storage with an account key: it builds the string to sign, for the table
// and the blob service, for SharedKey and SharedKeyLite, and its signature.
//
// The code is shared by its two users: a store that signs anew what a gateway passes on, and the emulator that checks
// what it receives. It reads requests and never changes or sends one, and it never logs a key.
//
// Open [AppendStringToSign] first; it follows
// https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key.
package azuresign
