package tables

import (
	"fmt"
	"net/http"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// The errors of the table service.
// https://learn.microsoft.com/rest/api/storageservices/table-service-error-codes

func invalidInput() *azure.Problem { return azure.InvalidInput("") }

func tableNotFound() *azure.Problem {
	return azure.NewProblem(http.StatusNotFound, "TableNotFound", "The table specified does not exist.")
}

func tableExists() *azure.Problem {
	return azure.NewProblem(http.StatusConflict, "TableAlreadyExists", "The table specified already exists.")
}

func entityExists() *azure.Problem {
	return azure.NewProblem(http.StatusConflict, "EntityAlreadyExists", "The specified entity already exists.")
}

func conditionNotMet() *azure.Problem {
	return azure.NewProblem(http.StatusPreconditionFailed, "UpdateConditionNotSatisfied", "The update condition specified in the request was not satisfied.")
}

func invalidTableName() *azure.Problem {
	return azure.NewProblem(http.StatusBadRequest, "InvalidResourceName", "The specified resource name contains invalid characters.")
}

func tableNameLength() *azure.Problem {
	return azure.NewProblem(http.StatusBadRequest, "OutOfRangeInput", "The specified resource name length is not within the permissible limits.")
}

// outOfRange does not repeat the value: it may be long, and it is somebody's data.
func outOfRange(property string) *azure.Problem {
	return azure.NewProblem(http.StatusBadRequest, "OutOfRangeInput", fmt.Sprintf("The value of the '%s' parameter is out of range.", property))
}

func keyTooLarge() *azure.Problem {
	return azure.NewProblem(http.StatusBadRequest, "KeyValueTooLarge", "The key exceeds the maximum allowed size (1KB).")
}

func valueTooLarge() *azure.Problem {
	return azure.NewProblem(http.StatusBadRequest, "PropertyValueTooLarge", "The property value exceeds the maximum allowed size (64KB). If the property value is a string, it is UTF-16 encoded and the maximum number of characters should be 32K or less.")
}

func entityTooLarge() *azure.Problem {
	return azure.NewProblem(http.StatusBadRequest, "EntityTooLarge", "The entity is larger than the maximum size permitted.")
}

func tooManyProperties() *azure.Problem {
	return azure.NewProblem(http.StatusBadRequest, "TooManyProperties", "The entity contains more properties than allowed.")
}

func nameTooLong() *azure.Problem {
	return azure.NewProblem(http.StatusBadRequest, "PropertyNameTooLong", "The property name exceeds the maximum allowed length (255).")
}

func invalidName() *azure.Problem {
	return azure.NewProblem(http.StatusBadRequest, "PropertyNameInvalid", "The property name is invalid.")
}

func duplicateProperty() *azure.Problem {
	return azure.NewProblem(http.StatusBadRequest, "DuplicatePropertiesSpecified", "A property is specified more than one time.")
}

func keyMissing() *azure.Problem {
	return azure.NewProblem(http.StatusBadRequest, "PropertiesNeedValue", "The values are not specified for all properties in the entity.")
}

func atomNotSupported() *azure.Problem {
	return azure.NewProblem(http.StatusUnsupportedMediaType, "AtomFormatNotSupported", "Atom format is not supported.")
}

func methodNotAllowed() *azure.Problem {
	return azure.NewProblem(http.StatusMethodNotAllowed, "MethodNotAllowed", "The requested method is not allowed on the specified resource.")
}

func invalidETag() *azure.Problem {
	return azure.InvalidInput("The etag value specified in one of the request headers is not valid. Please make sure only one etag value is specified and is valid.")
}

func differentPartitions() *azure.Problem {
	return azure.NewProblem(http.StatusBadRequest, "CommandsInBatchActOnDifferentPartitions", "All commands in a batch must operate on same entity group.")
}

func duplicateRow() *azure.Problem {
	return azure.NewProblem(http.StatusBadRequest, "InvalidDuplicateRow", "The batch request contains multiple changes with same row key. An entity can appear only once in a batch request.")
}

func tooManyOperations() *azure.Problem {
	return azure.InvalidInput("The batch request operation exceeds the maximum 100 changes per change set.")
}
