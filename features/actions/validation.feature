Feature: What is no record is refused before the store hears of it

  @GA-VAL-1
  Rule: owner and name are texts that are not empty
    > Function validates required fields (`owner`, `name`).

    Scenario: one of them is not
      Then Ana is refused each of these, and nothing is written
        | what           | request                 | body                                         | answer                |
        | no owner       | POST /api/ActionsUpsert | {"name":"checkout"}                          | 400 VALIDATION_FAILED |
        | no name        | POST /api/ActionsUpsert | {"owner":"octo"}                             | 400 VALIDATION_FAILED |
        | an empty owner | POST /api/ActionsUpsert | {"owner":"","name":"checkout"}               | 400 VALIDATION_FAILED |
        | a blank name   | POST /api/ActionsUpsert | {"owner":"octo","name":" \\t\\n "}           | 400 VALIDATION_FAILED |
        | a number       | POST /api/ActionsUpsert | {"owner":7,"name":"checkout"}                | 400 VALIDATION_FAILED |
        | a list         | POST /api/ActionsUpsert | {"owner":"octo","name":["checkout"]}         | 400 VALIDATION_FAILED |
        | a blank owner  | POST /api/ActionsUpsert | {"owner":"\\u000b\\f","name":"checkout"}     | 400 VALIDATION_FAILED |
        | true           | POST /api/ActionsUpsert | {"owner":true,"name":"checkout"}             | 400 VALIDATION_FAILED |
        | an object      | POST /api/ActionsUpsert | {"owner":{"login":"octo"},"name":"checkout"} | 400 VALIDATION_FAILED |
        | null           | POST /api/ActionsUpsert | {"owner":null,"name":"checkout"}             | 400 VALIDATION_FAILED |
        | other letters  | POST /api/ActionsUpsert | {"Owner":"octo","name":"checkout"}           | 400 VALIDATION_FAILED |

    Scenario: texts that only look like something else
      When Ana sends POST /api/ActionsUpsert {"owner":"0-{tag}","name":"null"}
      Then the answer is 200 or 201
      And the record 0-{tag} / null is stored as
        """
        {"name":"null","owner":"0-{tag}"}
        """

    Scenario: the owner is looked at first
      When Ana sends POST /api/ActionsUpsert {"stars":1}
      Then the answer is 400 VALIDATION_FAILED
      And the answer contains "owner"
      And no storage call was made

  @GA-VAL-2
  Rule: The body is one JSON object that every reader understands alike
    > Client `POST /api/ActionsUpsert` with JSON body matching the record schema.
    > (contract) One JSON object whose texts and depth every reader keeps.

    Scenario: it is not
      Then Ana is refused each of these, and nothing is written
        | what                  | request                 | body                                                                          | answer                |
        | nothing               | POST /api/ActionsUpsert |                                                                               | 400 VALIDATION_FAILED |
        | a list                | POST /api/ActionsUpsert | [{"owner":"octo","name":"checkout"}]                                          | 400 VALIDATION_FAILED |
        | a text                | POST /api/ActionsUpsert | "octo/checkout"                                                               | 400 VALIDATION_FAILED |
        | null                  | POST /api/ActionsUpsert | null                                                                          | 400 VALIDATION_FAILED |
        | cut off               | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout"                                             | 400 VALIDATION_FAILED |
        | two objects           | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout"} {"owner":"octo","name":"cache"}            | 400 VALIDATION_FAILED |
        | a comma too many      | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout",}                                           | 400 VALIDATION_FAILED |
        | a comment             | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout"/* main */}                                  | 400 VALIDATION_FAILED |
        | no number             | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","stars":NaN}                                | 400 VALIDATION_FAILED |
        | a zero before         | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","stars":007}                                | 400 VALIDATION_FAILED |
        | a bare tab in a text  | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","icon":"{byte 09}"}                         | 400 VALIDATION_FAILED |
        | a pair's other half   | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","icon":"\\ude00"}                           | 400 VALIDATION_FAILED |
        | half a pair in a key  | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","\\ud83d":1}                                | 400 VALIDATION_FAILED |
        | half a surrogate pair | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","icon":"\\ud83d"}                           | 400 VALIDATION_FAILED |
        | no UTF-8              | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","icon":"{byte ff}"}                         | 400 VALIDATION_FAILED |
        | 65 levels             | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","deep":{64×[}{64×]}}                        | 400 VALIDATION_FAILED |

    Scenario: 64 levels are enough
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","deep":{63×[}{63×]}}
      Then the answer is 200 or 201
      And the record octo-{tag} / checkout is stored as
        """
        {"deep":{63×[}{63×]},"name":"checkout","owner":"octo-{tag}"}
        """

  @GA-VAL-3 @should
  Rule: What JSON parsers read differently is refused
    > Client `POST /api/ActionsUpsert` with JSON body matching the record schema.
    > (contract) Most parsers cannot see a key that is there twice, nor a number that a double does not hold exactly.

    Scenario: keys that are there twice, and numbers that nobody keeps
      Then Ana is refused each of these, and nothing is written
        | what                  | request                 | body                                                                          | answer                |
        | a key twice           | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","owner":"evil"}                             | 400 VALIDATION_FAILED |
        | a key twice within    | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","runs":{"using":"node20","using":"docker"}} | 400 VALIDATION_FAILED |
        | a key twice, escaped  | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","\\u006fwner":"evil"}                       | 400 VALIDATION_FAILED |
        | a key twice in a list | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","steps":[{"run":"a","run":"b"}]}            | 400 VALIDATION_FAILED |
        | a number too fine     | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","id":9007199254740993}                      | 400 VALIDATION_FAILED |
        | too many digits       | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","score":0.12345678901234567891}             | 400 VALIDATION_FAILED |
        | a number too small    | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","score":1e-400}                             | 400 VALIDATION_FAILED |
        | a number too large    | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","id":1e400}                                 | 400 VALIDATION_FAILED |

    Scenario: in a batch
      When Ana sends POST /api/ActionsUpsert/batch {"records":[{"owner":"octo-{tag}","name":"d","x":1,"x":2},{"owner":"octo-{tag}","name":"e"}]}
      Then "results" of the answer lists, in this order
        | status     | updated | errorCode         |
        | 400        | false   | VALIDATION_FAILED |
        | 200 or 201 | true    | absent or null    |
      And the partition octo-{tag} of {actions} holds, in this order
        | RowKey |
        | e      |
