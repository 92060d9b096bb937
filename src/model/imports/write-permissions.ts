import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Permission } from '../../imports/neutral.ts'
import { type GroupSettingValue, requireValidGroupSetting } from '../../rules/group-setting-values.ts'
import type { GroupSetting } from '../../rules/group-settings.ts'
import { SYSTEM_GROUPS, systemGroupId } from '../../rules/system-groups.ts'
import { openAmong } from '../../store/users/account-set-rows.ts'
import { groupFacts } from '../user-groups/group-members.ts'
import { type ImportWork, targetOf } from './import-work.ts'

/**
 * Returns permissions of the source in our form, without people who have left or were left out. An unusable permission is nobody's if that is
 * possible, and otherwise has its default.
 */
export function permissionsOf<Name extends string>(
  tx: RealmTransaction,
  work: ImportWork,
  settings: readonly (GroupSetting & { readonly name: Name })[],
  given: Readonly<Record<string, Permission>>,
  of: string,
): { [Setting in Name]?: GroupSettingValue } {
  const { tally } = work
  const names: ReadonlySet<string> = new Set(settings.map(({ name }) => name))
  for (const name of Object.keys(given)) if (!names.has(name)) tally.count('passedOver', `permission ${name}`)
  const permissions: { [Setting in Name]?: GroupSettingValue } = {}
  for (const setting of settings) {
    if (!Object.hasOwn(given, setting.name)) continue
    try {
      const value = permissionHere(tx, work, given[setting.name]!)
      permissions[setting.name] = requireValidGroupSetting(setting, value, groupFacts(tx.sql))
    } catch (error) {
      if (!(error instanceof BadRequestError)) throw error
      tally.problem('permission that cannot be used', `${of}: ${error.message}`)
      if (setting.allowsNobody) permissions[setting.name] = systemGroupId('role:nobody')
    }
  }
  return permissions
}

function permissionHere(
  tx: RealmTransaction,
  work: ImportWork,
  { groups = [], users = [] }: Permission,
): GroupSettingValue {
  const people = users.map((id) => targetOf(tx, work, 'user', id)).filter((id) => id !== undefined)
  const subgroups = groups
    .map((id) => SYSTEM_GROUPS.find(({ name }) => name === id)?.id ?? targetOf(tx, work, 'group', id))
    .filter((id) => id !== undefined)
  return { direct_members: openAmong(tx.sql, [...new Set(people)]), direct_subgroups: subgroups }
}
