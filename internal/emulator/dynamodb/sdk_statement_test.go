package dynamodb

import (
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// withStatements returns a table of five items, and a way to run a statement on it.
func withStatements(t *testing.T) (*fixture, func(string, ...types.AttributeValue) (*dynamodb.ExecuteStatementOutput,
	error)) {
	f := newFixture(t)
	f.createTable("Items", indexed)
	run := func(text string, parameters ...types.AttributeValue) (*dynamodb.ExecuteStatementOutput, error) {
		return f.db.ExecuteStatement(t.Context(), &dynamodb.ExecuteStatementInput{Statement: &text,
			Parameters: parameters})
	}
	for i := range 5 {
		must[*dynamodb.ExecuteStatementOutput](t)(run(
			`INSERT INTO "Items" VALUE {'pk': 'p', 'sk': ?, 'gpk': 'g', 'gsk': ?}`, str(fmt.Sprint(i)),
			num(fmt.Sprint(i))))
	}
	return f, run
}

func TestStatementsByTheSDK(t *testing.T) {
	f, run := withStatements(t)
	_, err := run(`INSERT INTO "Items" VALUE {'pk': 'p', 'sk': '0'}`)
	refused(t, err, "DuplicateItemException", "Duplicate primary key exists in table")
	got := must[*dynamodb.ExecuteStatementOutput](t)(run(`SELECT sk FROM "Items" WHERE pk = 'p' AND sk > '1'`))
	if len(got.Items) != 3 || len(got.Items[0]) != 1 {
		t.Errorf("selected %v", got.Items)
	}
	got = must[*dynamodb.ExecuteStatementOutput](t)(run(`SELECT * FROM "Items"."all" WHERE gpk = 'g' ORDER BY ` +
		`gsk DESC`))
	if len(got.Items) != 5 || got.Items[0]["sk"].(*types.AttributeValueMemberS).Value != "4" {
		t.Errorf("selected of the index %v", got.Items)
	}
	pages, all := 0, 0
	var token *string
	for pages == 0 || token != nil {
		page := must[*dynamodb.ExecuteStatementOutput](t)(f.db.ExecuteStatement(t.Context(),
			&dynamodb.ExecuteStatementInput{Statement: aws.String(`SELECT * FROM "Items"`), Limit: aws.Int32(2),
				NextToken: token}))
		pages, all, token = pages+1, all+len(page.Items), page.NextToken
	}
	if all != 5 || pages != 3 {
		t.Errorf("%d items on %d pages", all, pages)
	}
	got = must[*dynamodb.ExecuteStatementOutput](t)(run(
		`UPDATE "Items" SET v = 1 WHERE pk = 'p' AND sk = '0' RETURNING ALL NEW *`))
	if len(got.Items) != 1 || got.Items[0]["v"].(*types.AttributeValueMemberN).Value != "1" {
		t.Errorf("updated %v", got.Items)
	}
	_, err = run(`UPDATE "Items" SET v = 1 WHERE pk = 'p' AND sk = 'none'`)
	refused(t, err, "ConditionalCheckFailedException", "The conditional request failed")
	must[*dynamodb.ExecuteStatementOutput](t)(run(`DELETE FROM "Items" WHERE pk = 'p' AND sk = '4'`))
}

func TestSeveralStatementsByTheSDK(t *testing.T) {
	f, _ := withStatements(t)
	batch := must[*dynamodb.BatchExecuteStatementOutput](t)(f.db.BatchExecuteStatement(t.Context(),
		&dynamodb.BatchExecuteStatementInput{Statements: []types.BatchStatementRequest{
			{Statement: aws.String(`SELECT * FROM "Items" WHERE pk = 'p' AND sk = '0'`)},
			{Statement: aws.String(`SELECT * FROM "None" WHERE pk = 'p'`)}}}))
	if len(batch.Responses[0].Item) != 4 || batch.Responses[1].Error.Code != "ResourceNotFound" {
		t.Errorf("batch %+v", batch.Responses)
	}
	transact := func(texts ...string) (*dynamodb.ExecuteTransactionOutput, error) {
		in := &dynamodb.ExecuteTransactionInput{}
		for _, text := range texts {
			in.TransactStatements = append(in.TransactStatements, types.ParameterizedStatement{Statement: &text})
		}
		return f.db.ExecuteTransaction(t.Context(), in)
	}
	_, err := transact(`INSERT INTO "Items" VALUE {'pk': 'new', 'sk': 's'}`,
		`INSERT INTO "Items" VALUE {'pk': 'p', 'sk': '0'}`)
	refused(t, err, "TransactionCanceledException", "[None, DuplicateItem]")
	must[*dynamodb.ExecuteTransactionOutput](t)(transact(`INSERT INTO "Items" VALUE {'pk': 'new', 'sk': 's'}`,
		`DELETE FROM "Items" WHERE pk = 'p' AND sk = '0'`))
	read := must[*dynamodb.ExecuteTransactionOutput](t)(transact(`SELECT * FROM "Items" WHERE pk = 'new' AND sk = 's'`))
	if len(read.Responses[0].Item) != 2 || f.get("Items", attrs{"pk": str("p"), "sk": str("0")}) != nil {
		t.Errorf("transaction %+v", read.Responses)
	}
}

func TestIndexesAreAddedAndRemoved(t *testing.T) {
	f := newFixture(t)
	f.createTable("Items", nil)
	for i := range 3 {
		f.put("Items", attrs{"pk": str("p"), "sk": str(fmt.Sprint(i)), "late": str("x")})
	}
	name := aws.String("Items")
	must[*dynamodb.UpdateTableOutput](t)(f.db.UpdateTable(t.Context(), &dynamodb.UpdateTableInput{TableName: name,
		AttributeDefinitions: []types.AttributeDefinition{define("late", "S")},
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{
			Create: &types.CreateGlobalSecondaryIndexAction{
				IndexName: aws.String("byLate"), KeySchema: schema("late", ""),
				Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}}}}}))
	scan := &dynamodb.ScanInput{TableName: name, IndexName: aws.String("byLate")}
	if out := must[*dynamodb.ScanOutput](t)(f.db.Scan(t.Context(), scan)); out.Count != 3 {
		t.Errorf("the new index has %d items", out.Count)
	}
	must[*dynamodb.UpdateTableOutput](t)(f.db.UpdateTable(t.Context(), &dynamodb.UpdateTableInput{TableName: name,
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{
			Delete: &types.DeleteGlobalSecondaryIndexAction{
				IndexName: aws.String("byLate")}}}}))
	_, err := f.db.Scan(t.Context(), scan)
	refused(t, err, "ValidationException", "The table does not have the specified index: byLate")
	on := must[*dynamodb.UpdateContinuousBackupsOutput](t)(f.db.UpdateContinuousBackups(t.Context(),
		&dynamodb.UpdateContinuousBackupsInput{TableName: name, PointInTimeRecoverySpecification: &types.
			PointInTimeRecoverySpecification{PointInTimeRecoveryEnabled: aws.Bool(true)}}))
	if on.ContinuousBackupsDescription.PointInTimeRecoveryDescription.PointInTimeRecoveryStatus != "ENABLED" {
		t.Errorf("backups %+v", on)
	}
}
