package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
)

// entities is how many rows a storage program works on.
const entities = 6

// useStorage is a program that uses a store, well or badly. It does each of its arguments in turn:
//
//	from NAME   the connection string is in that variable, and not in AZURE_STORAGE_CONNECTION_STRING
//	for TRACE   the calls from now on are caused by the request of that trace
//	fill        makes a table and writes rows in one transaction
//	read        reads the rows by one query
//	read-each   reads them one by one
//	scan        looks a row up by an e-mail
//	blob NAME   writes a blob, and reads it
//	copy        writes its standard input to its standard output
//	exit N      ends with a status
//	hang FILE   writes its process id to FILE and waits
func useStorage(args []string) int {
	p := &storageProgram{variable: "AZURE_STORAGE_CONNECTION_STRING"}
	for len(args) > 0 {
		verb, operand := args[0], ""
		if args = args[1:]; slices.Contains([]string{"from", "for", "blob", "exit", "hang"}, verb) {
			operand, args = args[0], args[1:]
		}
		if err := p.do(context.Background(), verb, operand); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	return 0
}

type storageProgram struct{ variable, trace string }

// Do puts the trace on a call.
func (p *storageProgram) Do(call *policy.Request) (*http.Response, error) {
	if p.trace != "" {
		call.Raw().Header.Set("Traceparent", "00-"+p.trace+"-00f067aa0ba902b7-01")
	}
	return call.Next()
}

func (p *storageProgram) do(ctx context.Context, verb, operand string) error {
	switch verb {
	case "from":
		p.variable = operand
		return nil
	case "for":
		p.trace = operand
		return nil
	case "blob":
		return p.blob(ctx, operand)
	case "copy":
		_, err := io.Copy(os.Stdout, os.Stdin)
		return err
	case "exit":
		status, err := strconv.Atoi(operand)
		if err != nil {
			return err
		}
		os.Exit(status)
	case "hang":
		if err := os.WriteFile(operand+".new", fmt.Append(nil, os.Getpid()), 0o644); err != nil {
			return err
		}
		if err := os.Rename(operand+".new", operand); err != nil {
			return err
		}
		select {}
	}
	return p.table(ctx, verb)
}

func (p *storageProgram) options() policy.ClientOptions {
	return policy.ClientOptions{PerRetryPolicies: []policy.Policy{p}, Retry: policy.RetryOptions{MaxRetries: -1}}
}

func (p *storageProgram) blob(ctx context.Context, name string) error {
	client, err := azblob.NewClientFromConnectionString(os.Getenv(p.variable),
		&azblob.ClientOptions{ClientOptions: p.options()})
	if err != nil {
		return err
	}
	_, _ = client.CreateContainer(ctx, "state", nil) // it may be there
	if _, err := client.UploadBuffer(ctx, "state", name, []byte("content"), nil); err != nil {
		return err
	}
	_, err = client.DownloadBuffer(ctx, "state", name, make([]byte, 7), nil)
	return err
}

func (p *storageProgram) table(ctx context.Context, verb string) error {
	service, err := aztables.NewServiceClientFromConnectionString(os.Getenv(p.variable),
		&aztables.ClientOptions{ClientOptions: p.options()})
	if err != nil {
		return err
	}
	things := service.NewClient("Things")
	switch verb {
	case "fill":
		_, _ = things.CreateTable(ctx, nil) // it may be there
		var actions []aztables.TransactionAction
		for i := range entities {
			row := fmt.Appendf(nil, `{"PartitionKey":"p","RowKey":"user%d@example.com"}`, i)
			actions = append(actions,
				aztables.TransactionAction{ActionType: aztables.TransactionTypeInsertReplace, Entity: row})
		}
		_, err = things.SubmitTransaction(ctx, actions, nil)
		return err
	case "read":
		return list(ctx, things, "PartitionKey eq 'p'")
	case "scan":
		return list(ctx, things, "Email eq 'ana@example.com'")
	case "read-each":
		for i := range entities {
			_, one := things.GetEntity(ctx, "p", fmt.Sprintf("user%d@example.com", i), nil)
			err = cmp.Or(err, one)
		}
		return err
	}
	return fmt.Errorf("%q is nothing a storage program does", verb)
}

func list(ctx context.Context, table *aztables.Client, filter string) error {
	for pager := table.NewListEntitiesPager(&aztables.ListEntitiesOptions{Filter: &filter}); pager.More(); {
		if _, err := pager.NextPage(ctx); err != nil {
			return err
		}
	}
	return nil
}
