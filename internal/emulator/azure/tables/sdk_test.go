package tables

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"

	"github.com/storespec/storespec/internal/emulator/azure"
	"github.com/storespec/storespec/internal/emulator/engine"
)

// sdkClient reaches e over loopback, with the official SDK.
func sdkClient(t testing.TB, e *emulator) *aztables.ServiceClient {
	t.Helper()
	server := httptest.NewServer(e.handler)
	t.Cleanup(server.Close)
	client, err := aztables.NewServiceClientFromConnectionString("DefaultEndpointsProtocol=http;AccountName="+
		testAccount+
		";AccountKey="+azure.DevelopmentKey+";TableEndpoint="+server.URL+"/"+testAccount+";", nil)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// sdkTable is a table, for the official SDK.
func sdkTable(t *testing.T) *aztables.Client {
	t.Helper()
	table := sdkClient(t, openEmulator(t, engine.Options{})).NewClient("People")
	if _, err := table.CreateTable(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return table
}

func TestEntityWithTheSDK(t *testing.T) {
	table, ctx := sdkTable(t), t.Context()
	entity := aztables.EDMEntity{
		Entity: aztables.Entity{PartitionKey: "100%", RowKey: "a b+c|ü€"},
		Properties: map[string]any{
			"Text": "x\"y\\\n", "Int": int32(7), "Long": aztables.EDMInt64(1 << 60), "Real": 2.5, "Yes": true,
			"ID": aztables.EDMGUID("00112233-4455-6677-8899-aabbccddeeff"), "Data": aztables.EDMBinary{0, 1, 255},
		},
	}
	encoded, err := json.Marshal(entity)
	if err != nil {
		t.Fatal(err)
	}
	added, err := table.AddEntity(ctx, encoded, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := table.GetEntity(ctx, entity.PartitionKey, entity.RowKey, nil)
	if err != nil {
		t.Fatal(err)
	}
	var back aztables.EDMEntity
	if err := json.Unmarshal(got.Value, &back); err != nil {
		t.Fatal(err)
	}
	for name, want := range entity.Properties {
		if fmt.Sprintf("%T %v", back.Properties[name], back.Properties[name]) != fmt.Sprintf("%T %v", want, want) {
			t.Errorf("%s is %T %v, want %T %v", name, back.Properties[name], back.Properties[name], want, want)
		}
	}
	if got.ETag != added.ETag {
		t.Errorf("ETag of the get %s, of the insert %s", got.ETag, added.ETag)
	}
	_, err = table.UpdateEntity(ctx, encoded, &aztables.UpdateEntityOptions{UpdateMode: aztables.UpdateModeMerge,
		IfMatch: to.Ptr(azcore.ETag(`W/"datetime'2020-01-01T00%3A00%3A00Z'"`))})
	var failed *azcore.ResponseError
	if !errors.As(err, &failed) || failed.StatusCode != 412 || failed.ErrorCode != "UpdateConditionNotSatisfied" {
		t.Errorf("update with an old ETag: %v", err)
	}
}

func TestTransactionWithTheSDK(t *testing.T) {
	table, ctx := sdkTable(t), t.Context()
	var actions []aztables.TransactionAction
	for i := range 100 {
		row, err := json.Marshal(aztables.Entity{PartitionKey: "p", RowKey: fmt.Sprintf("%03d", i)})
		if err != nil {
			t.Fatal(err)
		}
		actions = append(actions, aztables.TransactionAction{ActionType: aztables.TransactionTypeAdd, Entity: row})
	}
	if _, err := table.SubmitTransaction(ctx, actions, nil); err != nil {
		t.Fatal(err)
	}
	_, err := table.SubmitTransaction(ctx, actions, nil)
	var failed *azcore.ResponseError
	// The SDK gives the status of the batch and not that of the part that failed.
	if !errors.As(err, &failed) || !strings.Contains(err.Error(), `"code":"EntityAlreadyExists"`) {
		t.Errorf("the same transaction again: %v", err)
	}
	count := 0
	for pager := table.NewListEntitiesPager(&aztables.ListEntitiesOptions{Top: to.Ptr(int32(30)),
		Filter: to.Ptr("PartitionKey eq 'p'")}); pager.More(); {
		page, err := pager.NextPage(ctx)
		if err != nil {
			t.Fatal(err)
		}
		count += len(page.Entities)
	}
	if count != 100 {
		t.Errorf("the pages hold %d entities, want 100", count)
	}
}
