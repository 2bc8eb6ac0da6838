Feature: Many write at the same moment, and calls fail
  Whatever the order of the storage calls, and whichever of them fails, a stored record is a complete one that was sent.

  @GA-CON-1
  Rule: A write states which version it replaces
    > For strict atomicity, if the entity exists, supply the current `ETag` and call `UpdateEntity`/`SetEntity` with `IfMatch` semantics.

    Scenario: creating and changing a record make no blind write
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":1}
      And Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":2}
      Then no write of the scenario was blind

    Scenario: a batch of changed and new records makes no blind write
      Given Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":2}
      When Ana sends POST /api/ActionsUpsert/batch {"records":[{"owner":"octo-{tag}","name":"checkout","stars":3},{"owner":"octo-{tag}","name":"cache"}]}
      Then no write of the scenario was blind

    Scenario: a change overtaken by another client's change is written without a blind write
      Given Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":1}
      And before the 1st write on {actions} of the next request Ben sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":2}
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":3}
      Then the answer is 200
      And the record octo-{tag} / checkout is stored as
        """
        {"name":"checkout","owner":"octo-{tag}","stars":3}
        """
      And no write of the scenario was blind

  @GA-CON-2
  Rule: A writer that was overtaken reads again, compares and tries again
    > Retry on `412 Precondition Failed` with a fresh read.
    > (contract) 40 writers on one key: all are answered 200 or 201, at most one says that it created it, and the last state is one of theirs, entire.

    Scenario: a creation overtaken by another client's creation becomes an update
      Given before the 1st write on {actions} of the next request Ben sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":2}
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":3}
      Then the answer is 200
      And the answer has
        | updated | true            |
        | created | false or absent |
      And the record octo-{tag} / checkout is stored as
        """
        {"name":"checkout","owner":"octo-{tag}","stars":3}
        """

    Scenario: a change overtaken by the same change reports no update
      Given Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":1}
      And before the 1st write on {actions} of the next request Ben sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":2}
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":2}
      Then the answer is 200
      And the answer has
        | updated | false |

    Scenario: 40 writers of one key on two servers leave one whole record
      Given the target runs 2 times
      When Ana sends 40 times at once POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","writer":{i},"text":"{200×writer }{i}"}
      Then each answer is one of 200, 201
      And at most 1 of these answers has "created" true
      And the record octo-{tag} / checkout is stored whole, as one of these requests
      And the partition octo-{tag} of {actions} holds, in this order
        | RowKey   |
        | checkout |

    Scenario: three concurrent writers of one record leave one whole record, in every order
      Given Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":1}
      When these run at the same time
        | who | method | path               | body                                                    |
        | Ana | POST   | /api/ActionsUpsert | {"owner":"octo-{tag}","name":"checkout","writer":"Ana"} |
        | Ben | POST   | /api/ActionsUpsert | {"owner":"octo-{tag}","name":"checkout","writer":"Ben"} |
        | Cem | POST   | /api/ActionsUpsert | {"owner":"octo-{tag}","name":"checkout","writer":"Cem"} |
      Then all answers are 200
      And 3 of these answers have "updated" true
      And the record octo-{tag} / checkout is stored whole, as one of these requests

    Scenario: a record and a batch that contains it are both stored, in every order
      When these run at the same time
        | who | method | path                     | body                                                                                                             |
        | Ana | POST   | /api/ActionsUpsert       | {"owner":"octo-{tag}","name":"checkout","stars":1}                                                               |
        | Ben | POST   | /api/ActionsUpsert/batch | {"records":[{"owner":"octo-{tag}","name":"checkout","stars":1},{"owner":"octo-{tag}","name":"cache","stars":1}]} |
      Then each answer is one of 200, 201
      And the record octo-{tag} / checkout is stored as
        """
        {"name":"checkout","owner":"octo-{tag}","stars":1}
        """
      And the record octo-{tag} / cache is stored as
        """
        {"name":"cache","owner":"octo-{tag}","stars":1}
        """

  @GA-CON-3
  Rule: Exactly one of several identical concurrent writers reports a write
    > If hashes differ or entity missing, proceed to upsert.
    > (contract) Exactly one says updated.

    Scenario: one of three identical creations reports a write, in every order
      When these run at the same time
        | who | method | path               | body                                               |
        | Ana | POST   | /api/ActionsUpsert | {"owner":"octo-{tag}","name":"checkout","stars":1} |
        | Ben | POST   | /api/ActionsUpsert | {"owner":"octo-{tag}","name":"checkout","stars":1} |
      Then each answer is one of 200, 201
      And 1 of these answers has "updated" true
      And the record octo-{tag} / checkout is stored as
        """
        {"name":"checkout","owner":"octo-{tag}","stars":1}
        """

    Scenario: one of three identical changes reports a write, in every order
      Given Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":1}
      When these run at the same time
        | who | method | path               | body                                               |
        | Ana | POST   | /api/ActionsUpsert | {"owner":"octo-{tag}","name":"checkout","stars":2} |
        | Ben | POST   | /api/ActionsUpsert | {"owner":"octo-{tag}","name":"checkout","stars":2} |
        | Cem | POST   | /api/ActionsUpsert | {"owner":"octo-{tag}","name":"checkout","stars":2} |
      Then all answers are 200
      And 1 of these answers has "updated" true
      And the record octo-{tag} / checkout is stored as
        """
        {"name":"checkout","owner":"octo-{tag}","stars":2}
        """

    Scenario: one of two identical batches reports a write of each record, in every order
      Given Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":1}
      When these run at the same time
        | who | method | path                     | body                                                                                                             |
        | Ana | POST   | /api/ActionsUpsert/batch | {"records":[{"owner":"octo-{tag}","name":"checkout","stars":2},{"owner":"octo-{tag}","name":"cache","stars":2}]} |
        | Ben | POST   | /api/ActionsUpsert/batch | {"records":[{"owner":"octo-{tag}","name":"checkout","stars":2},{"owner":"octo-{tag}","name":"cache","stars":2}]} |
      Then all answers are 200
      And 1 of these answers has "results[0].updated" true
      And 1 of these answers has "results[1].updated" true

    Scenario: one of 40 identical writers on two servers reports a write
      Given the target runs 2 times
      When Ana sends 40 times at once POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":1}
      Then each answer is one of 200, 201
      And 1 of these answers has "updated" true
      And the record octo-{tag} / checkout is stored as
        """
        {"name":"checkout","owner":"octo-{tag}","stars":1}
        """

  @GA-CON-4
  Rule: After a failed call and the client's retry, the record is stored once and correctly
    > An API that … stores it in Azure Table Storage, and only writes when the payload differs … with an emphasis on low-latency and atomic writes.
    > Return HTTP 200 with `updated: true` and timestamps.
    > (contract) What was written is reported as updated once, also when the store's answer was lost; a client that was told of a failure may find it unchanged.

    Scenario Outline: <what> is stored correctly whichever storage call fails
      Given Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"<before>"}
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"<name>","text":"<after>"}, and any one storage call fails
      Then the answer is 200 or 201
      And the record octo-{tag} / <name> is stored as
        """
        {"name":"<name>","owner":"octo-{tag}","text":"<after>"}
        """
      And 1 record was reported as updated, unless a failure was reported

      Examples:
        | what                  | name     | before    | after     |
        | a new record          | cache    | a         | b         |
        | a change              | checkout | a         | b         |
        | a record that grows   | checkout | a         | {70000×b} |
        | a record that shrinks | checkout | {70000×a} | b         |

    Scenario: an unchanged record stays unchanged whichever storage call fails
      Given Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"a"}
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"a"}, and any one storage call fails
      Then the answer is 200
      And the answer has
        | updated | false |
      And the record octo-{tag} / checkout is stored as
        """
        {"name":"checkout","owner":"octo-{tag}","text":"a"}
        """

    Scenario: a batch is stored correctly whichever storage call fails
      Given Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":1}
      When Ana sends POST /api/ActionsUpsert/batch {"records":[{"owner":"octo-{tag}","name":"checkout","stars":2},{"owner":"octo-{tag}","name":"cache","stars":2},{"owner":"hexa-{tag}","name":"lint","stars":2}]}, and any one storage call fails
      And Ana sends POST /api/ActionsUpsert/batch {"records":[{"owner":"octo-{tag}","name":"checkout","stars":2},{"owner":"octo-{tag}","name":"cache","stars":2},{"owner":"hexa-{tag}","name":"lint","stars":2}]}
      And Ana sends POST /api/ActionsUpsert/batch {"records":[{"owner":"octo-{tag}","name":"checkout","stars":2},{"owner":"octo-{tag}","name":"cache","stars":2},{"owner":"hexa-{tag}","name":"lint","stars":2}]}
      Then the answer is 200
      And "results" of the answer lists, in this order
        | name     | status |
        | checkout | 200    |
        | cache    | 200    |
        | lint     | 200    |
      And nothing was written
      And 3 records were reported as updated, unless a failure was reported
      And the record octo-{tag} / checkout is stored as
        """
        {"name":"checkout","owner":"octo-{tag}","stars":2}
        """
      And the record octo-{tag} / cache is stored as
        """
        {"name":"cache","owner":"octo-{tag}","stars":2}
        """
      And the record hexa-{tag} / lint is stored as
        """
        {"name":"lint","owner":"hexa-{tag}","stars":2}
        """

    Scenario: records that a batch reports as updated are stored, even without a retry
      When Ana sends POST /api/ActionsUpsert/batch {"records":[{"owner":"octo-{tag}","name":"checkout"},{"owner":"octo-{tag}","name":"cache"},{"owner":"hexa-{tag}","name":"lint"}]}, and any one storage call fails for good
      Then every record that the answer calls updated is stored

    Scenario: requests during an outage get 503 and succeed once the store is back
      Given storage is down
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":1}
      Then the answer is 503 PERSISTENCE_FAILED
      And the answer says to retry later
      And the answer does not contain "{actions}"
      When Ben sends GET /api/actions/octo-{tag}/checkout
      Then the answer is 503 PERSISTENCE_FAILED
      When storage is back
      And Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":1}
      Then the answer is 200 or 201

    Scenario: a throttled request gets 503 and is asked to retry later
      Given storage throttles the next request
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":1}
      Then the answer is 503 PERSISTENCE_FAILED
      And the answer says to retry later

    @reference
    Scenario Outline: a request gets 503 while the store refuses each <call>, since <why>: <request>
      Given Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":1}
      And the store refuses each <call> on anything of the next request: <why>
      When Ana sends <request>
      Then the answer is 503 PERSISTENCE_FAILED
      And the header Retry-After of the answer is "1"
      When Ana sends <request>
      Then the answer is 200

      Examples:
        | call  | why                 | request                                                                                      |
        | read  | its key is wrong    | GET /api/actions/octo-{tag}/checkout                                                         |
        | read  | it does not exist   | GET /api/actions/octo-{tag}/checkout                                                         |
        | read  | its key is missing  | GET /api/actions/list?owner=octo-{tag}                                                       |
        | read  | it does not exist   | GET /api/actions/list?owner=octo-{tag}                                                       |
        | read  | it is being deleted | POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":2}                   |
        | write | it is being deleted | POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":2}                   |
        | write | its key is wrong    | POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":2}                   |
        | write | it does not exist   | POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":2}                   |
        | read  | its key is wrong    | POST /api/ActionsUpsert/batch {"records":[{"owner":"octo-{tag}","name":"checkout","stars":2}]} |
        | write | it does not exist   | POST /api/ActionsUpsert/batch {"records":[{"owner":"octo-{tag}","name":"checkout","stars":2}]} |

    @reference
    Scenario Outline: a request fails while the store refuses each write, since <why>: <request>
      Given Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":1}
      And the store refuses each write on anything of the next request: <why>
      When Ana sends <request>
      Then the answer is <answer>
      And the record octo-{tag} / checkout is stored as
        """
        {"name":"checkout","owner":"octo-{tag}","stars":1}
        """

      Examples:
        | why                   | answer                 | request                                                                                        |
        | the call is malformed | 500 PERSISTENCE_FAILED | POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":2}                     |
        | the call is too large | 413 PAYLOAD_TOO_LARGE  | POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":2}                     |
        | the call is malformed | 500 PERSISTENCE_FAILED | POST /api/ActionsUpsert/batch {"records":[{"owner":"octo-{tag}","name":"checkout","stars":2}]} |

    @reference
    Scenario Outline: only the record of a batch that the store refuses is reported as failed, since <why>
      Given Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":1}
      And the store refuses each write on anything of the next request: <why>
      When Ana sends POST /api/ActionsUpsert/batch {"records":[{"owner":"octo-{tag}","name":"checkout","stars":1},{"owner":"octo-{tag}","name":"cache","stars":2}]}
      Then the answer is 200
      And "results" of the answer lists, in this order
        | name     | status   | updated | errorCode      |
        | checkout | 200      | false   | absent or null |
        | cache    | <status> | false   | <code>         |

      Examples:
        | why                   | status | code               |
        | the call is malformed | 500    | PERSISTENCE_FAILED |
        | the call is too large | 413    | PAYLOAD_TOO_LARGE  |
        | its key is wrong      | 503    | PERSISTENCE_FAILED |

    @reference
    Scenario: a batch that the store cannot take now is not retried record by record
      Given the store refuses each write on anything of the next request: its key is wrong
      When Ana sends POST /api/ActionsUpsert/batch {"records":[{"owner":"octo-{tag}","name":"checkout"},{"owner":"octo-{tag}","name":"cache"}]}
      Then the answer is 503 PERSISTENCE_FAILED
      And the storage calls are at most
        | service | call                 | on        | count |
        | table   | point read           | {actions} | 2     |
        | table   | transaction or write | {actions} | 1     |

    @reference
    Scenario Outline: a batch of an invalid record and one that <what> gets 503
      Given the store refuses each <call> on anything of the next request: its key is wrong
      When Ana sends POST /api/ActionsUpsert/batch {"records":[{"owner":"octo-{tag}"},{"owner":"octo-{tag}","name":"checkout"}]}
      Then the answer is 503 PERSISTENCE_FAILED
      And the answer says to retry later

      Examples:
        | what              | call  |
        | cannot be read    | read  |
        | cannot be written | write |
