Feature: Storespec's own commands for the records of a server

  @GA-PUR-1
  Rule: A record is archived before it is purged, and only records known to be stale are purged
    > Scheduled job to purge stale records or archive payload history to Blob Storage for audit trails.
    > (contract) LastSyncedUtc does not move for records that are loaded again unchanged, so that age alone is no staleness. A crash loses nothing.

    Background:
      Given Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"gone","text":"old and gone"}
      And Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"live","text":"old and live"}
      And Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"new","text":"new"}
      And the row {actions} octo-{tag} / gone is
        | LastSyncedUtc | 2026-01-02T08:00:00Z |
      And the row {actions} octo-{tag} / live is
        | LastSyncedUtc | 2026-01-02T08:00:00Z |
      And the file Live holds
        """
        {"owner":"Octo-{tag}","name":"Live"}
        """

    Scenario: an old record that is not among the live ones is archived and purged
      When storespec runs "actions purge --older-than 90d --live {Live} --archive-container {container}"
      Then storespec has ended with status 0
      And the partition octo-{tag} of {actions} holds, in this order
        | RowKey |
        | live   |
        | new    |
      And the container holds 1 blob
      And a blob of the container contains "old and gone"
      And no write of the scenario was blind
      When Ben sends GET /api/actions/octo-{tag}/gone
      Then the answer is 404

    Scenario: a dry run of a purge changes nothing
      When storespec runs "actions purge --older-than 90d --live {Live} --archive-container {container} --dry-run"
      Then storespec has ended with status 0
      And the partition octo-{tag} of {actions} holds, in this order
        | RowKey |
        | gone   |
        | live   |
        | new    |
      And the container holds 0 blobs

    Scenario: a purge covers more than one page of 1,000 rows
      Given Ana sends 1001 times, 20 at a time, POST /api/ActionsUpsert {"owner":"many-{tag}","name":"action-{i}"}
      When storespec runs "actions purge --older-than 1us --unchanged --archive-container {container}"
      Then storespec has ended with status 0
      And the table {actions} holds 0 rows

    Scenario: a purge by age alone removes nothing
      When storespec runs "actions purge --older-than 90d --archive-container {container}"
      Then storespec has ended with status 0
      And the partition octo-{tag} of {actions} holds, in this order
        | RowKey |
        | gone   |
        | live   |
        | new    |

    Scenario: a purge with --unchanged removes every old record
      When storespec runs "actions purge --older-than 90d --unchanged --archive-container {container}"
      Then storespec has ended with status 0
      And the partition octo-{tag} of {actions} holds, in this order
        | RowKey |
        | new    |
      And a blob of the container contains "old and gone"
      And a blob of the container contains "old and live"

    Scenario: a purge is complete when the store ends pages early
      Given the store answers queries in pages of 1 row, with an empty page before each
      When storespec runs "actions purge --older-than 90d --unchanged --archive-container {container}"
      Then storespec has ended with status 0
      And the partition octo-{tag} of {actions} holds, in this order
        | RowKey |
        | new    |
      And a blob of the container contains "old and gone"
      And a blob of the container contains "old and live"

    Scenario: a purge interrupted between archive and deletion is finished by the next one
      Given storage goes down after the next write
      When storespec runs "actions purge --older-than 90d --live {Live} --archive-container {container}"
      Then storespec has ended with status 3
      And a blob of the container contains "old and gone"
      And the partition octo-{tag} of {actions} holds, in this order
        | RowKey |
        | gone   |
        | live   |
        | new    |
      When storage is back
      And storespec runs "actions purge --older-than 90d --live {Live} --archive-container {container}"
      Then storespec has ended with status 0
      And there is no row {actions} octo-{tag} / gone

  @GA-BULK-1
  Rule: A load writes all records, many owners at once and each owner one request at a time
    > When bulk-loading, parallelize by owner partitions to avoid throttling.
    > (contract) Never two requests in flight for one owner.

    Scenario: 1,000 records of 25 owners are loaded, one request per owner at a time
      Given the file Records holds 1000 lines like {"owner":"octo-{i}-{tag}","name":"checkout","stars":{i}}
      And the file More holds 300 lines like {"owner":"Hexa-{tag}","name":"action-{i}"}
      And requests are watched by "owner"
      When storespec runs "actions load {Records} --url {watched}"
      Then storespec has ended with status 0
      When storespec runs "actions load {More} --url {watched}"
      Then storespec has ended with status 0
      And at least 13 requests were seen, never two of one "owner" at once
      And the table {actions} holds 1300 rows
      And the record octo-999-{tag} / checkout is stored as
        """
        {"name":"checkout","owner":"octo-999-{tag}","stars":999}
        """
      When storespec runs "actions load {More} --url {watched} --restart"
      Then storespec has ended with status 0
      And the table {actions} holds 1300 rows

    Scenario: a line that is not a valid record is reported while the others are loaded
      Given the file Records holds
        """
        {"owner":"octo-{tag}","name":"b/c"}
        {"owner":"octo-{tag}","name":"a"}
        {"owner":"octo-{tag}"
        {"owner":"octo-{tag}","name":"d"}
        """
      When storespec runs "actions load {Records} --url {target}"
      Then storespec has ended with status 1
      And the file {Records}.failed contains "b/c"
      And the partition octo-{tag} of {actions} holds, in this order
        | RowKey |
        | a      |
        | d      |
