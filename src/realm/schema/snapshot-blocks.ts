import { standsInList } from '../../core/number-in-json.ts'

/**
 * Versions and contents of what many snapshots have in common (core/blocks.ts). A change of what a block shows deletes its row, in the same
 * commit; without a row the next change costs nothing.
 */

/** The block of a user, like `userBlockOf` (domain/register/users-in-blocks.ts). */
const block = (id: string) => `(${id} / 128)`

function drop(kind: string, numbers: string): string {
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
const group = (column: string) => (row: 'OLD' | 'NEW') => drop('group', `${row}.${column}`)

/** Permissions name people in lists; groups also by themselves, and a group may have the number of a person. */
const NAMES_USER = standsInList('settings', 'NEW.id')

export const SNAPSHOT_BLOCK_STATEMENTS: readonly string[] = [
  `CREATE TABLE snapshot_block (
    kind TEXT NOT NULL, number INTEGER NOT NULL, version INTEGER NOT NULL, PRIMARY KEY (kind, number)
  ) WITHOUT ROWID`,
  // Contents, so that an isolate that holds none, or an object that wakes, reads one row for each and not everything behind it: one for each
  // family in which a kind of block is shown, deleted with its version. `lengths`: bytes of each part, a JSON list.
  `CREATE TABLE snapshot_block_content (
    kind TEXT NOT NULL, number INTEGER NOT NULL, family TEXT NOT NULL, version INTEGER NOT NULL,
    build TEXT NOT NULL, lengths TEXT NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (kind, number, family)
  ) WITHOUT ROWID`,
  `CREATE TRIGGER block_of_content_dropped AFTER DELETE ON snapshot_block BEGIN
     DELETE FROM snapshot_block_content WHERE kind = OLD.kind AND number = OLD.number;
   END`,

  ...onBoth('block_of_user', 'user', usersAndStatuses),
  `CREATE TRIGGER block_of_user_changed AFTER UPDATE OF ${SHOWN.join(', ')} ON user
   BEGIN ${drop('users', block('NEW.id'))} END`,
  `CREATE TRIGGER block_of_user_setting AFTER UPDATE OF settings ON user
   WHEN ${setting('OLD', 'email_address_visibility')} IS NOT ${setting('NEW', 'email_address_visibility')}
   BEGIN ${drop('users', block('NEW.id'))} END`,
  `CREATE TRIGGER block_of_user_presence AFTER UPDATE OF settings ON user
   WHEN ${setting('OLD', 'presence_enabled')} IS NOT ${setting('NEW', 'presence_enabled')}
   BEGIN ${drop('statuses', block('NEW.id'))} END`,

  ...onBoth('block_of_status', 'user_status', statuses),
  `CREATE TRIGGER block_of_status_changed AFTER UPDATE ON user_status BEGIN ${statuses('NEW')} END`,

  ...onBoth('block_of_channel', 'channel', channel),
  `CREATE TRIGGER block_of_channel_changed AFTER UPDATE ON channel BEGIN ${channel('NEW')} END`,

  ...onBoth('block_of_subscription', 'subscription', subscribers),
  `CREATE TRIGGER block_of_subscription_changed AFTER UPDATE OF is_active ON subscription
   WHEN OLD.is_active <> NEW.is_active BEGIN ${subscribers('NEW')} END`,

  // What a group shows depends on its row, on the links to its members and subgroups, and on whose account is open.
  ...onBoth('block_of_group', 'user_group', group('id')),
  `CREATE TRIGGER block_of_group_changed AFTER UPDATE ON user_group BEGIN ${group('id')('NEW')} END`,
  ...onBoth('block_of_group_member', 'user_group_member', group('group_id')),
  ...onBoth('block_of_subgroup', 'user_group_subgroup', group('group_id')),

  // Closed accounts do not count as subscribers or members, and are not named where a permission lists people. Whoever has made a channel or
  // group is in permissions that were never set.
  `CREATE TRIGGER block_of_user_closed AFTER UPDATE OF is_active ON user WHEN OLD.is_active <> NEW.is_active
   BEGIN
     ${drop('statuses', block('NEW.id'))}
     ${drop('subscribers', 'SELECT channel_id FROM subscription WHERE user_id = NEW.id')}
     ${drop('channel', `SELECT id FROM channel WHERE creator_id = NEW.id OR ${NAMES_USER}`)}
   END`,
  `CREATE TRIGGER block_of_group_user_closed AFTER UPDATE OF is_active ON user WHEN OLD.is_active <> NEW.is_active
   BEGIN
     ${drop('group', 'SELECT group_id FROM user_group_member WHERE user_id = NEW.id')}
     ${drop('group', `SELECT id FROM user_group WHERE creator_id = NEW.id OR ${NAMES_USER}`)}
   END`,
]
