import type { Command } from '../../../core/command.ts'
import { SETTINGS_OF_OTHERS_IN_ONE_COMMIT } from '../../../core/commit-budgets.ts'
import { BadRequestError } from '../../../core/errors.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { Sql } from '../../../core/sql.ts'
import { requireAdministrator } from '../../../permissions/role-rules.ts'
import type { Caller } from '../../caller.ts'
import { accountsInGroups } from '../../user-groups/group-members.ts'
import { findGroup } from '../../user-groups/user-group-rows.ts'
import { findPrincipals } from '../principal-rows.ts'
import { findUsers, type User } from '../user-rows.ts'
import { changeUserSetting } from './change-user-setting.ts'
import { type CheckedSetting, checkedSettings, type GivenSettings } from './checked-settings.ts'
import { SETTINGS_OF_ONESELF, USER_SETTING_NAMES } from './user-settings.ts'

/** The people whose settings a request changes. */
export interface TargetUsers {
  readonly user_ids: readonly number[]
  readonly group_ids: readonly number[]
  /** Whether to leave out, setting by setting, the people who have changed it themselves. */
  readonly skip_if_already_edited: boolean
}

export interface SettingsOfOthersParams {
  readonly target_users: TargetUsers
  readonly settings: GivenSettings
  /** The last account that an earlier commit of the request has looked at. */
  readonly above?: number
}

/** Outcome of a commit; with `above` there are further people, whom the Worker asks for. */
export interface SettingsOfOthersChange {
  readonly above?: number
}

/**
 * Changes settings of other people, for administrators: as many as one commit may, in the order of their ids. Bots have no settings, and are
 * left out; closed accounts have them when they are opened again. Source: docs/interface/settings.md#change-other-peoples-settings.
 */
export const changeSettingsOfOthers: Command<Caller, SettingsOfOthersParams, void, SettingsOfOthersChange> = {
  apply(tx, caller, { target_users, settings, above = 0 }) {
    const { user_ids, group_ids } = target_users
    if (user_ids.length === 0 && group_ids.length === 0) {
      throw new BadRequestError('Either user_ids or group_ids must be provided.')
    }
    requireAdministrator(caller.actor)
    if (SETTINGS_OF_ONESELF.some((name) => settings[name] !== undefined)) throw ownSetting()
    const checked = checkedSettings(settings)
    if (above === 0) requireKnown(tx.sql, target_users)
    if (checked.length === 0) return {}
    const ids = [...new Set([...user_ids, ...accountsInGroups(tx.sql, group_ids, tx.now)])]
    const left = ids.filter((id) => id > above).sort((a, b) => a - b)
    return changeNext(tx, left, checked, target_users.skip_if_already_edited)
  },
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
  const accounts = findPrincipals(sql, user_ids)
  const unknown = user_ids.find((id) => accounts.get(id)?.isSystemBot !== false)
  if (unknown !== undefined) throw new BadRequestError(`Invalid user ID: ${unknown}`)
}

function changeNext(
  tx: RealmTransaction,
  ids: readonly number[],
  settings: readonly CheckedSetting[],
  skipsEdited: boolean,
): SettingsOfOthersChange {
  const { changes, people } = SETTINGS_OF_OTHERS_IN_ONE_COMMIT
  const next = ids.slice(0, people)
  const users = [...findUsers(tx.sql, next).values()].filter(({ botType }) => botType === null)
  let count = 0
  for (const [at, user] of users.sort((a, b) => a.id - b.id).entries()) {
    if (at > 0 && count + settings.length > changes) return { above: user.id - 1 }
    count += changeSettingsOf(tx, user, settings, skipsEdited)
  }
  return next.length < ids.length ? { above: next.at(-1)! } : {}
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
