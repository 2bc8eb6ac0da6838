package tables

import (
	"fmt"
	"net/http"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// The errors of the table service.
// https://learn.microsoft.com/rest/api/storageservices/table-service-error-codes

var (
	tableNotFound   = azure.NotFound("TableNotFound", "The table specified does not exist.")
	tableExists     = azure.Conflict("TableAlreadyExists", "The table specified already exists.")
	entityExists    = azure.Conflict("EntityAlreadyExists", "The specified entity already exists.")
	conditionNotMet = azure.Define(http.StatusPreconditionFailed, "UpdateConditionNotSatisfied",
		"The update condition specified in the request was not satisfied.")
	invalidTableName = azure.BadRequest("InvalidResourceName",
		"The specified resource name contains invalid characters.")
	tableNameLength = azure.BadRequest("OutOfRangeInput",
		"The specified resource name length is not within the permissible limits.")
	keyTooLarge   = azure.BadRequest("KeyValueTooLarge", "The key exceeds the maximum allowed size (1KB).")
	valueTooLarge = azure.BadRequest("PropertyValueTooLarge",
		"The property value exceeds the maximum allowed size (64KB). If the property value is a string, it is "+
			"UTF-16 encoded and the maximum number of characters should be 32K or less.")
	entityTooLarge    = azure.BadRequest("EntityTooLarge", "The entity is larger than the maximum size permitted.")
	tooManyProperties = azure.BadRequest("TooManyProperties", "The entity contains more properties than allowed.")
	nameTooLong       = azure.BadRequest("PropertyNameTooLong",
		"The property name exceeds the maximum allowed length (255).")
	invalidName       = azure.BadRequest("PropertyNameInvalid", "The property name is invalid.")
	duplicateProperty = azure.BadRequest("DuplicatePropertiesSpecified", "A property is specified more than one time.")
	keyMissing        = azure.BadRequest("PropertiesNeedValue",
		"The values are not specified for all properties in the entity.")
	atomNotSupported = azure.Define(http.StatusUnsupportedMediaType, "AtomFormatNotSupported",
		"Atom format is not supported.")
	verboseNotSupported = azure.Define(http.StatusUnsupportedMediaType, "JsonVerboseFormatNotSupported",
		"JSON verbose format is not supported.")
	mediaTypeNotSupported = azure.Define(http.StatusUnsupportedMediaType, "MediaTypeNotSupported",
		"None of the provided media types are supported")
	severalMethods    = azure.BadRequest("XMethodIncorrectCount", "More than one X-HTTP-Method is specified.")
	unknownMethod     = azure.BadRequest("XMethodIncorrectValue", "The specified X-HTTP-Method is invalid.")
	tunnelWithoutPost = azure.BadRequest("XMethodNotUsingPost",
		"The request uses X-HTTP-Method with an HTTP verb other than POST.")
	methodNotAllowed = azure.Define(http.StatusMethodNotAllowed, "MethodNotAllowed",
		"The requested method is not allowed on the specified resource.")
	differentPartitions = azure.BadRequest("CommandsInBatchActOnDifferentPartitions",
		"All commands in a batch must operate on same entity group.")
	duplicateRow = azure.BadRequest("InvalidDuplicateRow",
		"The batch request contains multiple changes with same row key. An entity can appear only once in a batch "+
			"request.")
)

func invalidInput() *azure.Problem { return azure.InvalidInput("") }

// outOfRange does not repeat the value: it may be long, and it is a user's data.
func outOfRange(property string) *azure.Problem {
	return azure.NewProblem(http.StatusBadRequest, "OutOfRangeInput",
		fmt.Sprintf("The value of the '%s' parameter is out of range.", property))
}

func invalidETag() *azure.Problem {
	return azure.InvalidInput("The etag value specified in one of the request headers is not valid. Please make " +
		"sure only one etag value is specified and is valid.")
}

func tooManyOperations() *azure.Problem {
	return azure.InvalidInput("The batch request operation exceeds the maximum 100 changes per change set.")
}
