// Package services has the steps for services that a target calls and storespec plays: what each answers, and what it
// was sent. A design lists them under services in its system.yaml.
//
// Open [Words] first.
package services
