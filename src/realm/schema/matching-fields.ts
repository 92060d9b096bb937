/** Step `matching-fields` of the schema. */
export const MATCHING_FIELD_STATEMENTS: readonly string[] = [
  // 1: clients also compare the field's values with what somebody types to find people.
  `ALTER TABLE profile_field ADD COLUMN is_matched INTEGER NOT NULL DEFAULT 0`,
]
