import type { Sql } from '../../core/sql.ts'
import type { GroupSettingValue } from '../../rules/group-setting-values.ts'
import { openAmong } from '../../store/users/account-set-rows.ts'

/**
 * Returns a permission's value in the form for clients: without deactivated users
 * (docs/interface/access.md#permission-values).
 */
export function presentGroupSetting(sql: Sql, value: GroupSettingValue): GroupSettingValue {
  if (typeof value === 'number') return value
  return {
    direct_members: openAmong(sql, value.direct_members),
    direct_subgroups: value.direct_subgroups,
  }
}
