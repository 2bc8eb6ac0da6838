Feature: Invalid records are refused before any storage call

  @GA-VAL-1
  Rule: owner and name must be texts that are not empty
    > Function validates required fields (`owner`, `name`).

    Scenario: a missing, empty or mistyped owner or name is refused
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

    Scenario: texts that look like numbers or null are stored as texts
      When Ana sends POST /api/ActionsUpsert {"owner":"0-{tag}","name":"null"}
      Then the answer is 200 or 201
      And the record 0-{tag} / null is stored as
        """
        {"name":"null","owner":"0-{tag}"}
        """

    Scenario: a missing owner is reported before a missing name
      When Ana sends POST /api/ActionsUpsert {"stars":1}
      Then the answer is 400 VALIDATION_FAILED
      And the answer contains "owner"
      And no storage call was made

  @GA-VAL-2
  Rule: The body is one JSON object that every reader understands alike
    > Client `POST /api/ActionsUpsert` with JSON body matching the record schema.
    > (contract) One JSON object whose texts and depth every reader keeps.

    Scenario: a body that is not one JSON object is refused
      Then Ana is refused each of these, and nothing is written
        | what                     | request                 | body                                                                          | answer                |
        | nothing                  | POST /api/ActionsUpsert |                                                                               | 400 VALIDATION_FAILED |
        | a list                   | POST /api/ActionsUpsert | [{"owner":"octo","name":"checkout"}]                                          | 400 VALIDATION_FAILED |
        | a text                   | POST /api/ActionsUpsert | "octo/checkout"                                                               | 400 VALIDATION_FAILED |
        | null                     | POST /api/ActionsUpsert | null                                                                          | 400 VALIDATION_FAILED |
        | cut off                  | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout"                                             | 400 VALIDATION_FAILED |
        | two objects              | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout"} {"owner":"octo","name":"cache"}            | 400 VALIDATION_FAILED |
        | a trailing comma         | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout",}                                           | 400 VALIDATION_FAILED |
        | a comment                | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout"/* main */}                                  | 400 VALIDATION_FAILED |
        | not a number             | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","stars":NaN}                                | 400 VALIDATION_FAILED |
        | a leading zero           | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","stars":007}                                | 400 VALIDATION_FAILED |
        | a bare tab in a text     | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","icon":"{byte 09}"}                         | 400 VALIDATION_FAILED |
        | a pair's other half      | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","icon":"\\ude00"}                           | 400 VALIDATION_FAILED |
        | half a pair in a key     | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","\\ud83d":1}                                | 400 VALIDATION_FAILED |
        | half a surrogate pair    | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","icon":"\\ud83d"}                           | 400 VALIDATION_FAILED |
        | not UTF-8                | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","icon":"{byte ff}"}                         | 400 VALIDATION_FAILED |
        | a minus alone            | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","stars":-}                                  | 400 VALIDATION_FAILED |
        | a trailing point         | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","stars":1.}                                 | 400 VALIDATION_FAILED |
        | no exponent              | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","stars":1e+}                                | 400 VALIDATION_FAILED |
        | no exponent of zero      | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","stars":0e}                                 | 400 VALIDATION_FAILED |
        | a leading plus           | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","stars":+1}                                 | 400 VALIDATION_FAILED |
        | a leading point          | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","stars":.5}                                 | 400 VALIDATION_FAILED |
        | no comma in a list       | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","tags":["a" "b"]}                           | 400 VALIDATION_FAILED |
        | a list cut off           | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","tags":["a"}                                | 400 VALIDATION_FAILED |
        | no colon                 | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","runs" {}}                                  | 400 VALIDATION_FAILED |
        | no comma                 | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","runs":1 "stars":1}                         | 400 VALIDATION_FAILED |
        | a key without quotes     | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout",runs:1}                                     | 400 VALIDATION_FAILED |
        | an unknown escape        | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","icon":"\\x41"}                             | 400 VALIDATION_FAILED |
        | a short escape           | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","icon":"\\u00e"}                            | 400 VALIDATION_FAILED |
        | an escape of letters     | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","icon":"\\u00zz"}                           | 400 VALIDATION_FAILED |
        | half a pair and a text   | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","icon":"\\ud83dA"}                          | 400 VALIDATION_FAILED |
        | half a pair twice        | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","icon":"\\ud83d\\ud83d"}                    | 400 VALIDATION_FAILED |
        | half a pair and letters  | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","icon":"\\ud83d\\uzzzz"}                    | 400 VALIDATION_FAILED |
        | half a pair and a letter | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","icon":"\\ud83d\\u0041"}                    | 400 VALIDATION_FAILED |
        | part of a literal        | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","private":tru}                              | 400 VALIDATION_FAILED |
        | a literal too long       | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","private":nulls}                            | 400 VALIDATION_FAILED |
        | an escape cut off        | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","icon":"\\u00                               | 400 VALIDATION_FAILED |
        | a text cut off           | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","icon":"a                                   | 400 VALIDATION_FAILED |
        | 65 levels                | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","deep":{64×[}{64×]}}                        | 400 VALIDATION_FAILED |

    Scenario: an invalid body does not affect the next request
      When Ana sends POST /api/ActionsUpsert with the body
        """
        {"owner":"octo-{tag}","name":"checkout","runs" {}}
        """
      Then the answer is 400 VALIDATION_FAILED
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","runs":{}}
      Then the answer is 200 or 201

    @reference
    Scenario Outline: the reference names the mistake in an invalid body: <what>
      When Ana sends POST /api/ActionsUpsert with the body
        """
        <body>
        """
      Then the answer is 400 VALIDATION_FAILED
      And the answer has
        | message | <message> |

      Examples:
        | what                     | body                                                               | message                                            |
        | a list                   | [{"owner":"octo","name":"checkout"}]                               | a record is one JSON object                        |
        | no owner                 | {"name":"checkout"}                                                | owner must be a text that is not blank             |
        | no name                  | {"owner":"octo"}                                                   | name must be a text that is not blank              |
        | cut off                  | {"owner":"octo","name":"checkout"                                  | the text is not one JSON value                     |
        | two objects              | {"owner":"octo","name":"checkout"} {}                              | the text is not one JSON value                     |
        | a trailing comma         | {"owner":"octo","name":"checkout",}                                | the text is not one JSON value                     |
        | a leading zero           | {"owner":"octo","name":"checkout","stars":007}                     | the text is not one JSON value                     |
        | no comma in a list       | {"owner":"octo","name":"checkout","tags":["a" "b"]}                | the text is not one JSON value                     |
        | a list cut off           | {"owner":"octo","name":"checkout","tags":["a"}                     | the text is not one JSON value                     |
        | an object cut off        | {"owner":"octo","name":"checkout","tags":[{"a":1]}                 | the text is not one JSON value                     |
        | no comma                 | {"owner":"octo","name":"checkout","runs":1 "stars":1}              | the text is not one JSON value                     |
        | no colon                 | {"owner":"octo","name":"checkout","runs" {}}                       | the text is not one JSON value                     |
        | a key alone              | {"owner":"octo","name":"checkout","runs"}                          | the text is not one JSON value                     |
        | a key without quotes     | {"owner":"octo","name":"checkout",runs:1}                          | the text is not one JSON value                     |
        | a key that begins bare   | {"owner":"octo","name":"checkout",runs":1}                         | the text is not one JSON value                     |
        | a text cut off           | {"owner":"octo","name":"checkout","icon":"a                        | the text is not one JSON value                     |
        | a bare tab in a text     | {"owner":"octo","name":"checkout","icon":"{byte 09}"}              | the text is not one JSON value                     |
        | a bare tab at an end     | {"owner":"octo","name":"checkout","icon":"{byte 09}}               | the text is not one JSON value                     |
        | an unknown escape        | {"owner":"octo","name":"checkout","icon":"\\x41"}                  | the text is not one JSON value                     |
        | a short escape           | {"owner":"octo","name":"checkout","icon":"\\u00e"}                 | the text is not one JSON value                     |
        | an escape of letters     | {"owner":"octo","name":"checkout","icon":"\\u00zz"}                | the text is not one JSON value                     |
        | an escape cut off        | {"owner":"octo","name":"checkout","icon":"\\u00                    | the text is not one JSON value                     |
        | half a pair and letters  | {"owner":"octo","name":"checkout","icon":"\\ud83d\\uzzzz"}         | the text is not one JSON value                     |
        | part of a literal        | {"owner":"octo","name":"checkout","private":tru}                   | the text is not one JSON value                     |
        | not a number             | {"owner":"octo","name":"checkout","stars":NaN}                     | the text is not one JSON value                     |
        | not UTF-8                | {"owner":"octo","name":"checkout","icon":"{byte ff}"}              | the text is not UTF-8                              |
        | half a pair              | {"owner":"octo","name":"checkout","icon":"\\ud83d"}                | a text holds half of a surrogate pair              |
        | a pair's other half      | {"owner":"octo","name":"checkout","icon":"\\ude00"}                | a text holds half of a surrogate pair              |
        | half a pair in a key     | {"owner":"octo","name":"checkout","\\ud83d":1}                     | a text holds half of a surrogate pair              |
        | half a pair and a text   | {"owner":"octo","name":"checkout","icon":"\\ud83dA"}               | a text holds half of a surrogate pair              |
        | half a pair and a letter | {"owner":"octo","name":"checkout","icon":"\\ud83d\\u0041"}         | a text holds half of a surrogate pair              |
        | a key twice              | {"owner":"octo","name":"checkout","owner":"evil"}                  | two fields of one object have one name             |
        | a key twice in a list    | {"owner":"octo","name":"checkout","steps":[{"run":"a","run":"b"}]} | two fields of one object have one name             |
        | too precise a number     | {"owner":"octo","name":"checkout","id":9007199254740993}           | a number cannot be represented exactly as a double |
        | 65 levels                | {"owner":"octo","name":"checkout","deep":{64×[}{64×]}}             | the values are nested too deeply                   |
        | half a pair, and more    | {"owner":"octo","name":"checkout","icon":"\\ud83d,","a":1}         | a text holds half of a surrogate pair              |

    Scenario: a body of 64 nested levels is accepted
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","deep":{63×[}{63×]}}
      Then the answer is 200 or 201
      And the record octo-{tag} / checkout is stored as
        """
        {"deep":{63×[}{63×]},"name":"checkout","owner":"octo-{tag}"}
        """

  @GA-VAL-3 @should
  Rule: JSON that parsers read differently is refused
    > Client `POST /api/ActionsUpsert` with JSON body matching the record schema.
    > (contract) Most parsers cannot see a key that is there twice, nor a number that a double does not hold exactly.

    Scenario: repeated keys and numbers that cannot be represented exactly are refused
      Then Ana is refused each of these, and nothing is written
        | what                  | request                 | body                                                                          | answer                |
        | a key twice           | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","owner":"evil"}                             | 400 VALIDATION_FAILED |
        | a key twice within    | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","runs":{"using":"node20","using":"docker"}} | 400 VALIDATION_FAILED |
        | a key twice, escaped  | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","\\u006fwner":"evil"}                       | 400 VALIDATION_FAILED |
        | a key twice in a list | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","steps":[{"run":"a","run":"b"}]}            | 400 VALIDATION_FAILED |
        | too precise a number  | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","id":9007199254740993}                      | 400 VALIDATION_FAILED |
        | too many digits       | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","score":0.12345678901234567891}             | 400 VALIDATION_FAILED |
        | a number too small    | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","score":1e-400}                             | 400 VALIDATION_FAILED |
        | far too small         | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","score":1e-99999999999}                     | 400 VALIDATION_FAILED |
        | far too large         | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","id":1e99999999999}                         | 400 VALIDATION_FAILED |
        | a number too large    | POST /api/ActionsUpsert | {"owner":"octo","name":"checkout","id":1e400}                                 | 400 VALIDATION_FAILED |

    Scenario: a batch refuses only the record with a repeated key
      When Ana sends POST /api/ActionsUpsert/batch {"records":[{"owner":"octo-{tag}","name":"d","x":1,"x":2},{"owner":"octo-{tag}","name":"e"}]}
      Then "results" of the answer lists, in this order
        | status     | updated | errorCode         |
        | 400        | false   | VALIDATION_FAILED |
        | 200 or 201 | true    | absent or null    |
      And the partition octo-{tag} of {actions} holds, in this order
        | RowKey |
        | e      |
