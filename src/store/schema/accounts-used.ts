/**
 * What opens an account that its person has used. former_email: the last address that the person has confirmed, '' if there is none, where
 * somebody else has set the present one since and the person has not confirmed it; null otherwise. opens_by_token, 1: tokens of the
 * organization's other system open it. Accounts of before this step are opened by none.
 */
export const USED_ACCOUNT_STATEMENTS: readonly string[] = [
  `ALTER TABLE user ADD COLUMN former_email TEXT`,
  `ALTER TABLE user ADD COLUMN opens_by_token INTEGER NOT NULL DEFAULT 0`,
  `CREATE INDEX user_by_former_email ON user (lower(former_email)) WHERE former_email IS NOT NULL`,
]
