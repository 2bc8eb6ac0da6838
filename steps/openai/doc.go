// Package openai has the steps for a target's OpenAI-compatible server: what it answers, and how often it was
// called.
//
// A design whose companions do not include that server cannot use them.
//
// Open [Words] first.
package openai
