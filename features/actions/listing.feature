Feature: Records are read by key and page by page

  Background:
    Given Ana sends 5 times one after the other POST /api/ActionsUpsert {"owner":"Octo-{tag}","name":"Action-{i}"}
    And Ana sends 2 times one after the other POST /api/ActionsUpsert {"owner":"hexa-{tag}","name":"lint-{i}"}

  @GA-LIST-1
  Rule: A page costs one query, and its cursor keeps working when the server restarts
    > Clustering by owner keeps related actions co-located and enables efficient point lookups.
    > (contract) The cursor is opaque, bound to the owner and the table, and survives restarts.
    > (contract) What is read as a whole is read once, in pages as large as the store gives them.

    Scenario: the pages of an owner cost one query each and follow their cursors
      When Ben sends GET /api/actions/list?owner=octo-{tag}&limit=2
      Then the answer is 200
      And the header X-Actions-Count of the answer is "2"
      And "items" of the answer lists, in this order
        | owner      | name     | _metadata.rowKey | _metadata.payloadHash |
        | Octo-{tag} | Action-0 | action-0         | anything              |
        | Octo-{tag} | Action-1 | action-1         | anything              |
      And the storage calls are at most
        | service | call                               | on        | count |
        | table   | partition query or partition range | {actions} | 1     |
      And {actions} was read
      And the storage calls brought at most 3 entities
      And "nextCursor" of the answer is called Second
      When Ben sends GET /api/actions/list?owner=octo-{tag}&limit=2&cursor={Second}
      Then "items" of the answer lists, in this order
        | name     |
        | Action-2 |
        | Action-3 |
      And the storage calls are at most
        | service | call                                       | on        | count |
        | table   | partition query or partition range or page | {actions} | 1     |
      And "nextCursor" of the answer is called Third
      When the target starts again
      And Ben sends GET /api/actions/list?owner=OCTO-{tag}&limit=2&cursor={Third}
      Then the header X-Actions-Count of the answer is "1"
      And "items" of the answer lists, in this order
        | name     |
        | Action-4 |
      And the answer has
        | nextCursor | absent or null |

    Scenario: all records of an owner are listed by one query
      When Ben sends GET /api/actions/list?owner=hexa-{tag}
      Then the answer is 200
      And the header X-Actions-Count of the answer is "2"
      And the answer lists, in this order
        | name   | _metadata.partitionKey |
        | lint-0 | hexa-{tag}             |
        | lint-1 | hexa-{tag}             |
      And the storage calls are at most
        | service | call            | on        | count |
        | table   | partition query | {actions} | 1     |

    Scenario: an owner without records has an empty list
      When Ben sends GET /api/actions/list?owner=nobody-{tag}
      Then the answer is 200
      And the header X-Actions-Count of the answer is "0"

    Scenario: a compressed record is listed with its text
      Given Ana sends POST /api/ActionsUpsert {"owner":"one-{tag}","name":"readme","text":"{70000×x}"}
      When Ben sends GET /api/actions/list?owner=one-{tag}
      Then the answer lists, in this order
        | name   | text      |
        | readme | {70000×x} |

    Scenario: a list of 1,001 records is read in at most three pages
      Two pages are enough for them, but a store may end a page early, for example between partitions.

      Given Ana sends 1001 times, 20 at a time, POST /api/ActionsUpsert {"owner":"many-{tag}","name":"action-{i}"}
      When Ben sends GET /api/actions/list?owner=many-{tag}
      Then the header X-Actions-Count of the answer is "1001"
      And the storage calls are at most
        | service | call                               | on        | count |
        | table   | partition query or partition range | {actions} | 1     |
        | table   | page                               | {actions} | 3     |

    Scenario: 1,001 records of one owner are counted in at most three pages
      Given Ana sends 1001 times, 20 at a time, POST /api/ActionsUpsert {"owner":"many-{tag}","name":"action-{i}"}
      When Ben sends GET /api/actions/stats
      Then the answer has
        | total  | 1008 |
        | owners | 3    |
      And the storage calls are at most
        | service | call       | on        | count |
        | table   | table scan | {actions} | 1     |
        | table   | page       | {actions} | 3     |

    Scenario: an owner's list is complete when the store ends pages early
      Given the store answers queries in pages of 1 row, with an empty page before each
      When Ben sends GET /api/actions/list?owner=octo-{tag}
      Then the header X-Actions-Count of the answer is "5"
      And the answer lists, in this order
        | name     |
        | Action-0 |
        | Action-1 |
        | Action-2 |
        | Action-3 |
        | Action-4 |

    Scenario: the statistics are complete when the store ends pages early
      Given the store answers queries in pages of 1 row, with an empty page before each
      When Ben sends GET /api/actions/stats
      Then the answer has
        | total  | 7 |
        | owners | 2 |

    Scenario: a page that the store leaves empty still has a cursor
      Given the store answers queries in pages of 2 rows, with an empty page before each
      When Ben sends GET /api/actions/list?owner=hexa-{tag}&limit=2
      Then "items" of the answer is empty
      And "nextCursor" of the answer is called More
      When Ben sends GET /api/actions/list?owner=hexa-{tag}&limit=2&cursor={More}
      Then "items" of the answer lists, in this order
        | name   |
        | lint-0 |
        | lint-1 |

    Scenario: an owner with an apostrophe is listed and read
      Given Ana sends POST /api/ActionsUpsert {"owner":"O'Brien-{tag}","name":"it's"}
      When Ben sends GET /api/actions/list?owner=O%27Brien-{tag}
      Then the answer is 200
      And the answer lists, in this order
        | name | _metadata.partitionKey |
        | it's | o'brien-{tag}          |
      When Ben sends GET /api/actions/o%27brien-{tag}/it%27s
      Then the answer is 200

    Scenario Outline: <what> that cannot be read is not reported as missing
      When Ben sends <request>, and any one storage call fails for good
      Then the answer is 200, 500 or 503

      Examples:
        | what            | request                                |
        | a record        | GET /api/actions/octo-{tag}/action-0   |
        | an owner's list | GET /api/actions/list?owner=octo-{tag} |
        | a page          | GET /api/actions/list?limit=3          |
        | a count         | GET /api/actions/stats                 |

    Scenario Outline: no record is reported as missing while storage is down: <request>
      Given storage is down
      When Ben sends GET <request>
      Then the answer is 503 PERSISTENCE_FAILED
      And the answer says to retry later

      Examples:
        | request                            |
        | /api/actions/octo-{tag}/action-0   |
        | /api/actions/list?owner=octo-{tag} |
        | /api/actions/stats                 |

    Scenario: pages of all owners follow their cursors in key order
      When Ben sends GET /api/actions/list?limit=3
      Then "items" of the answer lists, in this order
        | owner      | name     |
        | hexa-{tag} | lint-0   |
        | hexa-{tag} | lint-1   |
        | Octo-{tag} | Action-0 |
      And the storage calls brought at most 4 entities
      And the storage calls are at most
        | service | call       | on        | count |
        | table   | table scan | {actions} | 1     |
      And "nextCursor" of the answer is called More
      When Ben sends GET /api/actions/list?limit=1
      Then "items" of the answer lists, in this order
        | owner      | name   |
        | hexa-{tag} | lint-0 |
      When Ben sends GET /api/actions/list?limit=1000&cursor={More}
      Then "items" of the answer lists, in this order
        | name     |
        | Action-1 |
        | Action-2 |
        | Action-3 |
        | Action-4 |
      And the storage calls are at most
        | service | call               | on        | count |
        | table   | table scan or page | {actions} | 1     |

    Scenario: all records of all owners are listed by one scan
      When Ben sends GET /api/actions/list
      Then the header X-Actions-Count of the answer is "7"
      And the storage calls are at most
        | service | call       | on        | count |
        | table   | table scan | {actions} | 1     |
        | table   | page       | {actions} | 1     |

    Scenario: the statistics count records and owners and name the oldest write
      Given the row {actions} octo-{tag} / action-0 is
        | LastSyncedUtc | 2026-01-02T08:00:00Z |
      And the row {actions} hexa-{tag} / lint-1 is
        | LastSyncedUtc | 2036-01-02T08:00:00Z |
      When Ben sends GET /api/actions/stats
      Then the answer is 200
      And the answer has
        | total           | 7                    |
        | owners          | 2                    |
        | oldestSyncedUtc | 2026-01-02T08:00:00Z |
        | newestSyncedUtc | 2036-01-02T08:00:00Z |
      And the storage calls are at most
        | service | call       | on        | count |
        | table   | table scan | {actions} | 1     |
        | table   | page       | {actions} | 1     |
      And {actions} was read

    Scenario: the statistics of a new account are zero
      Given a fresh target on an account that was never used
      When Ben sends GET /api/actions/stats
      Then the answer is 200
      And the answer has
        | total           | 0              |
        | owners          | 0              |
        | oldestSyncedUtc | absent or null |
        | newestSyncedUtc | absent or null |

    Scenario: the statistics of a single record count one owner
      Given a fresh target on an account that was never used
      And Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout"}
      When Ben sends GET /api/actions/stats
      Then the answer has
        | total           | 1      |
        | owners          | 1      |
        | oldestSyncedUtc | a time |
        | newestSyncedUtc | a time |

    Scenario: an invalid cursor or limit is refused
      Given Ben sends GET /api/actions/list?owner=octo-{tag}&limit=2
      And "nextCursor" of the answer is called Second
      And Ben sends GET /api/actions/list?limit=2
      And "nextCursor" of the answer is called OfAll
      And Tampered stands for {Second} with another letter in its middle
      Then Ben is refused each of these, and nothing is written
        | what                | request                                                          | body | answer                |
        | a word              | GET /api/actions/list?limit=2&cursor=next                        |      | 400 VALIDATION_FAILED |
        | a letter more       | GET /api/actions/list?owner=octo-{tag}&limit=2&cursor={Second}A  |      | 400 VALIDATION_FAILED |
        | another letter      | GET /api/actions/list?owner=octo-{tag}&limit=2&cursor={Tampered} |      | 400 VALIDATION_FAILED |
        | a letter before     | GET /api/actions/list?owner=octo-{tag}&limit=2&cursor=A{Second}  |      | 400 VALIDATION_FAILED |
        | for another owner   | GET /api/actions/list?owner=hexa-{tag}&limit=2&cursor={Second}   |      | 400 VALIDATION_FAILED |
        | for no owner        | GET /api/actions/list?limit=2&cursor={Second}                    |      | 400 VALIDATION_FAILED |
        | for one of all      | GET /api/actions/list?owner=octo-{tag}&limit=2&cursor={OfAll}    |      | 400 VALIDATION_FAILED |
        | none at a time      | GET /api/actions/list?limit=0                                    |      | 400 VALIDATION_FAILED |
        | too many            | GET /api/actions/list?limit=1001                                 |      | 400 VALIDATION_FAILED |
        | a word for a number | GET /api/actions/list?limit=two                                  |      | 400 VALIDATION_FAILED |
        | no owner            | GET /api/actions/list?owner=octo%2F{tag}                         |      | 400 VALIDATION_FAILED |

    @reference
    Scenario: the reference refuses a respelled cursor and a repeated limit
      Given Ben sends GET /api/actions/list?owner=octo-{tag}&limit=2
      And "nextCursor" of the answer is called Second
      Then Ben is refused each of these, and nothing is written
        | what              | request                                                                      | body | answer                |
        | a line break      | GET /api/actions/list?owner=octo-{tag}&limit=2&cursor={Second}%0A            |      | 400 VALIDATION_FAILED |
        | a limit twice     | GET /api/actions/list?limit=2&limit=3                                        |      | 400 VALIDATION_FAILED |
        | eight bytes alone | GET /api/actions/list?owner=octo-{tag}&limit=2&cursor=AAAAAAAAAAA            |      | 400 VALIDATION_FAILED |

    Scenario: a cursor of another table is refused
      Given Ben sends GET /api/actions/list?owner=octo-{tag}&limit=2
      And "nextCursor" of the answer is called Second
      And a fresh target with ACTIONS_TABLE_NAME "others"
      When Ben sends GET /api/actions/list?owner=octo-{tag}&limit=2&cursor={Second}
      Then the answer is 400 VALIDATION_FAILED

    Scenario: one record is read by one point read, whatever the case of its key
      When Ben sends GET /api/actions/OCTO-{tag}/ACTION-3
      Then the answer is 200
      And the answer has
        | owner                   | Octo-{tag} |
        | name                    | Action-3   |
        | _metadata.partitionKey  | octo-{tag} |
        | _metadata.lastSyncedUtc | a time     |
      And the storage calls are at most
        | service | call       | on        | count |
        | table   | point read | {actions} | 1     |
      And "_metadata.etag" of the answer is called Version
      When Ben sends GET /api/actions/list?owner=OCTO-{tag}
      Then the answer lists, in this order
        | name     | _metadata.etag |
        | Action-0 | anything       |
        | Action-1 | anything       |
        | Action-2 | anything       |
        | Action-3 | {Version}      |
        | Action-4 | anything       |

    Scenario: a missing record gets 404 after one point read
      When Ben sends GET /api/actions/octo-{tag}/action-9
      Then the answer is 404
      And the answer has
        | error | anything |
      And the storage calls are at most
        | service | call       | on        | count |
        | table   | point read | {actions} | 1     |

    Scenario: a method that a route does not have gets 405
      Then Ben is refused each of these, and nothing is written
        | what        | request                                 | body | answer |
        | of a record | DELETE /api/actions/octo-{tag}/action-1 |      | 405    |
        | of a list   | POST /api/actions/list                  | {}   | 405    |
        | of upsert   | GET /api/ActionsUpsert                  |      | 405    |
