Feature: Up to a hundred records at once
  A batch answers 200 with a result for each record, in the order of the records.

  @GA-BAT-1
  Rule: The records of an owner are written in one transaction, as far as a transaction holds them
    > Batch API to handle up to 100 records per call using `TableTransactionAction` for grouped updates.
    > (contract) At most 100 operations and 4 MiB.

    Scenario: a batch of two owners is written in one transaction for each
      When Ana sends POST /api/ActionsUpsert/batch {"records":[{"owner":"octo-{tag}","name":"a"},{"owner":"hexa-{tag}","name":"b"},{"owner":"Octo-{tag}","name":"c"},{"owner":"hexa-{tag}","name":"d"}]}
      Then the answer is 200
      And "results" of the answer lists, in this order
        | name | status     | updated | created        |
        | a    | 200 or 201 | true    | true or absent |
        | b    | 200 or 201 | true    | true or absent |
        | c    | 200 or 201 | true    | true or absent |
        | d    | 200 or 201 | true    | true or absent |
      And the storage calls are at most
        | service | call                          | on        | count |
        | table   | point read or partition query | {actions} | 4     |
        | table   | transaction                   | {actions} | 2     |
      And the storage calls changed 4 entities

    Scenario: a hundred records of one owner are written in one transaction
      When Ana sends POST /api/ActionsUpsert/batch with 100 items in "records" like {"owner":"octo-{tag}","name":"action-{i}"}
      Then the answer is 200
      And the storage calls are at most
        | service | call                          | on        | count |
        | table   | point read or partition query | {actions} | 100   |
        | table   | transaction                   | {actions} | 1     |
      And the storage calls changed 100 entities

    Scenario: records larger than one transaction are split into two transactions
      Given Noise stands for 45000 random characters
      When Ana sends POST /api/ActionsUpsert/batch with 100 items in "records" like {"owner":"octo-{tag}","name":"action-{i}","text":"{Noise}"}
      Then the answer is 200
      And the storage calls are at most
        | service | call                          | on        | count |
        | table   | point read or partition query | {actions} | 100   |
        | table   | transaction                   | {actions} | 2     |
      And the storage calls changed 100 entities

    Scenario: a missing, empty, oversized or malformed batch is refused
      Then Ana is refused each of these, and nothing is written
        | what          | request                       | body                                           | answer                |
        | no records    | POST /api/ActionsUpsert/batch | {}                                             | 400 VALIDATION_FAILED |
        | an empty list | POST /api/ActionsUpsert/batch | {"records":[]}                                 | 400 VALIDATION_FAILED |
        | an object     | POST /api/ActionsUpsert/batch | {"records":{"owner":"octo","name":"checkout"}} | 400 VALIDATION_FAILED |
        | 101 records   | POST /api/ActionsUpsert/batch | {"records":[{100×0,}0]}                        | 400 VALIDATION_FAILED |
        | a list        | POST /api/ActionsUpsert/batch | [{"owner":"octo","name":"checkout"}]           | 400 VALIDATION_FAILED |

  @GA-BAT-2
  Rule: A record that did not change costs no write
    > Only writes when the payload differs from what is already persisted.

    Background:
      Given Ana sends POST /api/ActionsUpsert/batch with 3 items in "records" like {"owner":"octo-{tag}","name":"action-{i}"}

    Scenario: an unchanged batch writes nothing and reports no update
      When Ana sends POST /api/ActionsUpsert/batch with 3 items in "records" like {"owner":"octo-{tag}","name":"action-{i}"}
      Then the answer is 200
      And "results" of the answer lists, in this order
        | owner      | name     | status | updated | created        |
        | octo-{tag} | action-0 | 200    | false   | absent or null |
        | octo-{tag} | action-1 | 200    | false   | absent or null |
        | octo-{tag} | action-2 | 200    | false   | absent or null |
      And the storage calls are at most
        | service | call                          | on        | count |
        | table   | point read or partition query | {actions} | 3     |
      And {actions} was read

    Scenario: only the changed record of a batch is written
      When Ana sends POST /api/ActionsUpsert/batch {"records":[{"owner":"octo-{tag}","name":"action-0"},{"owner":"octo-{tag}","name":"action-1","stars":1},{"owner":"octo-{tag}","name":"action-2"}]}
      Then "results" of the answer lists, in this order
        | name     | status | updated |
        | action-0 | 200    | false   |
        | action-1 | 200    | true    |
        | action-2 | 200    | false   |
      And the storage calls changed 1 entity

  @GA-BAT-3
  Rule: Each record is judged on its own
    > (contract) One bad record does not sink the others. Of a key that is there twice, the first counts.

    Scenario: invalid records in a batch are refused while the valid ones are stored
      When Ana sends POST /api/ActionsUpsert/batch {"records":[{"owner":"octo-{tag}","name":"a"},{"name":"no owner"},7,{"owner":"octo-{tag}","name":"b/c"},{"owner":"octo-{tag}","name":["d"]},{"owner":"octo-{tag}","name":"e"},{"owner":"OCTO-{tag}","name":"A","stars":9}]}
      Then the answer is 200 or 400
      And "results" of the answer lists, in this order
        | status     | updated | errorCode         |
        | 200 or 201 | true    | absent or null    |
        | 400        | false   | VALIDATION_FAILED |
        | 400        | false   | VALIDATION_FAILED |
        | 400        | false   | VALIDATION_FAILED |
        | 400        | false   | VALIDATION_FAILED |
        | 200 or 201 | true    | absent or null    |
        | 400        | false   | VALIDATION_FAILED |
      And the storage calls are at most
        | service | call                          | on        | count |
        | table   | point read or partition query | {actions} | 2     |
        | table   | transaction                   | {actions} | 1     |
      And the record octo-{tag} / a is stored as
        """
        {"name":"a","owner":"octo-{tag}"}
        """
      And the partition octo-{tag} of {actions} holds, in this order
        | RowKey |
        | a      |
        | e      |

    @reference
    Scenario: the reference reports which records are new and why others are refused
      Given Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"old","stars":1}
      When Ana sends POST /api/ActionsUpsert/batch {"records":[{"owner":"octo-{tag}","name":"new"},{"owner":"octo-{tag}","name":"old","stars":2},{"name":"a"},{"name":"a"},{"owner":"octo-{tag}","name":"new"}]}
      Then the answer is 200
      And "results" of the answer lists, in this order
        | owner      | name | status | updated | created | message                                                |
        | octo-{tag} | new  | 201    | true    | true    | absent                                                 |
        | octo-{tag} | old  | 200    | true    | false   | absent                                                 |
        | null       | a    | 400    | false   | absent  | owner must be a text that is not blank                 |
        | null       | a    | 400    | false   | absent  | owner must be a text that is not blank                 |
        | octo-{tag} | new  | 400    | false   | absent  | an earlier record of this batch has this owner and name |

    @reference
    Scenario: a batch of only invalid records still returns a result for each
      When Ana sends POST /api/ActionsUpsert/batch {"records":[{"owner":"octo-{tag}"},7]}
      Then the answer is 200
      And "results" of the answer lists, in this order
        | status | updated | errorCode         |
        | 400    | false   | VALIDATION_FAILED |
        | 400    | false   | VALIDATION_FAILED |

    Scenario: records whose owner and name contain apostrophes are updated in a batch
      Given Ana sends POST /api/ActionsUpsert/batch {"records":[{"owner":"O'Brien-{tag}","name":"it's"},{"owner":"O'Brien-{tag}","name":"checkout"}]}
      When Ana sends POST /api/ActionsUpsert/batch {"records":[{"owner":"O'Brien-{tag}","name":"it's","stars":1},{"owner":"O'Brien-{tag}","name":"checkout","stars":1}]}
      Then "results" of the answer lists, in this order
        | name     | status | updated |
        | it's     | 200    | true    |
        | checkout | 200    | true    |
      And the record o'brien-{tag} / it's is stored as
        """
        {"name":"it's","owner":"O'Brien-{tag}","stars":1}
        """

    Scenario: a record that is too large is refused while the rest of its batch is stored
      Given Noise stands for 1500000 random characters
      When Ana sends POST /api/ActionsUpsert/batch {"records":[{"owner":"octo-{tag}","name":"a"},{"owner":"octo-{tag}","name":"b","text":"{Noise}"},{"owner":"octo-{tag}","name":"c"}]}
      Then the answer is 200
      And "results" of the answer lists, in this order
        | name | status     | updated | errorCode         |
        | a    | 200 or 201 | true    | absent or null    |
        | b    | 413        | false   | PAYLOAD_TOO_LARGE |
        | c    | 200 or 201 | true    | absent or null    |
      And the partition octo-{tag} of {actions} holds, in this order
        | RowKey |
        | a      |
        | c      |

    Scenario: a batch still writes all its records when another client changes one first
      Given before the 1st write on anything of the next request Ben sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"b","stars":2}
      When Ana sends POST /api/ActionsUpsert/batch with the body
        """
        {"records":[{"owner":"octo-{tag}","name":"a","stars":1},{"owner":"octo-{tag}","name":"b","stars":1},{"owner":"octo-{tag}","name":"c","stars":1}]}
        """
      Then the answer is 200
      And "results" of the answer lists, in this order
        | name | status     | updated |
        | a    | 200 or 201 | true    |
        | b    | 200        | true    |
        | c    | 200 or 201 | true    |
      And the record octo-{tag} / a is stored as
        """
        {"name":"a","owner":"octo-{tag}","stars":1}
        """
      And the record octo-{tag} / b is stored as
        """
        {"name":"b","owner":"octo-{tag}","stars":1}
        """

  @GA-BAT-4
  Rule: A batch costs a read for each record and a transaction for each owner, whatever else is stored
    > (contract) At most one query or point read per record and one transaction per owner.

    @reference
    Scenario: new records with apostrophes are written in one transaction
      When Ana sends POST /api/ActionsUpsert/batch {"records":[{"owner":"O'Brien-{tag}","name":"it's"},{"owner":"O'Brien-{tag}","name":"checkout"}]}
      Then the storage calls are at most
        | service | call        | on        | count |
        | table   | point read  | {actions} | 2     |
        | table   | transaction | {actions} | 1     |

    Scenario: a record with an apostrophe only in its name costs one read and one write
      Given Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"it's"}
      When Ana sends POST /api/ActionsUpsert/batch {"records":[{"owner":"octo-{tag}","name":"it's","stars":1}]}
      Then the storage calls are at most
        | service | call                                             | on        | count |
        | table   | point read or partition query or partition range | {actions} | 1     |
        | table   | transaction or write                             | {actions} | 1     |

    Scenario: records with apostrophes, which some SDKs cannot replace in a transaction, cost one write each
      Given Ana sends POST /api/ActionsUpsert/batch {"records":[{"owner":"O'Brien-{tag}","name":"it's"},{"owner":"O'Brien-{tag}","name":"checkout"}]}
      When Ana sends POST /api/ActionsUpsert/batch {"records":[{"owner":"O'Brien-{tag}","name":"it's","stars":1},{"owner":"O'Brien-{tag}","name":"checkout","stars":1}]}
      Then the storage calls are at most
        | service | call                                             | on        | count |
        | table   | point read or partition query or partition range | {actions} | 2     |
        | table   | transaction or write                             | {actions} | 2     |
      And the storage calls changed 2 entities

    Scenario Outline: <count> records of an owner with 64 others cost one transaction
      Given Ana sends POST /api/ActionsUpsert/batch with 64 items in "records" like {"owner":"octo-{tag}","name":"other-{i}"}
      And Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"action-0","stars":1}
      When Ana sends POST /api/ActionsUpsert/batch with <count> items in "records" like {"owner":"octo-{tag}","name":"action-{i}"}
      Then the answer is 200
      And the storage calls are at most
        | service | call                                             | on        | count   |
        | table   | point read or partition query or partition range | {actions} | <count> |
        | table   | transaction or write                             | {actions} | 1       |
      And the storage calls changed <count> entities

      Examples:
        | count |
        | 1     |
        | 4     |
        | 16    |
        | 64    |
