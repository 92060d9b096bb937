import { CHANGES_OF_COMMIT, PAGE_OF_ROWS } from '../../../core/budgets.ts'
import { BadRequestError } from '../../../core/errors.ts'
import { IdSet } from '../../../core/id-set.ts'
import { type Commits, commit } from '../../../core/long-command.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { Sql } from '../../../core/sql.ts'
import type { Caller } from '../../../model/caller.ts'
import { accountsInGroups } from '../../../model/user-groups/group-members.ts'
import { changeUserSetting } from '../../../model/users/settings/change-user-setting.ts'
import { requireAdministrator } from '../../../rules/role-rules.ts'
import { findGroup } from '../../../store/user-groups/user-group-rows.ts'
import { bots, people } from '../../../store/users/account-set-rows.ts'
import { SETTINGS_OF_ONESELF, USER_SETTING_NAMES } from '../../../store/users/settings/user-settings.ts'
import { findUsers, type User } from '../../../store/users/user-rows.ts'
import { type CheckedSetting, checkedSettings, type GivenSettings } from './checked-settings.ts'

/** The people whose settings a request changes. */
export interface TargetUsers {
  readonly user_ids: readonly number[]
  readonly group_ids: readonly number[]
  /** Whether to leave out, setting by setting, the people who have changed it themselves. */
  readonly skip_if_already_edited: boolean
}

/**
 * Changes settings of other people, for administrators: as many in each commit as one may, in the order of their ids. Bots have no settings, and are
 * left out; closed accounts have them when they are opened again. Source: docs/interface/settings.md#change-other-peoples-settings.
 */
export function* changeSettingsOfOthers(
  targetUsers: TargetUsers,
  settings: GivenSettings,
): Commits<Caller, object> {
  let above: number | undefined = 0
  do {
    const before: number = above
    above = yield* commit((tx, { actor }: Caller) => {
      requireAdministrator(actor)
      return changeAbove(tx, targetUsers, settings, before)
    })
  } while (above !== undefined)
  return {}
}

/** Changes the next settings. Returns the last account that was looked at, if there are further ones. */
function changeAbove(
  tx: RealmTransaction,
  targetUsers: TargetUsers,
  settings: GivenSettings,
  above: number,
): number | undefined {
  const { user_ids, group_ids } = targetUsers
  if (user_ids.length === 0 && group_ids.length === 0) {
    throw new BadRequestError('Either user_ids or group_ids must be provided.')
  }
  if (SETTINGS_OF_ONESELF.some((name) => settings[name] !== undefined)) throw ownSetting()
  const checked = checkedSettings(settings)
  if (above === 0) requireKnown(tx.sql, targetUsers)
  if (checked.length === 0) return undefined
  const ids = IdSet.of(user_ids).or(accountsInGroups(tx, group_ids)).toArray()
  const left = ids.filter((id) => id > above).sort((a, b) => a - b)
  return changeNext(tx, left, checked, targetUsers.skip_if_already_edited)
}

/** Returns the refusal of a setting that only its owner changes. */
export function ownSetting(): BadRequestError {
  return new BadRequestError('Cannot change this setting for other users.')
}

/** Returns the settings among the parameters of a request. */
export function settingsAmong(params: GivenSettings): GivenSettings {
  const given = USER_SETTING_NAMES.filter((name) => params[name] !== undefined)
  return Object.fromEntries(given.map((name) => [name, params[name]]))
}

/** Refuses an id that no group, or no account, has. */
function requireKnown(sql: Sql, { user_ids, group_ids }: TargetUsers): void {
  const unknownGroup = group_ids.find((id) => findGroup(sql, id) === undefined)
  if (unknownGroup !== undefined) throw new BadRequestError(`Invalid user group ID: ${unknownGroup}`)
  const accounts = people(sql).or(bots(sql))
  const unknown = user_ids.find((id) => !accounts.has(id))
  if (unknown !== undefined) throw new BadRequestError(`Invalid user ID: ${unknown}`)
}

function changeNext(
  tx: RealmTransaction,
  ids: readonly number[],
  settings: readonly CheckedSetting[],
  skipsEdited: boolean,
): number | undefined {
  const next = ids.slice(0, PAGE_OF_ROWS)
  const users = [...findUsers(tx.sql, next).values()].filter(({ botType }) => botType === null)
  let count = 0
  for (const [at, user] of users.sort((a, b) => a.id - b.id).entries()) {
    if (at > 0 && count + settings.length > CHANGES_OF_COMMIT) return user.id - 1
    count += changeSettingsOf(tx, user, settings, skipsEdited)
  }
  return next.length < ids.length ? next.at(-1) : undefined
}

/** Returns the number of settings that have another value now. */
function changeSettingsOf(
  tx: RealmTransaction,
  user: User,
  settings: readonly CheckedSetting[],
  skipsEdited: boolean,
): number {
  let changed = user
  let count = 0
  for (const [name, value] of settings) {
    if (skipsEdited && user.editedSettings.includes(name)) continue
    const before = changed
    changed = changeUserSetting(tx, changed, name, value, 'administrator')
    if (changed !== before) count += 1
  }
  return count
}
