import { NAMES_USER } from './group-blocks.ts'
import { block, drop } from './snapshot-blocks.ts'

/**
 * Returns the trigger for a closed or opened account, given what finds the channels whose permissions name it. Closed accounts do not count
 * as subscribers, and are not named where a permission lists people. Whoever has made a channel is in permissions that were never set.
 */
export function blocksOfUserClosed(namesUser: string): string {
  return `CREATE TRIGGER block_of_user_closed AFTER UPDATE OF is_active ON user WHEN OLD.is_active <> NEW.is_active
   BEGIN
     ${drop('statuses', block('NEW.id'))}
     ${drop('subscribers', 'SELECT channel_id FROM subscription WHERE user_id = NEW.id')}
     ${drop('channel', `SELECT id FROM channel WHERE creator_id = NEW.id OR ${namesUser}`)}
   END`
}

/**
 * Step `channel-blocks` of the schema: closing or opening an account drops the versions of those channels alone that show it. Before, it
 * dropped all that name anybody, which are nearly all, and the next registrations made thousands of blocks.
 */
export const CHANNEL_BLOCK_STATEMENTS: readonly string[] = [
  `DROP TRIGGER block_of_user_closed`,
  blocksOfUserClosed(NAMES_USER),
]
