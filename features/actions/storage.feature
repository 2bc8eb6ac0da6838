Feature: The storage around the table

  @GA-PRV-1
  Rule: The table is created at its first use, once per process
    > **Table**: `actions` (same as baseline template).

    Scenario: eight first requests on a new account create the table once
      Given a fresh target on an account that was never used
      When Ana sends 8 times at once POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"action-{i}"}
      Then each answer is one of 200, 201
      And no table was created twice
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"action-0"}
      Then the answer is 200
      And no table was created twice

    Scenario: two servers that start together create one table
      Given two fresh targets on an account that was never used
      When Ana and Ben send POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout"} at the same moment
      Then each answer is one of 200, 201
      And the table {actions} holds 1 row

    @reference
    Scenario Outline: the table's account follows ACTIONS_TABLE_CONNECTION, then AzureWebJobsStorage: <variable> is <value>
      Given a fresh target with <variable> "<value>"
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout"}
      Then the answer is 201

      Examples:
        | variable                 | value                                                                                |
        | ACTIONS_TABLE_CONNECTION |                                                                                      |
        | AzureWebJobsStorage      |                                                                                      |
        | AzureWebJobsStorage      | AccountName=a;AccountKey=YQ==;TableEndpoint=http://127.0.0.1:1/a;BlobEndpoint=http://127.0.0.1:1/a |

    Scenario: a first request that only reads creates the table
      Given a fresh target on an account that was never used
      When Ben sends GET /api/actions/list?limit=10
      Then the answer is 200
      And "items" of the answer is empty

    Scenario: a server that started while storage was down creates the table later
      Given a fresh target on an account that was never used
      And the target starts again while storage is down
      When storage is back
      And Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout"}
      Then the answer is 200 or 201

    Scenario: a first request while storage is down leaves the table to the next one
      Given a fresh target on an account that was never used
      And storage is down
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout"}
      Then the answer is 503 PERSISTENCE_FAILED
      When storage is back
      And Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout"}
      Then the answer is 200 or 201
      And the table {actions} holds 1 row

    @reference
    Scenario Outline: a request gets 503 while its table cannot be created, since <why>: <request>
      Given a fresh target on an account that was never used
      And the store refuses each creation on anything of the next request: <why>
      When Ana sends <request>
      Then the answer is 503 PERSISTENCE_FAILED
      And no storage call was made
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout"}
      Then the answer is 200 or 201

      Examples:
        | why                 | request                                                                            |
        | its key is wrong    | POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout"}                   |
        | it is being deleted | POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout"}                   |
        | its key is wrong    | POST /api/ActionsUpsert/batch {"records":[{"owner":"octo-{tag}","name":"checkout"}]} |
        | its key is wrong    | GET /api/actions/octo-{tag}/checkout                                               |
        | its key is wrong    | GET /api/actions/list?owner=octo-{tag}                                             |
        | its key is wrong    | GET /api/actions/stats                                                             |

    @reference
    Scenario: ACTIONS_TABLE_CONNECTION takes precedence over AzureWebJobsStorage
      Given a fresh target with AzureWebJobsStorage "DefaultEndpointsProtocol=http;AccountName=other;AccountKey=b3RoZXI=;TableEndpoint=http://127.0.0.1:1/other;BlobEndpoint=http://127.0.0.1:1/other"
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout"}
      Then the answer is 200 or 201

  @GA-HIST-1 @should
  Rule: A record is archived before it is replaced
    > Archive payload history to Blob Storage for audit trails.

    Background:
      Given a fresh target with ACTIONS_HISTORY_CONTAINER "{container}"
      And Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"the first"}

    Scenario: a new record archives nothing, since it replaces nothing
      Then the container holds 0 blobs

    Scenario: a changed record is archived before it is replaced
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"the second"}
      Then the answer is 200
      And the container holds 1 blob
      And a blob of the container contains "the first"
      And the storage calls are at most
        | service | call            | on          | count |
        | table   | point read      | {actions}   | 1     |
        | blob    | write           | {container} | 1     |
        | table   | update or merge | {actions}   | 1     |
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"the third"}
      Then the container holds 2 blobs
      And a blob of the container contains "the second"

    Scenario: several versions within one second are each archived
      Twelve changes take less than twelve seconds, so two versions share a second.

      When Ana sends 12 times one after the other POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"change {i}"}
      Then the container holds 12 blobs
      And a blob of the container contains "the first"
      And a blob of the container contains "change 10"

    Scenario: a change interrupted before the archive archives one version after the retry
      Given storage goes down after the next read
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"the second"}
      Then the answer is 503 PERSISTENCE_FAILED
      When storage is back
      And Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"the second"}
      Then the answer is 200
      And the container holds 1 blob
      And a blob of the container contains "the first"

    Scenario: a record that cannot be archived is not replaced
      Given the store refuses each write on {container} of the next request: its key is wrong
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"the second"}
      Then the answer is 500 or 503
      And the record octo-{tag} / checkout is stored as
        """
        {"name":"checkout","owner":"octo-{tag}","text":"the first"}
        """

    @reference
    Scenario: a record that cannot be read is not replaced
      Given the row {actions} octo-{tag} / checkout is
        | PayloadJson | 1 |
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"the second"}
      Then the answer is 500 PERSISTENCE_FAILED
      And the container holds 0 blobs
      And the row {actions} octo-{tag} / checkout has
        | PayloadJson | 1 |

    @reference
    Scenario: a row touched by another program is archived once more
      Given the store refuses each write on {actions} of the next request: the call is malformed
      And Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"the second"}
      And the row {actions} octo-{tag} / checkout is
        | Note | touched |
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"the second"}
      Then the answer is 200
      And the container holds 2 blobs

    @reference
    Scenario: a change gets 503 while the container cannot be created
      Given the store refuses each creation on anything of the next request: its key is wrong
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"the second"}
      Then the answer is 503 PERSISTENCE_FAILED
      And the storage calls are at most
        | service | call       | on        | count |
        | table   | point read | {actions} | 1     |

    Scenario: a compressed payload is archived in full
      Given Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"the second, {70000×x}"}
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"the third"}
      Then the container holds 2 blobs
      And a blob of the container contains "the second, {70000×x}"

    Scenario: an unchanged record is not archived
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"the first"}
      Then the container holds 0 blobs

    Scenario Outline: a record with unusual keys is archived: <what>
      Given Ana sends POST /api/ActionsUpsert {"owner":"<owner>","name":"<name>","text":"the first"}
      When Ana sends POST /api/ActionsUpsert {"owner":"<owner>","name":"<name>","text":"the second"}
      Then the answer is 200
      And the container holds 1 blob
      And a blob of the container contains "the first"

      Examples:
        | what               | owner           | name        |
        | punctuation        | öcto @&=+ {tag} | a.b'c%2d~ü€ |
        | the maximum length | octo-{tag}      | {256×€}     |

    Scenario: records whose names differ only in punctuation have separate archives
      Given Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"a.b","text":"the first"}
      And Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"a+b","text":"the first"}
      And Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"a.b","text":"the second"}
      And Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"a+b","text":"the second"}
      Then the container holds 2 blobs

    Scenario: a changed record of a batch is archived
      When Ana sends POST /api/ActionsUpsert/batch {"records":[{"owner":"octo-{tag}","name":"checkout","text":"the second"}]}
      Then the container holds 1 blob
      And a blob of the container contains "the first"

    Scenario: every changed record of a batch is archived
      Given Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"cache","text":"the first of cache"}
      When Ana sends POST /api/ActionsUpsert/batch {"records":[{"owner":"octo-{tag}","name":"checkout","text":"the second"},{"owner":"octo-{tag}","name":"cache","text":"the second"}]}
      Then the container holds 2 blobs
      And a blob of the container contains "the first of cache"

    Scenario: a batch record whose key contains an apostrophe is archived
      Given Ana sends POST /api/ActionsUpsert {"owner":"O'Brien-{tag}","name":"it's","text":"it was"}
      When Ana sends POST /api/ActionsUpsert/batch {"records":[{"owner":"O'Brien-{tag}","name":"it's","text":"it is"}]}
      Then the container holds 1 blob
      And a blob of the container contains "it was"

    Scenario Outline: a record that cannot be archived stays as it is when it is sent <how>
      Given the store refuses each write on {container} of the next request: its key is wrong
      When Ana sends POST <request>
      Then the container holds 0 blobs
      And the record octo-{tag} / checkout is stored as
        """
        {"name":"checkout","owner":"octo-{tag}","text":"the first"}
        """

      Examples:
        | how        | request                                                                                                                                   |
        | alone      | /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"the second"}                                                           |
        | in a batch | /api/ActionsUpsert/batch {"records":[{"owner":"octo-{tag}","name":"checkout","text":"the second"},{"owner":"octo-{tag}","name":"cache"}]} |

    Scenario: a change is archived once whichever storage call fails
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"the second"}, and any one storage call fails
      Then the answer is 200
      And a blob of the container contains "the first"
      And the container holds 1 blob
      And the record octo-{tag} / checkout is stored as
        """
        {"name":"checkout","owner":"octo-{tag}","text":"the second"}
        """

  @GA-CACHE-1
  Rule: A cache saves reads and is never trusted
    > Secondary cache (Redis) to accelerate read-heavy search once the dataset grows beyond memory-friendly sizes.
    > (contract) A write empties it; whether something changed is asked of the table; Redis down means that the table serves.

    Background:
      Given a fresh target with a Redis
      And Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":1}

    Scenario: a record that is read twice costs one storage call
      When Ben sends GET /api/actions/octo-{tag}/checkout
      And Ben sends GET /api/actions/OCTO-{tag}/Checkout
      Then the answer is 200
      And the answer has
        | stars | 1 |
      And no storage call was made
      And Redis holds at least 1 key, none for longer than it may

    Scenario: two records whose owners end at different places are cached separately
      Given Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"a-checkout","stars":1}
      And Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}a-","name":"checkout","stars":2}
      When Ben sends GET /api/actions/octo-{tag}/a-checkout
      And Ben sends GET /api/actions/octo-{tag}a-/checkout
      Then the answer has
        | stars | 2 |

    Scenario: a record written after it was cached is read again from the table
      Given Ben sends GET /api/actions/octo-{tag}/checkout
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":2}
      And Ben sends GET /api/actions/octo-{tag}/checkout
      Then the answer has
        | stars | 2 |

    Scenario: records written by a batch after they were cached are read again from the table
      Given Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"cache","stars":1}
      And Ben sends GET /api/actions/octo-{tag}/checkout
      And Ben sends GET /api/actions/octo-{tag}/cache
      When Ana sends POST /api/ActionsUpsert/batch {"records":[{"owner":"octo-{tag}","name":"checkout","stars":2},{"owner":"octo-{tag}","name":"cache","stars":2}]}
      And Ben sends GET /api/actions/octo-{tag}/checkout
      Then the answer has
        | stars | 2 |
      When Ben sends GET /api/actions/octo-{tag}/cache
      Then the answer has
        | stars | 2 |

    Scenario: a record written between two restarts of the server is read again from the table
      Given Ben sends GET /api/actions/octo-{tag}/checkout
      When the target starts again
      And Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":2}
      And the target starts again
      And Ben sends GET /api/actions/octo-{tag}/checkout
      Then the answer has
        | stars | 2 |

    @reference
    Scenario: a cached record survives a restart of the server
      When Ben sends GET /api/actions/octo-{tag}/checkout
      And the target starts again
      And Ben sends GET /api/actions/octo-{tag}/checkout
      Then the answer is 200
      And no storage call was made

    Scenario: a record purged after it was cached gets 404
      Given Ben sends GET /api/actions/octo-{tag}/checkout
      And the row {actions} octo-{tag} / checkout is
        | LastSyncedUtc | 2026-01-02T08:00:00Z |
      When storespec runs "actions purge --older-than 90d --unchanged --archive-container {container}"
      And Ben sends GET /api/actions/octo-{tag}/checkout
      Then the answer is 404

    Scenario: the table decides whether a record changed, not the cache
      Given Ben sends GET /api/actions/octo-{tag}/checkout
      And the row {actions} octo-{tag} / checkout is
        | PayloadHash | of something else |
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":1}
      Then the answer has
        | updated | true |

    Scenario: a read that began before a write does not leave the old record in the cache
      Given after the 1st read on {actions} of the next request Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":2}
      When Ben sends GET /api/actions/octo-{tag}/checkout
      And Ben sends GET /api/actions/octo-{tag}/checkout
      Then the answer has
        | stars | 2 |

    Scenario: a read during a write does not leave the old record in the cache
      Given Ben sends GET /api/actions/octo-{tag}/checkout
      And before the 1st write on {actions} of the next request Ben sends GET /api/actions/octo-{tag}/checkout
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":2}
      And Ben sends GET /api/actions/octo-{tag}/checkout
      Then the answer has
        | stars | 2 |

    Scenario: requests succeed while Redis is down, and nothing outdated is read
      Given Ben sends GET /api/actions/octo-{tag}/checkout
      When Redis is down
      And Ben sends GET /api/actions/octo-{tag}/checkout
      Then the answer is 200
      And the answer has
        | stars | 1 |
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":2}
      Then the answer is 200
      When Ben sends GET /api/actions/octo-{tag}/checkout
      Then the answer has
        | stars | 2 |

    Scenario: a write that Redis missed is read from the table
      Given Ben sends GET /api/actions/octo-{tag}/checkout
      When Redis hangs
      And Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"cache","stars":1}
      And Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":2}
      Then the answer is 200
      When Redis goes on
      And Ben sends GET /api/actions/octo-{tag}/checkout until Redis is asked again
      Then the answer has
        | stars | 2 |
      When Ben sends GET /api/actions/octo-{tag}/checkout
      And Ben sends GET /api/actions/octo-{tag}/checkout
      Then the answer has
        | stars | 2 |
      And no storage call was made

    Scenario: a batch that Redis missed is read from the table
      Given Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"cache","stars":1}
      And Ben sends GET /api/actions/octo-{tag}/checkout
      And Ben sends GET /api/actions/octo-{tag}/cache
      When Redis hangs
      And Ana sends POST /api/ActionsUpsert/batch {"records":[{"owner":"octo-{tag}","name":"checkout","stars":2},{"owner":"octo-{tag}","name":"cache","stars":2}]}
      Then the answer is 200
      When Redis goes on
      And Ben sends GET /api/actions/octo-{tag}/checkout until Redis is asked again
      Then the answer has
        | stars | 2 |
      When Ben sends GET /api/actions/octo-{tag}/cache
      Then the answer has
        | stars | 2 |

    Scenario: a missing record is not cached as missing
      When Ben sends GET /api/actions/octo-{tag}/cache
      Then the answer is 404
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"cache","stars":1}
      And Ben sends GET /api/actions/octo-{tag}/cache
      Then the answer is 200

    @reference
    Scenario: more missed writes than a server remembers are still read from the table
      Given Ben sends GET /api/actions/octo-{tag}/checkout
      When Redis hangs
      And Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"cache","stars":1}
      And Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":2}
      And Ana sends POST /api/ActionsUpsert/batch with 1000 items in "records" like {"owner":"many-{tag}","name":"action-{i}"}, 100 at a time
      And Redis goes on
      And Ben sends GET /api/actions/octo-{tag}/checkout until Redis is asked again
      And Ben sends GET /api/actions/octo-{tag}/checkout until Redis is asked again
      Then the answer has
        | stars | 2 |
