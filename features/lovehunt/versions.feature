Feature: Records of older schema versions, and unreadable records

  Background:
    Given Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}

  @LH-VER-1
  Rule: An older record is read as the current version, and written back once
    > Schema Versioning: `schemaVersion` field on all entities. Automatic migration when reading older schema versions
    > (contract) 1.0.0 has `name` and `date`, 1.1.0 has `huntName`, `startDate`, `endDate` and `status`.

    Scenario Outline: a hunt of version <version> is read as 1.2.0 and written back once
      Given the row Hunts org-{tag} / fair is
        | huntJson      | <json>     |
        | huntName      | Fair       |
        | startDate     | 2024-07-15 |
        | endDate       | 2024-07-15 |
        | status        | active     |
        | schemaVersion | <version>  |
      When Ana sends GET /api/v2/hunts/org-{tag}/fair
      Then the answer is 200
      And the answer has
        | data.huntName      | Fair       |
        | data.startDate     | 2024-07-15 |
        | data.endDate       | 2024-07-15 |
        | data.status        | active     |
        | data.prize         | a kayak    |
        | data.schemaVersion | 1.2.0      |
        | data.name          | absent     |
        | data.date          | absent     |
      And the storage calls are at most
        | service | call            | on    | count |
        | table   | point read      | Hunts | 1     |
        | table   | update or merge | Hunts | 1     |
      And no write of the scenario was blind
      And the row Hunts org-{tag} / fair has
        | schemaVersion | 1.2.0 |
        | huntName      | Fair  |
      When Ana sends GET /api/v2/hunts/org-{tag}/fair
      Then the answer is 200
      And the storage calls are at most
        | service | call       | on    | count |
        | table   | point read | Hunts | 1     |

      Examples:
        | version | json                                                                                                           |
        | 1.0.0   | {"schemaVersion":"1.0.0","name":"Fair","date":"2024-07-15","prize":"a kayak"}                                  |
        | 1.0.0   | {"name":"Fair","date":"2024-07-15","prize":"a kayak"}                                                          |
        | 1.1.0   | {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","status":"active","prize":"a kayak"}        |

    Scenario Outline: a hunt that <what> is read as version 1.2.0
      Given the row Hunts org-{tag} / fair is
        | huntJson      | <json>     |
        | huntName      | Fair       |
        | startDate     | 2024-07-15 |
        | endDate       | 2024-07-15 |
        | status        | active     |
        | schemaVersion | 1.0.0      |
      When Ana sends GET /api/v2/hunts/org-{tag}/fair
      Then the answer is 200
      And the answer has
        | data.huntId        | fair     |
        | data.huntName      | Fair     |
        | data.startDate     | <start>  |
        | data.endDate       | <end>    |
        | data.status        | <status> |
        | data.schemaVersion | 1.2.0    |

      Examples:
        | what                          | start      | end        | status   | json                                                                                                                    |
        | says its version 1.1.0        | 2024-07-15 | 2024-07-16 | archived | {"schemaVersion":"1.1.0","huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-16","status":"archived"}         |
        | has a status, though old      | 2024-07-15 | 2024-07-15 | on-hold  | {"name":"Fair","date":"2024-07-15","status":"on-hold"}                                                                  |
        | has no status                 | 2024-07-15 | 2024-07-16 | active   | {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-16"}                                                     |
        | has both names and both dates | 2024-07-15 | 2024-07-16 | draft    | {"name":"Old","huntName":"Fair","date":"2023-01-01","startDate":"2024-07-15","endDate":"2024-07-16","status":"draft"}   |

    # In the current version, a hunt without a status is a draft, as when it is sent without one.
    Scenario Outline: a current hunt whose <what> has the status of its JSON or draft
      Given the row Hunts org-{tag} / fair is
        | huntJson      | {"schemaVersion":"1.2.0","huntId":"fair","huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15"<status>} |
        | huntName      | Fair                                                                                                              |
        | startDate     | 2024-07-15                                                                                                        |
        | endDate       | 2024-07-15                                                                                                        |
        | schemaVersion | 1.2.0                                                                                                             |
      When Ana sends GET /api/v2/hunts/org-{tag}
      Then "data" of the answer lists
        | huntId | status |
        | fair   | <read> |
      When Ana sends GET /api/v2/hunts/org-{tag}/fair
      Then the answer is 200
      And the answer has
        | data.huntId | fair   |
        | data.status | <read> |
      And the row Hunts org-{tag} / fair has
        | status | <read> |
      When Ana sends GET /api/v2/hunts/org-{tag}?status=<read>
      Then "data" of the answer lists
        | huntId |
        | fair   |

      Examples:
        | what                      | status               | read   |
        | JSON has no status        |                      | draft  |
        | column of status is empty | ,"status":"archived" | archived |

    Scenario: a hunt without a status, created again as it is, is indexed as draft
      Given the row Hunts org-{tag} / fair is
        | huntJson      | {"schemaVersion":"1.2.0","huntId":"fair","huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15"} |
        | huntName      | Fair                                                                                                      |
        | startDate     | 2024-07-15                                                                                                |
        | endDate       | 2024-07-15                                                                                                |
        | schemaVersion | 1.2.0                                                                                                     |
      When Ana sends POST /api/v2/hunts/org-{tag} {"huntId":"fair","huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15"}
      Then the answer is 201
      And the row HuntIndex 2024-07-15 / org-{tag}:fair has
        | status | draft |

    Scenario: an organization of version 1.0.0 is read as 1.2.0 and written back
      Given the row Organizations old-{tag} / org is
        | orgDataJson   | {"name":"Old Lions","city":"Vail","hunts":[1]} |
        | orgName       | Old Lions                                      |
        | schemaVersion | 1.0.0                                          |
      When Ana sends GET /api/v2/organizations/old-{tag}
      Then the answer is 200
      And the answer has
        | data.orgName | Old Lions |
        | data.city    | Vail      |
        | data.name    | absent    |
        | data.slug    | old-{tag} |
        | data.hunts   | absent    |
      And the row Organizations old-{tag} / org has
        | schemaVersion | 1.2.0 |

    Scenario: an older hunt in a list is upgraded and written back
      Given the row Hunts org-{tag} / fair is
        | huntJson      | {"name":"Fair","date":"2024-07-15"} |
        | huntName      | Fair                                |
        | startDate     | 2024-07-15                          |
        | endDate       | 2024-07-15                          |
        | status        | active                              |
        | schemaVersion | 1.0.0                               |
      When Ana sends GET /api/v2/hunts/org-{tag}
      Then "data" of the answer lists, in this order
        | huntId | huntName | startDate  | status |
        | fair   | Fair     | 2024-07-15 | active |
      And the storage calls are at most
        | service | call            | on    | count |
        | table   | partition query | Hunts | 1     |
        | table   | update or merge | Hunts | 1     |
      And the row Hunts org-{tag} / fair has
        | schemaVersion | 1.2.0 |

    Scenario: a hunt deleted during its upgrade stays deleted
      Given the row Hunts org-{tag} / fair is
        | huntJson      | {"name":"Fair","date":"2024-07-15"} |
        | huntName      | Fair                                |
        | startDate     | 2024-07-15                          |
        | endDate       | 2024-07-15                          |
        | status        | active                              |
        | schemaVersion | 1.0.0                               |
      And after the 1st read on Hunts of the next request Ben sends DELETE /api/v2/hunts/org-{tag}/fair
      When Ana sends GET /api/v2/hunts/org-{tag}/fair
      Then the answer is 200
      And there is no row Hunts org-{tag} / fair

    Scenario: an older hunt is read even when it cannot be written back
      Given the row Hunts org-{tag} / fair is
        | huntJson      | {"name":"Fair","date":"2024-07-15"} |
        | huntName      | Fair                                |
        | startDate     | 2024-07-15                          |
        | endDate       | 2024-07-15                          |
        | status        | active                              |
        | schemaVersion | 1.0.0                               |
      And the store refuses each write on Hunts of the next request: it is being deleted
      When Ana sends GET /api/v2/hunts/org-{tag}/fair
      Then the answer is 200
      And the answer has
        | data.huntName | Fair |

  @LH-VER-2
  Rule: An unreadable record is refused on its own, and left out of lists
    > InvalidInput: Malformed request or data. Check schema validation
    > (contract) One unreadable record is 422 `schema_invalid`; a list says in `X-Invalid-Records` how many it leaves out.

    Scenario Outline: a hunt whose JSON is <what> is refused and not listed
      Given Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Gala","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"gala"}
      And the row Hunts org-{tag} / fair is
        | huntJson      | <json>     |
        | huntName      | Fair       |
        | startDate     | 2024-07-15 |
        | endDate       | 2024-07-15 |
        | status        | active     |
        | schemaVersion | 1.2.0      |
      When Ana sends GET /api/v2/hunts/org-{tag}/fair
      Then the answer is 422 schema_invalid
      And nothing was written
      When Ana sends GET /api/v2/hunts/org-{tag}
      Then the answer is 200
      And "data" of the answer lists
        | huntId |
        | gala   |
      And the header X-Invalid-Records of the answer is "1"
      And nothing was written

      Examples:
        | what                          | json                                                                                                          |
        | cut off                       | {"huntName":"Fa                                                                                               |
        | a list                        | [1]                                                                                                           |
        | of an unknown version         | {"schemaVersion":"9.0.0","huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","status":"active"} |
        | of an impossible day          | {"schemaVersion":"1.2.0","huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-99","status":"active"} |
        | without a name                | {"schemaVersion":"1.2.0","startDate":"2024-07-15","endDate":"2024-07-15","status":"active"}                   |
        | of a version that is a number | {"schemaVersion":2,"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","status":"active"}       |
        | of an end before the start    | {"schemaVersion":"1.2.0","huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-14","status":"active"} |
        | of 32 days                    | {"schemaVersion":"1.2.0","huntName":"Fair","startDate":"2024-07-01","endDate":"2024-08-01","status":"active"} |
        | of a status in capitals       | {"schemaVersion":"1.2.0","huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","status":"On"}     |
        | old, and without a date       | {"name":"Fair"}                                                                                               |

    @reference
    Scenario Outline: a compressed hunt that is <what> is refused as unreadable
      Given the row Hunts org-{tag} / fair is
        | huntJsonGz0   | <text>     |
        | huntName      | Fair       |
        | startDate     | 2024-07-15 |
        | endDate       | 2024-07-15 |
        | status        | active     |
        | schemaVersion | 1.2.0      |
      When Ana sends GET /api/v2/hunts/org-{tag}/fair
      Then the answer is 422 schema_invalid

      Examples:
        | what                   | text                                     |
        | not base64             | {}!                                      |
        | not compressed         | aGVsbG8=                                 |
        | cut off                | H4sIAAAAAAACA6tWyijNK/FMUbJSSkvMLFKqBQ== |
        | too short for a header | aA==                                     |

    @reference
    Scenario: a compressed hunt in two columns is read and replaced
      Given the row Hunts org-{tag} / fair is
        | huntJsonGz0   | H4sIAAAAAAACA6tWyijNK/FMUbJSSkvMLFLSAfP9EnNTgSJuEJHiksSiEpfEEpCQkYGRia6Bua  |
        | huntJsonGz1   | 6hKVAiNS8FmzBQfUlpMVA0MbkksywVJJKckZqbGJZaVJyZnweUMNQz0jNQqgUAbSCSyH0AAAA=  |
        | huntName      | Fair                                                                        |
        | startDate     | 2024-07-15                                                                  |
        | endDate       | 2024-07-15                                                                  |
        | status        | active                                                                      |
        | schemaVersion | 1.2.0                                                                       |
      When Ana sends GET /api/v2/hunts/org-{tag}/fair
      Then the answer is 200
      And the answer has
        | data.huntName | Fair |
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Gala","startDate":"2024-07-15","endDate":"2024-07-15"} with the header If-Match "*"
      Then the answer is 200
      And the row Hunts org-{tag} / fair has
        | huntJson    | anything |
        | huntJsonGz0 | absent   |
        | huntJsonGz1 | absent   |

    Scenario: an organization without JSON is refused and not listed
      Given the row Organizations bad-{tag} / org is
        | orgName       | Bad   |
        | schemaVersion | 1.2.0 |
      When Ana sends GET /api/v2/organizations/bad-{tag}
      Then the answer is 422 schema_invalid
      When Ana sends GET /api/v2/organizations
      Then the answer is 200
      And "data" of the answer lists
        | slug      |
        | org-{tag} |
      And the header X-Invalid-Records of the answer is "1"

    # A repair gives the row the status of its hunt.
    Scenario: an index row without a status is left out of the day's list
      Given Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Gala","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"gala"}
      And the row HuntIndex 2024-07-15 / org-{tag}:fair is
        | orgSlug       | org-{tag} |
        | huntId        | fair      |
        | huntName      | Fair      |
        | schemaVersion | 1.2.0     |
      When Ana sends GET /api/v2/events?date=2024-07-15
      Then the answer is 200
      And "data" of the answer lists
        | huntId |
        | gala   |
      And the header X-Invalid-Records of the answer is "1"
