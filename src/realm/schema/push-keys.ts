/** Step `push-keys` of the schema: devices that have an id get encrypted notifications. */
export const PUSH_KEY_STATEMENTS: readonly string[] = [
  // push_key: in Base64. Ids of tokens: in Base64 too, as devices give them. *_pending_*: of the registration that the bouncer has not
  // accepted yet; bouncer_public_key and encrypted_registration only until it has answered.
  `ALTER TABLE client_device ADD COLUMN push_key TEXT`,
  `ALTER TABLE client_device ADD COLUMN push_key_id INTEGER`,
  `ALTER TABLE client_device ADD COLUMN push_token_id TEXT`,
  `ALTER TABLE client_device ADD COLUMN push_token_kind TEXT`,
  `ALTER TABLE client_device ADD COLUMN pending_push_token_id TEXT`,
  `ALTER TABLE client_device ADD COLUMN pending_push_token_kind TEXT`,
  `ALTER TABLE client_device ADD COLUMN push_token_updated_at INTEGER`,
  `ALTER TABLE client_device ADD COLUMN push_error_code TEXT`,
  `ALTER TABLE client_device ADD COLUMN bouncer_public_key TEXT`,
  `ALTER TABLE client_device ADD COLUMN encrypted_registration TEXT`,
  `CREATE INDEX client_device_with_token ON client_device (user_id) WHERE push_token_id IS NOT NULL`,
  // Registrations of the last day, which have a limit (domain/push/register-token.ts).
  `CREATE TABLE push_registration (account TEXT NOT NULL, at INTEGER NOT NULL)`,
  `CREATE INDEX push_registration_by_account ON push_registration (account, at)`,
]
