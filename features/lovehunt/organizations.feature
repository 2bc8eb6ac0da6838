Feature: AppData and organizations

  @LH-APP-1
  Rule: The first AppData is inserted, later ones replace the version that was read
    > Update app config: Upsert with ETag concurrency

    Scenario: missing AppData is not found, nor replaced
      When Ana sends GET /api/v2/app
      Then the answer is 404 not_found
      When Ana sends PUT /api/v2/app {"limit":1} with the header If-Match "*"
      Then the answer is 412 precondition_failed
      And the answer has no header ETag

    Scenario: the second AppData needs the version of the first
      Given Ana sends PUT /api/v2/app {"limit":1}
      And the header ETag of the answer is called First
      When Ana sends PUT /api/v2/app {"limit":2}
      Then the answer is 428 precondition_required
      When Ana sends PUT /api/v2/app {"limit":2} with the header If-Match "{First}"
      Then the answer is 200
      And the storage calls are at most
        | service | call            | on          | count |
        | table   | point read      | AppRegistry | 1     |
        | table   | update or merge | AppRegistry | 1     |
      When Ana sends GET /api/v2/app
      Then the answer has
        | data.limit | 2 |
      And the storage calls are at most
        | service | call       | on          | count |
        | table   | point read | AppRegistry | 1     |

    Scenario: only one of two first AppData is inserted
      When these run at the same time
        | who | method | path        | body        |
        | Ana | PUT    | /api/v2/app | {"limit":1} |
        | Ben | PUT    | /api/v2/app | {"limit":2} |
      Then each answer is one of 200, 428
      And some answer is 200
      And the table AppRegistry holds 1 row
      And no write of the scenario was blind

  @LH-ORG-1
  Rule: An organization is read by its slug in one call
    > Get organization: `PK="{orgSlug}", RK="org"`

    Scenario: an organization is created, read and replaced by its slug
      When Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions","city":"Vail"}
      Then the answer is 201
      When Ana sends GET /api/v2/organizations/org-{tag}
      Then the answer is 200
      And the answer has
        | data.slug    | org-{tag}  |
        | data.orgName | Vail Lions |
        | data.city    | Vail       |
      And the storage calls are at most
        | service | call       | on            | count |
        | table   | point read | Organizations | 1     |
      And the header ETag of the answer is called First
      When Ana sends PUT /api/v2/organizations/org-{tag} {"orgName":"Eagle Lions"} with the header If-Match "{First}"
      Then the answer is 200
      And the storage calls are at most
        | service | call            | on            | count |
        | table   | point read      | Organizations | 1     |
        | table   | update or merge | Organizations | 1     |
      When Ana sends GET /api/v2/organizations/org-{tag}
      Then the answer has
        | data.orgName | Eagle Lions |
        | data.city    | absent      |
      And the row Organizations org-{tag} / org has
        | orgName | Eagle Lions |

    Scenario: an organization with a slug already taken is refused
      Given Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      When Ben sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Others"}
      Then the answer is 409 conflict
      When Ana sends GET /api/v2/organizations/org-{tag}
      Then the answer has
        | data.orgName | Vail Lions |

    Scenario: a missing organization is neither read nor replaced
      When Ana sends GET /api/v2/organizations/org-{tag}
      Then the answer is 404 not_found
      When Ana sends PUT /api/v2/organizations/org-{tag} {"orgName":"Lions"} with the header If-Match "*"
      Then the answer is 404 not_found

  @LH-ORG-2
  Rule: The list is one query of the organizations' rows
    > List organizations: Query where `RK="org"`

    Scenario: the list of organizations leaves out rows of another kind
      Given Ana sends POST /api/v2/organizations {"slug":"b-{tag}","orgName":"Bears"}
      And Ana sends POST /api/v2/organizations {"slug":"a-{tag}","orgName":"Ants"}
      And the row Organizations a-{tag} / settings is
        | orgName | Not an organization |
      When Ana sends GET /api/v2/organizations
      Then the answer is 200
      And "data" of the answer lists, in this order
        | slug    | orgName |
        | a-{tag} | Ants    |
        | b-{tag} | Bears   |
      And the answer has no header X-Invalid-Records
      And the storage calls are at most
        | service | call       | on            | count |
        | table   | table scan | Organizations | 1     |
      And the storage calls brought at most 2 entities

    Scenario: the list of organizations is complete when the store ends pages early
      Given Ana sends POST /api/v2/organizations {"slug":"b-{tag}","orgName":"Bears"}
      And Ana sends POST /api/v2/organizations {"slug":"a-{tag}","orgName":"Ants"}
      And the store answers queries in pages of 1 row, with an empty page before each
      When Ana sends GET /api/v2/organizations
      Then "data" of the answer lists, in this order
        | slug    |
        | a-{tag} |
        | b-{tag} |

  @LH-ORG-3
  Rule: Organizations are selected by the beginning of their names, in the store
    > Search by name: Query with name filters
    > (contract) `name` selects what begins with it, capitals as they are.

    Scenario: organizations are found by the beginning of their names
      Given Ana sends POST /api/v2/organizations {"slug":"a-{tag}","orgName":"Bär & Söhne"}
      And Ana sends POST /api/v2/organizations {"slug":"b-{tag}","orgName":"Bärenclub"}
      And Ana sends POST /api/v2/organizations {"slug":"c-{tag}","orgName":"O'Bär"}
      When Ana sends GET /api/v2/organizations?name=B%C3%A4r
      Then "data" of the answer lists, in this order
        | slug    |
        | a-{tag} |
        | b-{tag} |
      And the storage calls brought at most 2 entities
      When Ana sends GET /api/v2/organizations?name=O'B
      Then "data" of the answer lists, in this order
        | slug    |
        | c-{tag} |
      When Ana sends GET /api/v2/organizations?name=b
      Then "data" of the answer is empty
