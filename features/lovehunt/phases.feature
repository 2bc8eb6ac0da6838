Feature: Four phases of a migration from blobs to tables
  A server says by MIGRATION_PHASE which store it reads and writes. Whatever the phase, the same requests have the same
  answers.

  @LH-MIG-1
  Rule: The same requests have the same answers in each phase
    > Phase 1: Preparation … Dual-write mode. Phase 2: Read from Azure Tables first. Phase 3: Full Azure Tables operation

    Scenario Outline: organizations and hunts are written, read, changed and deleted in <phase>
      Given a fresh target with MIGRATION_PHASE "<phase>"
      When Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions","city":"Vail"}
      Then the answer is 201
      When Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Others"}
      Then the answer is 409 conflict
      When Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-16","huntId":"fair","status":"active"}
      Then the answer is 201
      And the header ETag of the answer is called First
      When Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Gala","startDate":"2024-07-16","endDate":"2024-07-16","huntId":"gala"}
      Then the answer is 201
      When Ana sends GET /api/v2/hunts/org-{tag}/fair
      Then the answer has
        | data.huntName | Fair |
      And the header ETag of the answer is "{First}"
      And the answer has no header X-Served-From
      And the answer has no header X-Data-Stale
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Big Fair","startDate":"2024-07-16","endDate":"2024-07-17","status":"active"} with the header If-Match "{First}"
      Then the answer is 200
      When Ben sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Bens","startDate":"2024-07-16","endDate":"2024-07-17"} with the header If-Match "{First}"
      Then the answer is 412 precondition_failed
      When Ana sends GET /api/v2/events?date=2024-07-16
      Then "data" of the answer lists, in this order
        | orgSlug   | huntId | huntName | status |
        | org-{tag} | fair   | Big Fair | active |
        | org-{tag} | gala   | Gala     | draft  |
      When Ana sends GET /api/v2/events?date=2024-07-15
      Then "data" of the answer is empty
      When Ana sends GET /api/v2/hunts/org-{tag}?status=active
      Then "data" of the answer lists
        | huntId |
        | fair   |
      When Ana sends GET /api/v2/events/all?name=Gal
      Then "data" of the answer lists
        | orgSlug   | huntId |
        | org-{tag} | gala   |
      When Ana sends DELETE /api/v2/hunts/org-{tag}/fair
      Then the answer is 204
      When Ana sends GET /api/v2/hunts/org-{tag}/fair
      Then the answer is 404 not_found
      When Ana sends GET /api/v2/events?date=2024-07-16
      Then "data" of the answer lists, in this order
        | huntId |
        | gala   |
      When Ana sends GET /api/v2/organizations/org-{tag}
      Then the answer has
        | data.city | Vail |
      When Ana sends PUT /api/v2/app {"limit":3}
      Then the answer is 200
      When Ana sends GET /api/v2/app
      Then the answer has
        | data.limit | 3 |

      Examples:
        | phase        |
        | blob-only    |
        | dual-write   |
        | tables-first |
        | tables-only  |

    Scenario: blob-only works while the tables are down
      Given a fresh target with MIGRATION_PHASE "blob-only"
      And the table service is down
      When Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      Then the answer is 201
      When Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
      Then the answer is 201
      And the blob orgs/org-{tag}.json has
        | orgName | Vail Lions |
      When Ana sends GET /api/v2/events?date=2024-07-15
      Then "data" of the answer lists
        | huntId |
        | fair   |

    Scenario: dual-write answers only when both stores are written
      Given a fresh target with MIGRATION_PHASE "dual-write"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      When Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
      Then the answer is 201
      And the row Hunts org-{tag} / fair has
        | huntName | Fair |
      And the row HuntIndex 2024-07-15 / org-{tag}:fair has
        | huntName | Fair |
      And a blob of the container contains "Fair"
      Given the blob service is down
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Gala","startDate":"2024-07-15","endDate":"2024-07-15"} with the header If-Match "*"
      Then the answer is 503 storage_unavailable
      When the blob service is back
      And Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Gala","startDate":"2024-07-15","endDate":"2024-07-15"} with the header If-Match "*"
      Then the answer is 200
      And a blob of the container contains "Gala"

    Scenario: dual-write serves AppData of a blob and writes it to both stores
      Given a fresh target with MIGRATION_PHASE "blob-only"
      And Ana sends PUT /api/v2/app {"limit":1}
      When the target starts again with MIGRATION_PHASE "dual-write"
      And Ana sends GET /api/v2/app
      Then the answer has
        | data.limit | 1 |
      And the header X-Served-From of the answer is "blob"
      When Ana sends PUT /api/v2/app {"limit":2} with the header If-Match "*"
      Then the blob app.json has
        | limit | 2      |
        | hunts | absent |
      When Ana sends GET /api/v2/app
      Then the answer has no header X-Served-From

    Scenario: two changes of one organization at once are both kept in blob-only
      Given a fresh target with MIGRATION_PHASE "blob-only"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      When these run at the same time
        | who | method | path                            | body                                                                          | header      |
        | Ana | PUT    | /api/v2/organizations/org-{tag} | {"orgName":"Anas"}                                                            | If-Match: * |
        | Ben | POST   | /api/v2/hunts/org-{tag}         | {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"} |             |
      Then each answer is one of 200, 201
      And the blob orgs/org-{tag}.json has
        | orgName           | Anas |
        | hunts[0].huntName | Fair |

    Scenario: only one of two creations at once succeeds in blob-only
      Given a fresh target with MIGRATION_PHASE "blob-only"
      When these run at the same time
        | who | method | path                       | body                                  |
        | Ana | POST   | /api/v2/organizations      | {"slug":"new-{tag}","orgName":"Anas"} |
        | Ben | POST   | /api/v2/organizations      | {"slug":"new-{tag}","orgName":"Bens"} |
      Then one answer is 201 and the other 409

    Scenario: blob-only works on an account that was never used
      Given a fresh target on an account that was never used
      When the target starts again with MIGRATION_PHASE "blob-only"
      And Ana sends GET /api/v2/organizations
      Then "data" of the answer is empty
      When Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      Then the answer is 201

    Scenario: an update in dual-write gets 503 when the blob is not written
      Given a fresh target with MIGRATION_PHASE "dual-write"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And the store refuses each write on lovehunt of the next request: it is being deleted
      When Ana sends PUT /api/v2/organizations/org-{tag} {"orgName":"Eagle Lions"} with the header If-Match "*"
      Then the answer is 503 storage_unavailable

    Scenario: a deletion in dual-write gets 503 when the blob is not written
      Given a fresh target with MIGRATION_PHASE "dual-write"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
      And the store refuses each write on lovehunt of the next request: it is being deleted
      When Ana sends DELETE /api/v2/hunts/org-{tag}/fair
      Then the answer is 503 storage_unavailable

    Scenario Outline: an organization and a hunt created twice exist once in <phase>
      Given a fresh target with MIGRATION_PHASE "<phase>"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      When Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      Then the answer is 201 or 409
      Given Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
      When Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
      Then the answer is 201 or 409
      When Ana sends GET /api/v2/hunts/org-{tag}
      Then "data" of the answer lists
        | huntId | huntName |
        | fair   | Fair     |

      Examples:
        | phase        |
        | blob-only    |
        | dual-write   |
        | tables-first |

    Scenario Outline: an organization and a hunt of blob-only created again in <phase> exist once
      Given a fresh target with MIGRATION_PHASE "blob-only"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
      When the target starts again with MIGRATION_PHASE "<phase>"
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Gala","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
      Then the answer is 409 conflict
      And nothing was written
      When Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      Then the answer is 201 or 409
      When Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
      Then the answer is 201 or 409
      When Ana sends GET /api/v2/hunts/org-{tag}
      Then "data" of the answer lists
        | huntId | huntName |
        | fair   | Fair     |
      When Ana sends GET /api/v2/events?date=2024-07-15
      Then "data" of the answer lists
        | huntId | huntName |
        | fair   | Fair     |

      Examples:
        | phase        |
        | dual-write   |
        | tables-first |

    @reference
    Scenario Outline: an organization and a hunt created again in <phase> are stored in the tables
      Given a fresh target with MIGRATION_PHASE "blob-only"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
      And the header ETag of the answer is called First
      When the target starts again with MIGRATION_PHASE "<phase>"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      Then the answer is 201
      And the row Organizations org-{tag} / org has
        | orgName    | Vail Lions |
        | migratedAt | absent     |
      When Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
      Then the answer is 201
      And the header ETag of the answer is "{First}"
      And the row Hunts org-{tag} / fair has
        | huntName | Fair |
      And the row HuntIndex 2024-07-15 / org-{tag}:fair has
        | huntName | Fair |

      Examples:
        | phase        |
        | dual-write   |
        | tables-first |

    @reference
    Scenario: dual-write changes nothing while the blob is unreadable
      Given a fresh target with MIGRATION_PHASE "dual-write"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
      And the blob service is down
      When Ana sends PUT /api/v2/organizations/org-{tag} {"orgName":"Eagle Lions"} with the header If-Match "*"
      Then the answer is 503 storage_unavailable
      When Ana sends DELETE /api/v2/hunts/org-{tag}/fair
      Then the answer is 503 storage_unavailable
      And the row Organizations org-{tag} / org has
        | orgName | Vail Lions |
      And the row Hunts org-{tag} / fair has
        | huntName  | Fair   |
        | deletedAt | absent |

    Scenario: an update in dual-write reaches both stores whichever call fails
      Given a fresh target with MIGRATION_PHASE "dual-write"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      When Ana sends PUT /api/v2/organizations/org-{tag} {"orgName":"Eagle Lions"} with the header If-Match "*", and any one storage call fails for good
      And Ana sends PUT /api/v2/organizations/org-{tag} {"orgName":"Eagle Lions"} with the header If-Match "*"
      Then the answer is 200
      And the row Organizations org-{tag} / org has
        | orgName | Eagle Lions |
      And the blob orgs/org-{tag}.json has
        | orgName | Eagle Lions |

    Scenario: two updates in dual-write leave both stores equal
      Given a fresh target with MIGRATION_PHASE "dual-write"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      When these run at the same time
        | who | method | path                            | body               | header      |
        | Ana | PUT    | /api/v2/organizations/org-{tag} | {"orgName":"Anas"} | If-Match: * |
        | Ben | PUT    | /api/v2/organizations/org-{tag} | {"orgName":"Bens"} | If-Match: * |
      Then all answers are 200
      When Ana sends GET /api/v2/organizations/org-{tag}
      And "data.orgName" of the answer is called Name
      Then the blob orgs/org-{tag}.json has
        | orgName | {Name} |

    Scenario: an update and a deletion in dual-write leave the hunt deleted
      Given a fresh target with MIGRATION_PHASE "dual-write"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
      When these run at the same time
        | who | method | path                         | body                                                                | header      |
        | Ana | PUT    | /api/v2/hunts/org-{tag}/fair | {"huntName":"Anas","startDate":"2024-07-16","endDate":"2024-07-16"} | If-Match: * |
        | Ben | DELETE | /api/v2/hunts/org-{tag}/fair |                                                                     |             |
      Then each answer is one of 200, 204, 404
      And the table Hunts holds 0 rows
      And the table HuntIndex holds 0 rows
      When the target starts again with MIGRATION_PHASE "blob-only"
      And Ana sends GET /api/v2/hunts/org-{tag}
      Then "data" of the answer is empty

    Scenario: another client's change of another hunt stays in the blob in dual-write
      Given a fresh target with MIGRATION_PHASE "dual-write"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"One","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"one"}
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Two","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"two"}
      And before the 1st write on lovehunt of the next request Ben sends PUT /api/v2/hunts/org-{tag}/two {"huntName":"Bens","startDate":"2024-07-15","endDate":"2024-07-15"} with the header If-Match "*"
      When Ana sends PUT /api/v2/hunts/org-{tag}/one {"huntName":"Anas","startDate":"2024-07-15","endDate":"2024-07-15"} with the header If-Match "*"
      Then the answer is 200
      And the blob orgs/org-{tag}.json has
        | orgName           | Vail Lions |
        | hunts[0].huntName | Anas       |
        | hunts[1].huntName | Bens       |
      Given before the 1st write on lovehunt of the next request Ben sends DELETE /api/v2/hunts/org-{tag}/one
      When Ana sends PUT /api/v2/hunts/org-{tag}/one {"huntName":"Late","startDate":"2024-07-15","endDate":"2024-07-15"} with the header If-Match "*"
      Then the blob orgs/org-{tag}.json has
        | hunts[0].huntName | Bens   |
        | hunts[1].huntName | absent |
      Given the blob orgs/org-{tag}.json is deleted
      When Ana sends DELETE /api/v2/hunts/org-{tag}/two
      Then the answer is 204
      And there is no blob orgs/org-{tag}.json

    Scenario: a lagging blob never takes precedence over the row
      Given a fresh target with MIGRATION_PHASE "dual-write"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"New","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
      And the blob orgs/org-{tag}.json is
        """
        {"slug":"org-{tag}","orgName":"Old","schemaVersion":"1.2.0","hunts":[{"huntId":"fair","huntName":"Old","startDate":"2024-07-15","endDate":"2024-07-15","status":"draft","schemaVersion":"1.2.0"}]}
        """
      When Ana sends GET /api/v2/hunts/org-{tag}/fair
      Then the answer has
        | data.huntName | New |
      When Ana sends GET /api/v2/hunts/org-{tag}
      Then "data" of the answer lists
        | huntName |
        | New      |
      When Ana sends GET /api/v2/organizations/org-{tag}
      Then the answer has
        | data.orgName | Vail Lions |

  @LH-MIG-5
  Rule: A record that was never migrated is served from its blob
    > Migration Status: Auto-migration events per session. Blob fallback for missing data
    > (contract) `X-Served-From: blob` says so.

    Scenario Outline: an organization that only a blob has is served in <phase>
      Given a fresh target with MIGRATION_PHASE "<phase>"
      And the blob orgs/org-{tag}.json is
        """
        {"name":"Vail Lions","city":"Vail","hunts":[{"name":"Fair","date":"2024-07-15"},{"huntId":"gala","huntName":"Gala","startDate":"2024-07-15","endDate":"2024-07-16","status":"draft"}]}
        """
      When Ana sends GET /api/v2/organizations/org-{tag}
      Then the answer is 200
      And the answer has
        | data.orgName | Vail Lions |
        | data.slug    | org-{tag}  |
      And the header X-Served-From of the answer is "blob"
      And the answer has no header X-Data-Stale
      When Ana sends GET /api/v2/hunts/org-{tag}/fair-20240715
      Then the answer is 200
      And the answer has
        | data.huntName  | Fair       |
        | data.startDate | 2024-07-15 |
        | data.endDate   | 2024-07-15 |
        | data.status    | active     |
      And the header X-Served-From of the answer is "blob"
      When Ana sends GET /api/v2/hunts/org-{tag}
      Then "data" of the answer lists, in this order
        | huntId        |
        | fair-20240715 |
        | gala          |
      When Ana sends GET /api/v2/events?date=2024-07-15
      Then "data" of the answer lists, in this order
        | huntId        |
        | fair-20240715 |
        | gala          |
      When Ana sends GET /api/v2/organizations
      Then "data" of the answer lists
        | slug      |
        | org-{tag} |

      Examples:
        | phase        |
        | dual-write   |
        | tables-first |

    Scenario Outline: the first change of a hunt that only a blob has writes its row in <phase>
      Given a fresh target with MIGRATION_PHASE "<phase>"
      And the blob orgs/org-{tag}.json is
        """
        {"orgName":"Vail Lions","hunts":[{"name":"Fair","date":"2024-07-15","huntId":"fair"},{"name":"Gala","date":"2024-07-15","huntId":"gala"}]}
        """
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Big Fair","startDate":"2024-07-16","endDate":"2024-07-16"} with the header If-Match "*"
      Then the answer is 200
      And the row Hunts org-{tag} / fair has
        | huntName | Big Fair |
      When Ana sends GET /api/v2/hunts/org-{tag}
      Then "data" of the answer lists, in this order
        | huntId | huntName |
        | fair   | Big Fair |
        | gala   | Gala     |
      When Ana sends GET /api/v2/events?date=2024-07-15
      Then "data" of the answer lists
        | huntId |
        | gala   |

      Examples:
        | phase        |
        | dual-write   |
        | tables-first |

    Scenario Outline: a hunt that only a blob had stays deleted in <phase>
      Given a fresh target with MIGRATION_PHASE "<phase>"
      And the blob orgs/org-{tag}.json is
        """
        {"orgName":"Vail Lions","hunts":[{"name":"Fair","date":"2024-07-15","huntId":"fair"},{"name":"Gala","date":"2024-07-15","huntId":"gala"}]}
        """
      When Ana sends DELETE /api/v2/hunts/org-{tag}/fair
      Then the answer is 204
      And the row Hunts org-{tag} / fair has the columns
        | column        | type   | value    |
        | deletedAt     | string | anything |
        | schemaVersion | string | 1.2.0    |
        | indexedDates  | string | optional |
      When Ana sends GET /api/v2/hunts/org-{tag}/fair
      Then the answer is 404 not_found
      When Ana sends DELETE /api/v2/hunts/org-{tag}/fair
      Then the answer is 404 not_found
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15"} with the header If-Match "*"
      Then the answer is 404 not_found
      When Ana sends GET /api/v2/hunts/org-{tag}
      Then "data" of the answer lists
        | huntId |
        | gala   |
      When Ana sends GET /api/v2/hunts/org-{tag}?status=active
      Then "data" of the answer lists
        | huntId |
        | gala   |
      When Ana sends GET /api/v2/events?date=2024-07-15
      Then "data" of the answer lists
        | huntId |
        | gala   |
      When Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
      Then the answer is 201
      When Ana sends GET /api/v2/hunts/org-{tag}/fair
      Then the answer is 200
      Given Ana sends POST /api/v2/hunts/org-{tag} {"huntId":"new","huntName":"New","startDate":"2024-07-20","endDate":"2024-07-20"}
      When Ana sends DELETE /api/v2/hunts/org-{tag}/new
      Then the answer is 204
      When Ana sends DELETE /api/v2/hunts/org-{tag}/new
      Then the answer is 404 not_found

      Examples:
        | phase        |
        | dual-write   |
        | tables-first |

  @LH-MIG-4
  Rule: In tables-only no blob is used
    > Phase 3: Full Azure Tables operation. Blob storage as backup only

    Scenario: tables-only works while the blobs are down and serves none of them
      Given a fresh target with MIGRATION_PHASE "tables-only"
      And the blob orgs/old-{tag}.json is
        """
        {"orgName":"Old Lions","hunts":[{"name":"Fair","date":"2024-07-15","huntId":"fair"}]}
        """
      And the blob service is down
      When Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      Then the answer is 201
      When Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Gala","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"gala"}
      Then the answer is 201
      When Ana sends DELETE /api/v2/hunts/org-{tag}/gala
      Then the answer is 204
      When Ana sends GET /api/v2/organizations
      Then "data" of the answer lists
        | slug      |
        | org-{tag} |
      When Ana sends GET /api/v2/hunts/old-{tag}/fair
      Then the answer is 404 not_found
      When Ana sends GET /api/v2/events?date=2024-07-15
      Then "data" of the answer is empty
