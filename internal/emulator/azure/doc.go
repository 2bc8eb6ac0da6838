// Package azure is what the table and the blob service of an Azure Storage account have in common: accounts and their
// keys, addresses in path and host style, authentication by shared key and by shared access signature, the common
// headers, errors in the services' own formats, service properties with CORS, and stored access policies.
//
// [NewFront] does all of that for each request and then calls the service with a [Request] that belongs to an account
// and is authenticated; the service checks what a shared access signature allows with [Request.Allow], since only it
// knows the operation.
//
// The package follows the REST documentation (https://learn.microsoft.com/rest/api/storageservices) and not another
// emulator. It holds no entity and no blob, never logs a key or a signature, and knows nothing of the harness.
//
// Open [Front] first, then [Request]; problem.go has the errors.
package azure
