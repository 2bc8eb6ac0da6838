// Package node drives the emulator with Azure's JavaScript SDKs. Its tests install the SDKs with npm
// into the user's cache, at the versions of package-lock.json, and run sdk.test.cjs with Node.
package node
