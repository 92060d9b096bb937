/**
 * Step `snapshot-blocks` of the schema: versions of what many snapshots have in common (core/blocks.ts). A
 * change of what a block shows deletes its row, in the same commit; without a row the next change costs
 * nothing.
 */

/** The block of a user, like `userBlockOf` (domain/register/users-in-blocks.ts). */
export const block = (id: string) => `(${id} / 128)`

export function drop(kind: string, numbers: string): string {
  return `DELETE FROM snapshot_block WHERE kind = '${kind}' AND number IN (${numbers});`
}

const setting = (row: 'OLD' | 'NEW', name: string) => `json_extract(${row}.settings, '$.${name}')`

/**
 * Columns of a user that others see: not how far somebody has read, nor keys, passwords and personal
 * settings.
 */
const SHOWN = [
  'delivery_email',
  'full_name',
  'role',
  'is_active',
  'bot_type',
  'bot_owner_id',
  'is_system_bot',
  'joined_at',
  'timezone',
  'avatar_source',
  'avatar_version',
  'avatar_path',
  'profile_data',
]

const onBoth = (name: string, table: string, statements: (row: 'OLD' | 'NEW') => string) => [
  `CREATE TRIGGER ${name}_added AFTER INSERT ON ${table} BEGIN ${statements('NEW')} END`,
  `CREATE TRIGGER ${name}_removed AFTER DELETE ON ${table} BEGIN ${statements('OLD')} END`,
]

const usersAndStatuses = (row: 'OLD' | 'NEW') =>
  drop('users', block(`${row}.id`)) + drop('statuses', block(`${row}.id`))
const statuses = (row: 'OLD' | 'NEW') => drop('statuses', block(`${row}.user_id`))
const subscribers = (row: 'OLD' | 'NEW') => drop('subscribers', `${row}.channel_id`)
const channel = (row: 'OLD' | 'NEW') => drop('channel', `${row}.id`)

export const SNAPSHOT_BLOCK_STATEMENTS: readonly string[] = [
  `CREATE TABLE snapshot_block (
    kind TEXT NOT NULL, number INTEGER NOT NULL, version INTEGER NOT NULL, PRIMARY KEY (kind, number)
  ) WITHOUT ROWID`,
  // Only bots are in the two indexes: a registration looks for these few among all users.
  `CREATE INDEX user_by_bot_owner ON user (bot_owner_id) WHERE bot_type IS NOT NULL`,
  `CREATE INDEX user_by_system_bot ON user (is_system_bot) WHERE is_system_bot = 1`,

  ...onBoth('block_of_user', 'user', usersAndStatuses),
  `CREATE TRIGGER block_of_user_changed AFTER UPDATE OF ${SHOWN.join(', ')} ON user
   BEGIN ${drop('users', block('NEW.id'))} END`,
  `CREATE TRIGGER block_of_user_setting AFTER UPDATE OF settings ON user
   WHEN ${setting('OLD', 'email_address_visibility')} IS NOT ${setting('NEW', 'email_address_visibility')}
   BEGIN ${drop('users', block('NEW.id'))} END`,
  `CREATE TRIGGER block_of_user_presence AFTER UPDATE OF settings ON user
   WHEN ${setting('OLD', 'presence_enabled')} IS NOT ${setting('NEW', 'presence_enabled')}
   BEGIN ${drop('statuses', block('NEW.id'))} END`,
  // Closed accounts do not count as subscribers, and are not named where a permission lists people.
  `CREATE TRIGGER block_of_user_closed AFTER UPDATE OF is_active ON user WHEN OLD.is_active <> NEW.is_active
   BEGIN
     ${drop('statuses', block('NEW.id'))}
     ${drop('subscribers', 'SELECT channel_id FROM subscription WHERE user_id = NEW.id')}
     ${drop('channel', `SELECT id FROM channel WHERE instr(settings, 'direct_members') > 0`)}
   END`,

  ...onBoth('block_of_status', 'user_status', statuses),
  `CREATE TRIGGER block_of_status_changed AFTER UPDATE ON user_status BEGIN ${statuses('NEW')} END`,

  ...onBoth('block_of_channel', 'channel', channel),
  `CREATE TRIGGER block_of_channel_changed AFTER UPDATE ON channel BEGIN ${channel('NEW')} END`,

  ...onBoth('block_of_subscription', 'subscription', subscribers),
  `CREATE TRIGGER block_of_subscription_changed AFTER UPDATE OF is_active ON subscription
   WHEN OLD.is_active <> NEW.is_active BEGIN ${subscribers('NEW')} END`,
]
