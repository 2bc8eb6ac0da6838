Feature: Notes

  @NOTES-KEEP-1
  Rule: A note that was kept is there, whatever call fails
    > A note is one blob.

    Scenario: a note is kept once whichever call fails
      When Nobody sends POST /notes {}, and any one storage call fails
      Then the answer is 200
      And the container holds 1 blob
