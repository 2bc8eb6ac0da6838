Feature: Several people change the same record

  Background:
    Given Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
    And Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
    And the header ETag of the answer is called First

  @LH-CON-1
  Rule: An update names the version that was read
    > Optimistic Concurrency: All upserts use ETag-based concurrency control

    Scenario: an update without a version is refused
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Fair","startDate":"2024-07-16","endDate":"2024-07-16"}
      Then the answer is 428 precondition_required
      When Ana sends PUT /api/v2/organizations/org-{tag} {"orgName":"Others"}
      Then the answer is 428 precondition_required

    Scenario: an update or deletion of a replaced version is refused
      Given Ben sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Bens","startDate":"2024-07-15","endDate":"2024-07-15"} with the header If-Match "{First}"
      And the header ETag of the answer is called Second
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Anas","startDate":"2024-07-15","endDate":"2024-07-15"} with the header If-Match "{First}"
      Then the answer is 412 precondition_failed
      And the header ETag of the answer is "{Second}"
      And the storage calls are at most
        | service | call       | on    | count |
        | table   | point read | Hunts | 1     |
      When Ana sends DELETE /api/v2/hunts/org-{tag}/fair with the header If-Match "{First}"
      Then the answer is 412 precondition_failed
      When Ana sends GET /api/v2/hunts/org-{tag}/fair
      Then the answer has
        | data.huntName | Bens |

    Scenario: only one of two updates of the same version succeeds
      When these run at the same time
        | who | method | path                         | body                                                                | header            |
        | Ana | PUT    | /api/v2/hunts/org-{tag}/fair | {"huntName":"Anas","startDate":"2024-07-15","endDate":"2024-07-15"} | If-Match: {First} |
        | Ben | PUT    | /api/v2/hunts/org-{tag}/fair | {"huntName":"Bens","startDate":"2024-07-15","endDate":"2024-07-15"} | If-Match: {First} |
      Then each answer is one of 200, 412
      And one answer is 200 and the other 412

  @LH-CON-2
  Rule: Overwriting any version loses no other change
    > PreconditionFailed: Read fresh data and retry. Implement exponential backoff

    Scenario: two unconditional updates at once both succeed, without a blind write
      When these run at the same time
        | who | method | path                            | body                | header      |
        | Ana | PUT    | /api/v2/organizations/org-{tag} | {"orgName":"Anas"}  | If-Match: * |
        | Ben | PUT    | /api/v2/organizations/org-{tag} | {"orgName":"Bens"}  | If-Match: * |
      Then all answers are 200
      And no write of the scenario was blind

    Scenario: an unconditional update of a hunt deleted meanwhile is refused
      Given after the 1st read on Hunts of the next request Ben sends DELETE /api/v2/hunts/org-{tag}/fair
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Anas","startDate":"2024-07-15","endDate":"2024-07-15"} with the header If-Match "*"
      Then the answer is 404 not_found
      And the table HuntIndex holds 0 rows

    Scenario Outline: a request that loses every race gets 409 after eight attempts: <what> in <phase>
      Given a fresh target with MIGRATION_PHASE "<phase>"
      And Ana sends POST /api/v2/organizations {"slug":"lost-{tag}","orgName":"Vail Lions"}
      And Ana sends POST /api/v2/hunts/lost-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
      And the store refuses each write on <on> of the next request: it was changed
      When Ana sends <request>
      Then the answer is 409 conflict
      And the answer has
        | message | anything |
      And the storage calls are at most
        | service   | call    | on        | count |
        | <service> | <read>  | <counted> | 8     |
        | <service> | <write> | <counted> | 8     |

      Examples:
        | phase       | what                   | service | on            | counted       | read       | write           | request                                                                                                                            |
        | tables-only | a changed organization | table   | Organizations | Organizations | point read | update or merge | PUT /api/v2/organizations/lost-{tag} {"orgName":"Lions"} with the header If-Match "*"                                              |
        | tables-only | a changed hunt         | table   | Hunts         | Hunts         | point read | update or merge | PUT /api/v2/hunts/lost-{tag}/fair {"huntName":"Gala","startDate":"2024-07-15","endDate":"2024-07-15"} with the header If-Match "*" |
        | tables-only | a deleted hunt         | table   | Hunts         | Hunts         | point read | update or merge | DELETE /api/v2/hunts/lost-{tag}/fair                                                                                               |
        | blob-only   | a changed organization | blob    | lovehunt      | anything      | read       | write           | PUT /api/v2/organizations/lost-{tag} {"orgName":"Lions"} with the header If-Match "*"                                              |
        | blob-only   | a deleted hunt         | blob    | lovehunt      | anything      | read       | write           | DELETE /api/v2/hunts/lost-{tag}/fair                                                                                               |

    @reference
    Scenario: a blob update that loses every race gets 503 in dual-write
      Given a fresh target with MIGRATION_PHASE "dual-write"
      And Ana sends POST /api/v2/organizations {"slug":"lost-{tag}","orgName":"Vail Lions"}
      And the store refuses each write on lovehunt of the next request: it was changed
      When Ana sends PUT /api/v2/organizations/lost-{tag} {"orgName":"Eagle Lions"} with the header If-Match "*"
      Then the answer is 503 storage_unavailable
      And the storage calls are at most
        | service | call            | on            | count |
        | table   | point read      | Organizations | 8     |
        | table   | update or merge | Organizations | 1     |
        | blob    | read            | anything      | 8     |
        | blob    | write           | anything      | 8     |

    @reference
    Scenario Outline: an update whose storage answer was lost is completed by repeating it in <phase>
      Given a fresh target with MIGRATION_PHASE "<phase>"
      And Ana sends POST /api/v2/organizations {"slug":"lost-{tag}","orgName":"Vail Lions"}
      And Ana sends POST /api/v2/hunts/lost-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-16","huntId":"fair"}
      And the header ETag of the answer is called Fair
      And the answer to the 1st write of the next request is lost
      When Ana sends PUT /api/v2/hunts/lost-{tag}/fair {"huntName":"Fair","startDate":"2024-07-16","endDate":"2024-07-17"} with the header If-Match "{Fair}"
      Then the answer is 503 storage_unavailable
      When Ana sends PUT /api/v2/hunts/lost-{tag}/fair {"huntName":"Fair","startDate":"2024-07-16","endDate":"2024-07-17"} with the header If-Match "{Fair}"
      Then the answer is 200
      And the answer has
        | data.endDate | 2024-07-17 |
      And the table HuntIndex holds 2 rows
      And the row HuntIndex 2024-07-16 / lost-{tag}:fair has
        | huntName | Fair |
      And the row HuntIndex 2024-07-17 / lost-{tag}:fair has
        | huntName | Fair |
      When Ana sends PUT /api/v2/hunts/lost-{tag}/fair {"huntName":"Gala","startDate":"2024-07-16","endDate":"2024-07-17"} with the header If-Match "{Fair}"
      Then the answer is 412 precondition_failed
      Given the answer to the 1st write of the next request is lost
      When Ana sends DELETE /api/v2/hunts/lost-{tag}/fair
      Then the answer is 503 storage_unavailable
      And the table HuntIndex holds 2 rows
      When Ana sends DELETE /api/v2/hunts/lost-{tag}/fair
      Then the answer is 204
      And the table HuntIndex holds 0 rows

      Examples:
        | phase        |
        | dual-write   |
        | tables-first |
        | tables-only  |

  @LH-CON-3
  Rule: The version depends on the data alone
    > Optimistic Concurrency: All upserts use ETag-based concurrency control

    Scenario: the same data has the same version, even after a restart
      When the target starts again
      And Ana sends GET /api/v2/hunts/org-{tag}/fair
      Then the header ETag of the answer is "{First}"
      Given Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Other","startDate":"2024-07-15","endDate":"2024-07-15"} with the header If-Match "{First}"
      And the header ETag of the answer is called Second
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15"} with the header If-Match "{Second}"
      Then the header ETag of the answer is "{First}"

    @reference
    Scenario: the same data in another spelling has the same version
      Given Ana sends PUT /api/v2/app {"limit":1,"name":"a"}
      And the header ETag of the answer is called First
      When Ana sends PUT /api/v2/app {"name":"\u0061","limit":1.0} with the header If-Match "{First}"
      Then the header ETag of the answer is "{First}"

    @reference
    Scenario: If-Match may list several versions
      Given Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Other","startDate":"2024-07-15","endDate":"2024-07-15"} with the header If-Match "{First}"
      And the header ETag of the answer is called Second
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Third","startDate":"2024-07-15","endDate":"2024-07-15"} with the header If-Match "{First}, {Second}"
      Then the answer is 200
