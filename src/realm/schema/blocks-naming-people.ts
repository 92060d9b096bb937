import { standsInList } from '../../core/number-in-json.ts'
import { dropGroups } from './group-blocks.ts'
import { block, drop } from './snapshot-blocks.ts'

/** Permissions name people in lists; groups also by themselves, and a group may have the number of a person. */
const NAMES_USER = standsInList('settings', 'NEW.id')

/**
 * Step `blocks-naming-people` of the schema: closing or opening an account drops the versions of those channels and groups whose permissions
 * list it. Before, it also dropped those that have a group of the same number in their permissions, which may be all of them.
 */
export const BLOCKS_NAMING_PEOPLE_STATEMENTS: readonly string[] = [
  `DROP TRIGGER block_of_user_closed`,
  `DROP TRIGGER block_of_group_user_closed`,
  // Closed accounts do not count as subscribers, and are not named where a permission lists people. Whoever has made a channel is in
  // permissions that were never set.
  `CREATE TRIGGER block_of_user_closed AFTER UPDATE OF is_active ON user WHEN OLD.is_active <> NEW.is_active
   BEGIN
     ${drop('statuses', block('NEW.id'))}
     ${drop('subscribers', 'SELECT channel_id FROM subscription WHERE user_id = NEW.id')}
     ${drop('channel', `SELECT id FROM channel WHERE creator_id = NEW.id OR ${NAMES_USER}`)}
   END`,
  `CREATE TRIGGER block_of_group_user_closed AFTER UPDATE OF is_active ON user WHEN OLD.is_active <> NEW.is_active
   BEGIN
     ${dropGroups('SELECT group_id FROM user_group_member WHERE user_id = NEW.id')}
     ${dropGroups(`SELECT id FROM user_group WHERE creator_id = NEW.id OR ${NAMES_USER}`)}
   END`,
]
