package calendsync

import (
	"fmt"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// toStore returns an item as the SDK takes it.
func toStore(i item) map[string]types.AttributeValue {
	out := make(map[string]types.AttributeValue, len(i))
	for name, value := range i {
		out[name] = valueToStore(value)
	}
	return out
}

func valueToStore(value any) types.AttributeValue {
	switch value := value.(type) {
	case nil:
		return &types.AttributeValueMemberNULL{Value: true}
	case string:
		return &types.AttributeValueMemberS{Value: value}
	case int64:
		return &types.AttributeValueMemberN{Value: strconv.FormatInt(value, 10)}
	case bool:
		return &types.AttributeValueMemberBOOL{Value: value}
	case item:
		return &types.AttributeValueMemberM{Value: toStore(value)}
	}
	panic(fmt.Errorf("no attribute has the type %T", value))
}

// fromStore returns an item of the SDK; what no item here holds, such as a set, is left out.
func fromStore(stored map[string]types.AttributeValue) item {
	if stored == nil {
		return nil
	}
	i := make(item, len(stored))
	for name, value := range stored {
		switch value := value.(type) {
		case *types.AttributeValueMemberNULL:
			i[name] = nil
		case *types.AttributeValueMemberS:
			i[name] = value.Value
		case *types.AttributeValueMemberN:
			if n, err := strconv.ParseInt(value.Value, 10, 64); err == nil {
				i[name] = n
			}
		case *types.AttributeValueMemberBOOL:
			i[name] = value.Value
		case *types.AttributeValueMemberM:
			i[name] = fromStore(value.Value)
		}
	}
	return i
}
