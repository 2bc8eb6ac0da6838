Feature: Large records

  @GA-SIZ-1
  Rule: What exceeds a text column is stored compressed; what exceeds an entity is refused
    > `PayloadJson`: compressed or raw JSON string for the record. Maintains the flexible schema without extra columns.
    > (contract) Up to 1 MiB of entity; more is answered 413, and nothing is written.

    Scenario Outline: a text of <what> is stored and read back
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"<text>"}
      Then the answer is 200 or 201
      And the record octo-{tag} / checkout is stored as
        """
        {"name":"checkout","owner":"octo-{tag}","text":"<text>"}
        """
      When Ben sends GET /api/actions/octo-{tag}/checkout
      Then the answer is 200
      And the answer has
        | text | <text> |

      Examples:
        | what                       | text        |
        | 30,000 characters          | {30000×x}   |
        | all that a column holds    | {32714×x}   |
        | one character more         | {32715×x}   |
        | 33,000 characters          | {33000×x}   |
        | 20,000 pairs of surrogates | {20000×😀}  |
        | 9 MB                       | {9000000×x} |

    @reference
    Scenario: a text that fits into a column is not compressed
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"{32000×é}"}
      Then the row {actions} octo-{tag} / checkout has
        | PayloadJson     | anything |
        | PayloadEncoding | absent   |

    Scenario: a record that nearly fills an entity is stored and read back
      Given Noise stands for 1300000 random characters
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"{Noise}"}
      Then the answer is 200 or 201
      When Ben sends GET /api/actions/octo-{tag}/checkout
      Then the answer has
        | text | {Noise} |

    Scenario: a record of several compressed parts is stored and read back
      Given Noise stands for 300000 random characters
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"{Noise}"}
      Then the answer is 200 or 201
      And the record octo-{tag} / checkout is stored as
        """
        {"name":"checkout","owner":"octo-{tag}","text":"{Noise}"}
        """

    Scenario: a record that becomes smaller leaves no trace of the larger one
      Given Noise stands for 300000 random characters
      And Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"{Noise}"}
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"short"}
      Then the record octo-{tag} / checkout is stored as
        """
        {"name":"checkout","owner":"octo-{tag}","text":"short"}
        """

    Scenario: a record that becomes larger leaves no trace of the smaller one
      Given Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"short"}
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"{70000×x}"}
      Then the record octo-{tag} / checkout is stored as
        """
        {"name":"checkout","owner":"octo-{tag}","text":"{70000×x}"}
        """
      And the row {actions} octo-{tag} / checkout has
        | PayloadEncoding | gzip |

    @reference
    Scenario: no part of a larger record stays in the row
      Given Noise stands for 300000 random characters
      And Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"{Noise}"}
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"short"}
      Then the row {actions} octo-{tag} / checkout has
        | PayloadEncoding | absent |
        | PayloadZ0       | absent |
        | PayloadZ1       | absent |

    Scenario: a record that exceeds an entity gets 413 and changes nothing
      Given Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"short"}
      And Noise stands for 1500000 random characters
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"{Noise}"}
      Then the answer is 413 PAYLOAD_TOO_LARGE
      And nothing was written

    @reference
    Scenario: a record that exceeds an entity is not sent to the store
      Given Noise stands for 1500000 random characters
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"{Noise}"}
      Then the answer is 413 PAYLOAD_TOO_LARGE
      And the storage calls are at most
        | service | call       | on        | count |
        | table   | point read | {actions} | 1     |

    Scenario Outline: a body that exceeds the limit by <what> gets 413 without a storage call
      When Ana sends POST /api/ActionsUpsert with a body of <bytes> bytes
      Then the answer is 413 PAYLOAD_TOO_LARGE
      And no storage call was made

      Examples:
        | what  | bytes    |
        | 1 MiB | 11534336 |
        | 1 B   | 10485761 |
