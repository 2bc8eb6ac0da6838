// Package openai has the steps for the OpenAI-compatible server beside a target: what it answers, and how often it was
// called.
//
// A design whose companions do not include that server cannot use them.
//
// Open [Words] first.
package openai
