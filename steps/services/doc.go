// Package services has the steps for services that a target calls and storespec plays: what each answers, and what it
// was sent. A design lists them under services in its system.yaml; the OpenAI-compatible server is one of its
// companions.
//
// Open [Words] first.
package services
