import type { Sql } from '../../core/sql.ts'
import type { GroupSettingValue } from '../../permissions/group-setting-values.ts'
import { findUsers } from '../users/user-rows.ts'

/**
 * Returns a permission's value in the form for clients: without deactivated users
 * (docs/interface/access.md#permission-values).
 */
export function presentGroupSetting(sql: Sql, value: GroupSettingValue): GroupSettingValue {
  if (typeof value === 'number') return value
  const users = findUsers(sql, value.direct_members)
  return {
    direct_members: value.direct_members.filter((id) => users.get(id)?.isActive),
    direct_subgroups: value.direct_subgroups,
  }
}
