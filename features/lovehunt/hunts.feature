Feature: Hunts of an organization

  Background:
    Given Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}

  @LH-HUNT-1
  Rule: A hunt is one point read, and an organization's hunts are one partition
    > Get specific hunt: `PK="{orgSlug}", RK="{huntId}"`. List hunts for org: Query where `PK="{orgSlug}"`

    Scenario: a hunt without an id gets one from its name and date
      When Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Summer Fair, 2nd!","startDate":"2024-07-15","endDate":"2024-07-16","prize":"a kayak"}
      Then the answer is 201
      And the answer has
        | data.huntId | summer-fair-2nd-20240715 |
        | data.status | draft                    |
        | data.prize  | a kayak                  |
      When Ana sends GET /api/v2/hunts/org-{tag}/summer-fair-2nd-20240715
      Then the answer is 200
      And the answer has
        | data.huntName | Summer Fair, 2nd! |
        | data.prize    | a kayak           |
      And the storage calls are at most
        | service | call       | on    | count |
        | table   | point read | Hunts | 1     |

    Scenario: a hunt of a missing organization is refused
      When Ana sends POST /api/v2/hunts/other-{tag} {"huntName":"Gala","startDate":"2024-07-15","endDate":"2024-07-15"}
      Then the answer is 404 not_found
      And nothing was written

    Scenario: a hunt whose id is taken is refused
      Given Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Gala","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"gala"}
      When Ben sends POST /api/v2/hunts/org-{tag} {"huntName":"Other","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"gala"}
      Then the answer is 409 conflict
      When Ana sends GET /api/v2/hunts/org-{tag}/gala
      Then the answer has
        | data.huntName | Gala |

    Scenario: an organization's hunts are listed by one query, also by status
      Given Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Two","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"b","status":"active"}
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"One","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"a"}
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Three","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"c","status":"on-hold"}
      When Ana sends GET /api/v2/hunts/org-{tag}
      Then "data" of the answer lists, in this order
        | huntId | status  |
        | a      | draft   |
        | b      | active  |
        | c      | on-hold |
      And the storage calls are at most
        | service | call            | on    | count |
        | table   | partition query | Hunts | 1     |
      When Ana sends GET /api/v2/hunts/org-{tag}?status=on-hold
      Then "data" of the answer lists
        | huntId |
        | c      |
      And the storage calls brought at most 1 entities
      When Ana sends GET /api/v2/hunts/org-{tag}?status=archived
      Then "data" of the answer is empty

  @LH-IDX-1
  Rule: Today's hunts are one partition of the index
    > Hot Path: Today's Hunts. Single partition query - highly efficient

    Scenario: tables-only does not scan hunts while the index is unreadable
      Given a fresh target with MIGRATION_PHASE "tables-only"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-02-28","endDate":"2024-03-01","huntId":"fair"}
      And the store refuses each read on HuntIndex of the next request: it is being deleted
      When Ana sends GET /api/v2/events?date=2024-02-29
      Then the answer is 500 or 503
      And no storage call of the scenario is
        | service | call       | on    |
        | table   | table scan | Hunts |

    Scenario: a hunt of three days is found on each of its days
      Given Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-02-28","endDate":"2024-03-01","huntId":"fair","status":"active"}
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Gala","startDate":"2024-03-01","endDate":"2024-03-02","huntId":"gala"}
      Then the table HuntIndex holds 5 rows
      When Ana sends GET /api/v2/events?date=2024-02-29
      Then "data" of the answer lists, in this order
        | orgSlug   | huntId | huntName | status |
        | org-{tag} | fair   | Fair     | active |
      And the storage calls are at most
        | service | call            | on        | count |
        | table   | partition query | HuntIndex | 1     |
      When Ana sends GET /api/v2/events?date=2024-03-01
      Then "data" of the answer lists, in this order
        | huntId |
        | fair   |
        | gala   |
      When Ana sends GET /api/v2/events?date=2024-03-01&status=draft&orgSlug=org-{tag}
      Then "data" of the answer lists, in this order
        | huntId |
        | gala   |
      And the storage calls brought at most 1 entities
      When Ana sends GET /api/v2/events?date=2024-03-01&orgSlug=other-{tag}
      Then "data" of the answer is empty
      When Ana sends GET /api/v2/events?date=2024-03-03
      Then "data" of the answer is empty

  @LH-IDX-2
  Rule: The index follows a change of dates, name or status
    > Eventually Consistent: HuntIndex updates are eventually consistent with Hunts

    Background:
      Given Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-17","huntId":"fair"}

    Scenario: new dates of a hunt move its index rows
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Fair","startDate":"2024-07-17","endDate":"2024-07-18"} with the header If-Match "*"
      Then the answer is 200
      And the storage calls are at most
        | service | call                                | on        | count |
        | table   | point read                          | Hunts     | 2     |
        | table   | update or merge                     | Hunts     | 1     |
        | table   | insert or update or merge or upsert | HuntIndex | 1     |
        | table   | delete                              | HuntIndex | 2     |
      And the table HuntIndex holds 2 rows
      And the row HuntIndex 2024-07-17 / org-{tag}:fair has
        | huntName | Fair |
      And the row HuntIndex 2024-07-18 / org-{tag}:fair has
        | huntName | Fair |

    Scenario: a new name of a hunt is in its index rows
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Big Fair","startDate":"2024-07-15","endDate":"2024-07-17"} with the header If-Match "*"
      Then the answer is 200
      And the row HuntIndex 2024-07-16 / org-{tag}:fair has
        | huntName | Big Fair |

    Scenario: a new status of a hunt is in its index rows
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-17","status":"active"} with the header If-Match "*"
      Then the answer is 200
      And the row HuntIndex 2024-07-16 / org-{tag}:fair has
        | status | active |

    Scenario: a new name and status are in all index rows
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Big Fair","startDate":"2024-07-15","endDate":"2024-07-17","status":"active"} with the header If-Match "*"
      Then the answer is 200
      And the table HuntIndex holds 3 rows
      And the row HuntIndex 2024-07-15 / org-{tag}:fair has
        | huntName | Big Fair |
        | status   | active   |
      And the row HuntIndex 2024-07-17 / org-{tag}:fair has
        | huntName | Big Fair |
        | status   | active   |

    Scenario: a change that the index does not show costs no index write
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-17","prize":"a kayak"} with the header If-Match "*"
      Then the answer is 200
      And the storage calls are at most
        | service | call            | on    | count |
        | table   | point read      | Hunts | 2     |
        | table   | update or merge | Hunts | 1     |

  @LH-IDX-3
  Rule: After any failed call of an update, the retry leaves the index equal to the hunts
    > Eventually Consistent: HuntIndex updates are eventually consistent with Hunts

    Scenario: new dates are indexed whichever storage call fails
      Given Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-16","huntId":"fair"}
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Fair","startDate":"2024-07-16","endDate":"2024-07-17","status":"active"} with the header If-Match "*", and any one storage call fails
      Then the answer is 200
      And the table HuntIndex holds 2 rows
      And the row HuntIndex 2024-07-16 / org-{tag}:fair has
        | status | active |
      And the row HuntIndex 2024-07-17 / org-{tag}:fair has
        | status | active |

    Scenario: a hunt created again after its first answer was lost is indexed
      Given the answer to the 1st write of the next request is lost
      When Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-16","huntId":"fair"}
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-16","huntId":"fair"}
      Then the answer is 201 or 409
      And the table HuntIndex holds 2 rows
      And the row HuntIndex 2024-07-16 / org-{tag}:fair has
        | huntName | Fair |

    @reference
    Scenario: an update whose index write failed twice is completed by the third attempt
      Given Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-16","huntId":"fair"}
      And the store refuses each write on HuntIndex of the next request: it is being deleted
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Fair","startDate":"2024-07-16","endDate":"2024-07-18"} with the header If-Match "*"
      Then the answer is 503 storage_unavailable
      Given the store refuses each write on HuntIndex of the next request: it is being deleted
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Fair","startDate":"2024-07-16","endDate":"2024-07-18"} with the header If-Match "*"
      Then the answer is 503 storage_unavailable
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Fair","startDate":"2024-07-16","endDate":"2024-07-18"} with the header If-Match "*"
      Then the answer is 200
      And the table HuntIndex holds 3 rows
      And the row HuntIndex 2024-07-17 / org-{tag}:fair has
        | huntName | Fair |

    @reference
    Scenario: new dates after an unindexed update leave no outdated index rows
      Given Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-16","huntId":"fair"}
      And the store refuses each write on HuntIndex of the next request: it is being deleted
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Fair","startDate":"2024-07-16","endDate":"2024-07-18"} with the header If-Match "*"
      Then the answer is 503 storage_unavailable
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Gala","startDate":"2024-07-20","endDate":"2024-07-20"} with the header If-Match "*"
      Then the answer is 200
      And the table HuntIndex holds 1 row
      And the row HuntIndex 2024-07-20 / org-{tag}:fair has
        | huntName | Gala |

    @reference
    Scenario: a new hunt with the id of a half-deleted one is indexed alone
      Given Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-16","huntId":"fair"}
      And the store refuses each write on HuntIndex of the next request: it is being deleted
      When Ana sends DELETE /api/v2/hunts/org-{tag}/fair
      Then the answer is 503 storage_unavailable
      When Ana sends GET /api/v2/hunts/org-{tag}/fair
      Then the answer is 404 not_found
      Given the store refuses each write on HuntIndex of the next request: it is being deleted
      When Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Gala","startDate":"2024-07-16","endDate":"2024-07-17","huntId":"fair"}
      Then the answer is 503 storage_unavailable
      When Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Gala","startDate":"2024-07-16","endDate":"2024-07-17","huntId":"fair"}
      Then the answer is 201
      And the table HuntIndex holds 2 rows
      And the row HuntIndex 2024-07-16 / org-{tag}:fair has
        | huntName | Gala |

    Scenario: a new hunt is indexed alone when another client finishes the deletion first
      Given Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-16","huntId":"fair"}
      And the store refuses each write on HuntIndex of the next request: it is being deleted
      And Ana sends DELETE /api/v2/hunts/org-{tag}/fair
      And after the 1st read on Hunts of the next request Ben sends DELETE /api/v2/hunts/org-{tag}/fair
      When Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Gala","startDate":"2024-07-16","endDate":"2024-07-17","huntId":"fair"}
      Then the answer is 201
      And the table HuntIndex holds 2 rows
      And the row HuntIndex 2024-07-16 / org-{tag}:fair has
        | huntName | Gala |

    Scenario: dates removed two updates earlier cost no more calls
      Given Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
      And Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Fair","startDate":"2024-07-16","endDate":"2024-07-16"} with the header If-Match "*"
      And Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Fair","startDate":"2024-07-17","endDate":"2024-07-17"} with the header If-Match "*"
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Fair","startDate":"2024-07-18","endDate":"2024-07-18"} with the header If-Match "*"
      Then the answer is 200
      And the storage calls are at most
        | service | call                                | on        | count |
        | table   | point read                          | Hunts     | 2     |
        | table   | update or merge                     | Hunts     | 1     |
        | table   | insert or update or merge or upsert | HuntIndex | 1     |
        | table   | delete                              | HuntIndex | 2     |
      And the table HuntIndex holds 1 row

    Scenario: two updates at once leave the index equal to the hunt
      Given Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
      When these run at the same time
        | who | method | path                         | body                                                                | header      |
        | Ana | PUT    | /api/v2/hunts/org-{tag}/fair | {"huntName":"Anas","startDate":"2024-07-16","endDate":"2024-07-16"} | If-Match: * |
        | Ben | PUT    | /api/v2/hunts/org-{tag}/fair | {"huntName":"Bens","startDate":"2024-07-17","endDate":"2024-07-17"} | If-Match: * |
      Then all answers are 200
      And the table HuntIndex holds 1 row
      When Ana sends GET /api/v2/hunts/org-{tag}/fair
      And "data.startDate" of the answer is called Day
      And "data.huntName" of the answer is called Name
      Then the row HuntIndex {Day} / org-{tag}:fair has
        | huntName | {Name} |

    Scenario: an update and a deletion at once leave neither hunt nor index rows
      Given Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
      When these run at the same time
        | who | method | path                         | body                                                                | header      |
        | Ana | PUT    | /api/v2/hunts/org-{tag}/fair | {"huntName":"Anas","startDate":"2024-07-16","endDate":"2024-07-16"} | If-Match: * |
        | Ben | DELETE | /api/v2/hunts/org-{tag}/fair |                                                                     |             |
      Then each answer is one of 200, 204, 404
      And the table Hunts holds 0 rows
      And the table HuntIndex holds 0 rows

  @LH-IDX-4
  Rule: No index row of a deleted hunt remains
    > Eventually Consistent: HuntIndex updates are eventually consistent with Hunts

    @invariant
    Scenario: every index row belongs to an existing hunt
      Then for each row HuntIndex <date> / <organization>:<hunt> there is the row Hunts <organization> / <hunt>

    Scenario: a deleted hunt leaves neither row nor index rows
      Given Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-16","huntId":"fair"}
      When Ana sends DELETE /api/v2/hunts/org-{tag}/fair
      Then the answer is 204
      And the storage calls are at most
        | service | call            | on        | count |
        | table   | point read      | Hunts     | 2     |
        | table   | update or merge | Hunts     | 1     |
        | table   | delete          | HuntIndex | 2     |
        | table   | delete          | Hunts     | 1     |
      And the table HuntIndex holds 0 rows
      And there is no row Hunts org-{tag} / fair
      When Ana sends DELETE /api/v2/hunts/org-{tag}/fair
      Then the answer is 404 not_found

    Scenario: a repeated deletion is complete whichever storage call fails
      Given Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
      When Ana sends DELETE /api/v2/hunts/org-{tag}/fair, and any one storage call fails for good
      And Ana sends DELETE /api/v2/hunts/org-{tag}/fair
      Then the answer is 204 or 404
      And the table HuntIndex holds 0 rows
      And there is no row Hunts org-{tag} / fair

    @reference
    Scenario: a hunt whose row could not be deleted counts as deleted
      Given Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
      And the store refuses the 3rd write from now: it is being deleted
      When Ana sends DELETE /api/v2/hunts/org-{tag}/fair
      Then the answer is 503 storage_unavailable
      When Ana sends GET /api/v2/hunts/org-{tag}/fair
      Then the answer is 404 not_found
      When Ana sends DELETE /api/v2/hunts/org-{tag}/fair
      Then the answer is 204
      And there is no row Hunts org-{tag} / fair

    @reference
    Scenario: a deletion gets 503 while its organization's migration mark is unreadable
      Given a fresh target with MIGRATION_PHASE "tables-only"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
      And the target starts again with MIGRATION_PHASE "tables-first"
      And the store refuses each read on Organizations of the next request: it is being deleted
      When Ana sends DELETE /api/v2/hunts/org-{tag}/fair
      Then the answer is 503 storage_unavailable
      When Ana sends DELETE /api/v2/hunts/org-{tag}/fair
      Then the answer is 204
      And there is no row Hunts org-{tag} / fair

  @LH-IDX-5
  Rule: The index follows the final state of the hunt, whoever wrote it
    > Eventually Consistent: HuntIndex updates are eventually consistent with Hunts

    Background:
      Given Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-16","huntId":"fair"}

    Scenario: an update indexes its own dates when another client moved the hunt first
      Given after the 1st read on Hunts of the next request Ben sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Bens","startDate":"2024-07-20","endDate":"2024-07-21"} with the header If-Match "*"
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Anas","startDate":"2024-07-18","endDate":"2024-07-18"} with the header If-Match "*"
      Then the answer is 200
      And the table HuntIndex holds 1 row
      And the row HuntIndex 2024-07-18 / org-{tag}:fair has
        | huntName | Anas |

    Scenario: an update indexes all its dates when another client moved the hunt to some of them
      Given after the 1st read on Hunts of the next request Ben sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Fair","startDate":"2024-07-16","endDate":"2024-07-18"} with the header If-Match "*"
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Fair","startDate":"2024-07-17","endDate":"2024-07-19"} with the header If-Match "*"
      Then the answer is 200
      And the table HuntIndex holds 3 rows
      And the row HuntIndex 2024-07-17 / org-{tag}:fair has
        | huntName | Fair |
      And the row HuntIndex 2024-07-19 / org-{tag}:fair has
        | huntName | Fair |

    Scenario: a deletion of a version that another client replaced is refused
      Given Ana sends GET /api/v2/hunts/org-{tag}/fair
      And the header ETag of the answer is called First
      And after the 1st read on Hunts of the next request Ben sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Bens","startDate":"2024-07-20","endDate":"2024-07-21"} with the header If-Match "*"
      When Ana sends DELETE /api/v2/hunts/org-{tag}/fair with the header If-Match "{First}"
      Then the answer is 412 precondition_failed
      And the table HuntIndex holds 2 rows
      When Ana sends GET /api/v2/hunts/org-{tag}/fair
      Then the header ETag of the answer is called Second
      When Ana sends DELETE /api/v2/hunts/org-{tag}/fair with the header If-Match "{Second}"
      Then the answer is 204
      When Ana sends DELETE /api/v2/hunts/org-{tag}/fair with the header If-Match "*"
      Then the answer is 404 not_found

    Scenario: a deletion removes the index rows of a hunt that another client moved
      Given after the 1st read on Hunts of the next request Ben sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Bens","startDate":"2024-07-20","endDate":"2024-07-21"} with the header If-Match "*"
      When Ana sends DELETE /api/v2/hunts/org-{tag}/fair
      Then the answer is 204
      And the table HuntIndex holds 0 rows
      And there is no row Hunts org-{tag} / fair

    Scenario Outline: the index follows another client's change of <what> before the index write
      Given before the 1st write on HuntIndex of the next request Ben sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"<name>","startDate":"<start>","endDate":"<end>","status":"<status>"} with the header If-Match "*"
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Anas","startDate":"2024-07-15","endDate":"2024-07-16","status":"active"} with the header If-Match "*"
      Then the answer is 200
      And the table HuntIndex holds <rows> rows
      And the row HuntIndex <first> / org-{tag}:fair has
        | huntName | <name>   |
        | status   | <status> |
      And the row HuntIndex <last> / org-{tag}:fair has
        | huntName | <name>   |
        | status   | <status> |

      Examples:
        | what          | name | start      | end        | status | rows | first      | last       |
        | its name      | Bens | 2024-07-15 | 2024-07-16 | active | 2    | 2024-07-15 | 2024-07-16 |
        | its status    | Anas | 2024-07-15 | 2024-07-16 | draft  | 2    | 2024-07-15 | 2024-07-16 |
        | its first day | Anas | 2024-07-14 | 2024-07-16 | active | 3    | 2024-07-14 | 2024-07-16 |
        | its last day  | Anas | 2024-07-15 | 2024-07-18 | active | 4    | 2024-07-15 | 2024-07-18 |
        | where it ends | Anas | 2024-07-15 | 2024-07-15 | active | 1    | 2024-07-15 | 2024-07-15 |
        | its beginning | Anas | 2024-07-16 | 2024-07-16 | active | 1    | 2024-07-16 | 2024-07-16 |

    Scenario Outline: the index does not contain <what> that another client removed first
      Given before the 1st write on HuntIndex of the next request Ben sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-16"} with the header If-Match "*"
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Fair","startDate":"<start>","endDate":"<end>"} with the header If-Match "*"
      Then the answer is 200
      And the table HuntIndex holds 2 rows
      And there is no row HuntIndex <day> / org-{tag}:fair

      Examples:
        | what            | start      | end        | day        |
        | a new first day | 2024-07-14 | 2024-07-16 | 2024-07-14 |
        | a new last day  | 2024-07-15 | 2024-07-17 | 2024-07-17 |

    Scenario: the index has no rows of a hunt deleted before the index write
      Given before the 1st write on HuntIndex of the next request Ben sends DELETE /api/v2/hunts/org-{tag}/fair
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Anas","startDate":"2024-07-17","endDate":"2024-07-18"} with the header If-Match "*"
      Then the table HuntIndex holds 0 rows

    Scenario: a hunt created again during the deletion of the old one keeps its index rows
      Given before the 1st write on HuntIndex of the next request Ben sends POST /api/v2/hunts/org-{tag} {"huntName":"Bens","startDate":"2024-07-16","endDate":"2024-07-17","huntId":"fair"}
      When Ana sends DELETE /api/v2/hunts/org-{tag}/fair
      Then the answer is 204
      When Ana sends GET /api/v2/hunts/org-{tag}/fair
      Then the answer has
        | data.huntName | Bens |
      And the table HuntIndex holds 2 rows
      And the row HuntIndex 2024-07-16 / org-{tag}:fair has
        | huntName | Bens |

    Scenario: a hunt of thirty-one days has an index row for each
      When Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Long","startDate":"2024-08-01","endDate":"2024-08-31","huntId":"long"}
      Then the answer is 201
      And the table HuntIndex holds 33 rows
