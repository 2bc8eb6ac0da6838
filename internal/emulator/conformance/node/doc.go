// Package node drives the emulator with Azure's and AWS's JavaScript SDKs. Its tests install the SDKs with npm
// into the user's cache, at the versions of package-lock.json, and run the *.test.cjs with Node. A server on
// one of them shows how storespec judges the patience of an SDK.
package node
