/**
 * Step `group-blocks` of the schema: versions of groups made by users, as in `snapshot-blocks`. What a group shows depends on its row, on
 * the links to its members and subgroups, and on whose account is open.
 */
function drop(groups: string): string {
  return `DELETE FROM snapshot_block WHERE kind = 'group' AND number IN (${groups});`
}

const onBoth = (name: string, table: string, group: string) => [
  `CREATE TRIGGER ${name}_added AFTER INSERT ON ${table} BEGIN ${drop(`NEW.${group}`)} END`,
  `CREATE TRIGGER ${name}_removed AFTER DELETE ON ${table} BEGIN ${drop(`OLD.${group}`)} END`,
]

/** The digits of the id stand by themselves in the permissions. */
export const NAMES_USER = `(instr(settings, NEW.id) > 0 AND settings GLOB '*[[:,]' || NEW.id || '[],}]*')`

/**
 * Returns the trigger for a closed or opened account, given what finds the groups whose permissions name it. Closed accounts are not listed,
 * neither as members nor where a permission lists people. Whoever has made a group is in permissions that were never set.
 */
export function blocksOfGroupUserClosed(namesUser: string): string {
  return `CREATE TRIGGER block_of_group_user_closed AFTER UPDATE OF is_active ON user WHEN OLD.is_active <> NEW.is_active
   BEGIN
     ${drop('SELECT group_id FROM user_group_member WHERE user_id = NEW.id')}
     ${drop(`SELECT id FROM user_group WHERE creator_id = NEW.id OR ${namesUser}`)}
   END`
}

export const GROUP_BLOCK_STATEMENTS: readonly string[] = [
  ...onBoth('block_of_group', 'user_group', 'id'),
  `CREATE TRIGGER block_of_group_changed AFTER UPDATE ON user_group BEGIN ${drop('NEW.id')} END`,
  ...onBoth('block_of_group_member', 'user_group_member', 'group_id'),
  ...onBoth('block_of_subgroup', 'user_group_subgroup', 'group_id'),
  blocksOfGroupUserClosed(NAMES_USER),
]
