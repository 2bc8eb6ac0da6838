package emulator

import (
	"fmt"
	"strings"
)

// The access key that always exists, and the one that many projects have in their files for local development, with the
// same secret. Any region will do.
const (
	dynamoDBKey    = "storespec"
	dynamoDBSecret = "storespec"
	dynamoDBLocal  = "local"
	dynamoDBRegion = "us-east-1"
)

// parseKeys parses ID:SECRET. Its errors do not contain secrets.
func parseKeys(flags []string) (map[string]string, error) {
	keys := map[string]string{dynamoDBKey: dynamoDBSecret, dynamoDBLocal: dynamoDBLocal}
	for _, text := range flags {
		id, secret, found := strings.Cut(text, ":")
		if !found || id == "" || secret == "" || strings.Contains(id, "/") {
			return nil, fmt.Errorf("%w: --dynamodb-key wants ID:SECRET", ErrUsage)
		}
		keys[id] = secret
	}
	return keys, nil
}

// announceDynamoDB prints the variables that AWS's SDKs and its command line read.
func announceDynamoDB(b *strings.Builder, o ServeOptions, address string) {
	fmt.Fprintf(b, "\nDynamoDB:\nexport AWS_ENDPOINT_URL_DYNAMODB=http://%s "+
		"AWS_ENDPOINT_URL_DYNAMODB_STREAMS=http://%[1]s\n", address)
	fmt.Fprintf(b, "export AWS_REGION=%s AWS_ACCESS_KEY_ID=%s AWS_SECRET_ACCESS_KEY=%s\n", dynamoDBRegion, dynamoDBKey,
		dynamoDBSecret)
	for _, text := range o.DynamoDBKeys {
		id, _, _ := strings.Cut(text, ":")
		fmt.Fprintf(b, "access key: %s\n", id)
	}
}
