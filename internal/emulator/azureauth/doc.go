// Package azureauth knows how a request to Azure Storage names its account and proves that it may use it: the account
// in its address, the string to sign and its signature with an account key (SharedKey and SharedKeyLite, for the table
// and the blob service), and the tokens of Microsoft Entra ID that are accepted.
//
// It is shared by the emulator, which checks what it receives, and by those that are on the way to a store: the one
// that signs again what a gateway passes on, the one that decodes it, and the managed identity whose tokens a gateway
// accepts. It reads requests and never changes or sends one, and it never logs a key.
//
// Open [AppendStringToSign] first; it follows
// https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key. [TakesToken] follows
// https://learn.microsoft.com/rest/api/storageservices/authorize-with-azure-active-directory.
package azureauth
