/** Step `guests` of the schema. */
export const GUEST_STATEMENTS: readonly string[] = [
  // For the list of all guests, which each change of accounts or subscriptions may need.
  `CREATE INDEX user_guest ON user (role) WHERE role = 600 AND is_active = 1`,
]
