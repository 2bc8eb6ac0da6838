// Package awssign signs requests to services of AWS, and computes what a signature must be: Signature Version 4 in the
// Authorization header, over the whole body (IAM User Guide, "Create a signed AWS API request").
//
// Open [Key.Sign] first; [Key.Signed] checks.
package awssign
