import { standsInList } from '../../core/number-in-json.ts'
import { blocksOfUserClosed } from './channel-blocks.ts'
import { blocksOfGroupUserClosed } from './group-blocks.ts'

/** Permissions name people in lists; groups also by themselves, and a group may have the number of a person. */
const NAMES_USER = standsInList('settings', 'NEW.id')

/**
 * Step `blocks-naming-people` of the schema: closing or opening an account drops the versions of those channels and groups whose permissions
 * list it. Before, it also dropped those that have a group of the same number in their permissions, which may be all of them.
 */
export const BLOCKS_NAMING_PEOPLE_STATEMENTS: readonly string[] = [
  `DROP TRIGGER block_of_user_closed`,
  `DROP TRIGGER block_of_group_user_closed`,
  blocksOfUserClosed(NAMES_USER),
  blocksOfGroupUserClosed(NAMES_USER),
]
