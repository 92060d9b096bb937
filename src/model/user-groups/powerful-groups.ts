import { defineReader, type Steps } from '../../core/reader.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { GroupSettingValue } from '../../rules/group-setting-values.ts'
import { isSystemGroupId } from '../../rules/system-groups.ts'
import { LETS_INTO_GROUP } from '../../rules/user-group-rules.ts'
import { realmPermissions } from '../../store/realm/realm-setting-rows.ts'
import { subgroupIds } from '../../store/user-groups/membership-rows.ts'
import { findGroup } from '../../store/user-groups/user-group-rows.ts'

const GROUPS_AT_A_TIME = 100

/**
 * The groups made by users whose members have a permission of the organization, or can give themselves one: those that a permission names,
 * their subgroups, and the groups whose members may add people to one of these.
 */
const powerfulGroups = defineReader({
  name: 'groups with a permission of the organization',
  key: () => '',
  *read({ sql }, _all: undefined): Steps<ReadonlySet<number>> {
    const found = new Set<number>()
    const open = Object.values(realmPermissions(sql)).flatMap(groupsNamedIn)
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const group = isSystemGroupId(id) || found.has(id) ? undefined : findGroup(sql, id)
      if (!group) continue
      found.add(id)
      open.push(...subgroupIds(sql, id))
      open.push(...LETS_INTO_GROUP.flatMap((name) => groupsNamedIn(group.settings[name])))
      if (found.size % GROUPS_AT_A_TIME === 0) yield
    }
    return found
  },
})

/** Whether one of the groups gives its members a permission of the organization, perhaps indirectly. */
export function isAnyPowerful(tx: RealmReads, groupIds: readonly number[]): boolean {
  if (groupIds.length === 0) return false
  const powerful = tx.use(powerfulGroups, undefined)
  return groupIds.some((id) => powerful.has(id))
}

function groupsNamedIn(value: GroupSettingValue): readonly number[] {
  return typeof value === 'number' ? [value] : value.direct_subgroups
}
