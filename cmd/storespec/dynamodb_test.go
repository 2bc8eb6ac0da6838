package main

import (
	"context"
	"fmt"
	"os"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// dynamoDBClient finds DynamoDB as AWS's SDKs do.
func dynamoDBClient() *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{BaseEndpoint: aws.String(os.Getenv("AWS_ENDPOINT_URL_DYNAMODB")),
		Region: os.Getenv("AWS_REGION"), Credentials: credentials.NewStaticCredentialsProvider(
			os.Getenv("AWS_ACCESS_KEY_ID"), os.Getenv("AWS_SECRET_ACCESS_KEY"), "")})
}

func textAttribute(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

// useDynamoDB is a program that does what its arguments say.
func useDynamoDB(args []string) int {
	client := dynamoDBClient()
	for _, arg := range args {
		if err := dynamoDBDoes(client, arg); err != nil {
			fmt.Fprintln(os.Stderr, arg+":", err)
			return 1
		}
	}
	return 0
}

func dynamoDBDoes(client *dynamodb.Client, what string) error {
	ctx, table := context.Background(), aws.String("Notes")
	type attributes = map[string]types.AttributeValue
	key := func(i int) attributes {
		return attributes{"PK": textAttribute("ana"), "SK": textAttribute(fmt.Sprint("note-", i))}
	}
	const notes = 6
	switch what {
	case "create":
		_, err := client.CreateTable(ctx, &dynamodb.CreateTableInput{TableName: table,
			BillingMode: types.BillingModePayPerRequest, AttributeDefinitions: []types.AttributeDefinition{
				{AttributeName: aws.String("PK"), AttributeType: types.ScalarAttributeTypeS},
				{AttributeName: aws.String("SK"), AttributeType: types.ScalarAttributeTypeS}},
			KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("PK"), KeyType: types.KeyTypeHash},
				{AttributeName: aws.String("SK"), KeyType: types.KeyTypeRange}}})
		return err
	case "put":
		for i := range notes {
			if _, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: table, Item: key(i)}); err != nil {
				return err
			}
		}
	case "get-each":
		for i := range notes {
			if _, err := client.GetItem(ctx, &dynamodb.GetItemInput{TableName: table, Key: key(i)}); err != nil {
				return err
			}
		}
	case "query":
		_, err := client.Query(ctx, &dynamodb.QueryInput{TableName: table,
			KeyConditionExpression:    aws.String("PK = :p AND begins_with(SK, :s)"),
			ExpressionAttributeValues: attributes{":p": textAttribute("ana"), ":s": textAttribute("note-")}})
		return err
	case "scan":
		_, err := client.Scan(ctx, &dynamodb.ScanInput{TableName: table})
		return err
	}
	return nil
}
