Feature: What a request may cost, however much is stored

  Background:
    Given the budgeted routes
      | route                           | with |
      | GET /api/health                 |      |
      | POST /api/ActionsUpsert         |      |
      | POST /api/ActionsUpsert/batch   |      |
      | GET /api/actions/list           |      |
      | GET /api/actions/stats          |      |
      | GET /api/actions/{owner}/{name} |      |

  @GA-BUD-1
  Rule: One record costs its own row, and health costs nothing
    > Clustering by owner keeps related actions co-located and enables efficient point lookups.
    > (contract) Whatever else the owner has. Health makes no storage call, and answers while storage is down.

    Scenario: health on a new account makes no storage call
      Given a fresh target on an account that was never used
      When Nobody sends GET /api/health
      Then the answer is 200
      And no storage call was made
      And no storage call was made, not even to create a table

    @reference
    Scenario: the reference names its build in the health answer
      When Nobody sends GET /api/health
      Then the answer is 200
      And the answer has
        | ok      | true      |
        | time    | a time    |
        | version | storespec |

    Scenario: health still answers while storage is down
      Given storage is down
      When Nobody sends GET /api/health
      Then the answer is 200

    Scenario Outline: a record is read and written at the same cost next to <others> other records
      Given Owner stands for "octo-{tag}"
      And Name stands for "checkout"
      And Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":1}
      And Ana sends <others> times, 8 at a time, POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"other-{i}"}
      When Ben sends GET /api/actions/{Owner}/{Name}
      Then the answer is 200
      And the storage calls are at most
        | service | call       | on        | count |
        | table   | point read | {actions} | 1     |
      And the storage calls brought at most 1 entity
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":2}
      Then the storage calls are at most
        | service | call            | on        | count |
        | table   | point read      | {actions} | 1     |
        | table   | update or merge | {actions} | 1     |
      And the storage calls brought at most 1 entity

      Examples:
        | others |
        | 1      |
        | 64     |
