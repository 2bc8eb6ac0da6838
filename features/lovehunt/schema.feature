Feature: Four tables with the design's keys and columns

  Background:
    Given Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions","contactEmail":"lions@example.com","hunts":[]}

  @LH-SCH-1
  Rule: AppData is one row
    > AppRegistry: Stores global application configuration and feature flags. Read app config: `PK="app", RK="config"`

    Scenario: the row of the AppData has the design's columns
      When Ana sends PUT /api/v2/app {"features":{"photos":true},"limit":3}
      Then the answer is 200
      And the row AppRegistry app / config has the columns
        | column        | type   | value    |
        | appDataJson   | string | anything |
        | schemaVersion | string | 1.2.0    |

  @LH-SCH-2
  Rule: An organization is one row of its own partition, without its hunts
    > Organizations: One partition per organization - natural data boundaries. Fixed value: `"org"`

    Scenario: the row of an organization has the design's columns
      Then the row Organizations org-{tag} / org has the columns
        | column        | type   | value      |
        | orgDataJson   | string | anything   |
        | orgName       | string | Vail Lions |
        | schemaVersion | string | 1.2.0      |
        | migratedAt    | string | optional   |
      When Ana sends GET /api/v2/organizations/org-{tag}
      Then the answer has
        | data.hunts | absent |

  @LH-SCH-3
  Rule: A hunt is one row of its organization's partition
    > Hunts: Partition by organization - co-locates related data. Hunt ID - natural unique identifier within org

    Scenario: the row of a hunt has the design's columns
      When Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Summer Fair","startDate":"2024-07-15","endDate":"2024-07-16","status":"active","stops":[1,2]}
      Then the answer is 201
      And the row Hunts org-{tag} / summer-fair-20240715 has the columns
        | column        | type   | value       |
        | huntJson      | string | anything    |
        | huntName      | string | Summer Fair |
        | startDate     | string | 2024-07-15  |
        | endDate       | string | 2024-07-16  |
        | status        | string | active      |
        | schemaVersion | string | 1.2.0       |
        | indexedDates  | string | optional    |

  @LH-SCH-4
  Rule: The index has one row for each hunt and date
    > HuntIndex: Optimizes date-based hunt queries for "today's hunts" feature. Composite key: `"{orgSlug}:{huntId}"`

    Scenario: an index row of a date has the design's columns
      When Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Gala","startDate":"2024-07-17","endDate":"2024-07-17","huntId":"gala-{tag}"}
      Then the answer is 201
      And the row HuntIndex 2024-07-17 / org-{tag}:gala-{tag} has the columns
        | column        | type   | value      |
        | orgSlug       | string | org-{tag}  |
        | huntId        | string | gala-{tag} |
        | huntName      | string | Gala       |
        | status        | string | draft      |
        | schemaVersion | string | 1.2.0      |
