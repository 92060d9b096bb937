import * as v from 'valibot'
import { type AuditNote, changesIn } from '../../api/audit-rules.ts'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { MAX_HANDMADE_LIST_LENGTH, MAX_LIST_LENGTH, NAME_LENGTH } from '../../api/input-limits.ts'
import { requireOwnPassword } from '../../api/own-password.ts'
import { described, integer, json, jsonBoolean, listUpTo, textUpTo } from '../../api/parameter-types.ts'
import { settingParameters } from '../../api/shared-parameters.ts'
import { CHANGES_OF_COMMIT, PAGE_OF_ROWS } from '../../core/budgets.ts'
import { type Commits, commit, type LongCommand } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import { IdSet } from '../../core/id-set.ts'
import { inCommits } from '../../core/in-commits.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { secretText } from '../../core/secret-text.ts'
import type { Sql } from '../../core/sql.ts'
import { countTaken, requestEmailChange } from '../../model/accounts/addresses/confirm-email.ts'
import { changeUserSetting } from '../../model/accounts/change-user-setting.ts'
import { changeFullName, requireAllowedFullName } from '../../model/accounts/full-name-rules.ts'
import { replaceApiKey } from '../../model/accounts/login/api-key.ts'
import type { Caller } from '../../model/caller.ts'
import { mailCredentialChange } from '../../model/emails/account-mails.ts'
import { accountsInGroups } from '../../model/user-groups/group-members.ts'
import { announceAway } from '../../model/user-status/change-status.ts'
import { isAllowedPasswordLength } from '../../model/users/login/password-rules.ts'
import { endBrowsers, endPolls } from '../../model/users/login/sessions.ts'
import { isAdministrator, requireAdministrator } from '../../rules/roles.ts'
import { closeConfirmations } from '../../store/confirmations/confirmation-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { findGroup } from '../../store/user-groups/user-group-rows.ts'
import { bots, people } from '../../store/users/account-set-rows.ts'
import { canonicalTimezone } from '../../store/users/settings/locales.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'
import {
  checkUserSetting,
  SETTINGS_OF_ONESELF,
  USER_SETTING_NAMES,
  type UserSettingName,
  type UserSettings,
} from '../../store/users/settings/user-settings.ts'
import { changeUser, findUsers, type User } from '../../store/users/user-rows.ts'

/** The users whose settings an administrator changes. */
const targetUsers = described(
  json(
    v.object({
      user_ids: v.optional(listUpTo(MAX_LIST_LENGTH, integer), []),
      group_ids: v.optional(listUpTo(MAX_HANDMADE_LIST_LENGTH, integer), []),
      skip_if_already_edited: v.boolean(),
    }),
  ),
  'People whose settings are changed in place of the caller’s own, for administrators.',
)

type UpdateSettingsParams = {
  readonly full_name?: string
  readonly email?: string
  readonly new_password?: string
  readonly old_password?: string
  /** The hash that the old password matches, and that of the new one; from the Worker, after it has checked the old password. */
  readonly checked_hash?: string | null
  readonly new_hash?: string
  /** Whether to replace the key too, so that the old one is useless. */
  readonly renew_api_key?: boolean
  /** The users whose settings an administrator changes; absent: the caller's own. */
  readonly target_users?: TargetUsers
} & GivenSettings

/**
 * Changes the caller's own settings, name and password, all or nothing, and begins a change of address; or changes settings of others.
 * Equal values emit no event. Source: docs/interface/settings.md#change-ones-settings;
 * docs/interface/settings.md#change-other-peoples-settings.
 */
const updateSettings: LongCommand<Caller, UpdateSettingsParams, { api_key?: string }> = {
  *commits(params) {
    const { target_users, full_name, email, new_password, old_password = '' } = params
    if (target_users === undefined) {
      return yield* commit((tx, caller: Caller) => changeOwn(tx, caller, params))
    }
    // A change of several commits is stored as it was asked, so it must have no password.
    if (old_password !== '' || [full_name, email, new_password].some((value) => value !== undefined)) {
      yield* commit((_tx, { actor }: Caller) => {
        requireAdministrator(actor)
        throw ownSetting()
      })
    }
    return yield* changeSettingsOfOthers(target_users, settingsAmong(params))
  },
  afterRefusal(tx, { user }, { email, target_users }) {
    if (email !== undefined && target_users === undefined) countTaken(tx, user, email)
  },
  // A caller with the new key may know it.
  withoutSecret: {
    keep: ({ api_key }) => ({ hadKey: api_key !== undefined }),
    restore: (_view, { user }, kept) =>
      (kept as { hadKey?: boolean }).hadKey ? { api_key: user.apiKey } : {},
  },
}

function changeOwn(tx: RealmTransaction, caller: Caller, params: UpdateSettingsParams): { api_key?: string } {
  const { user } = caller
  const settings = checkedSettings(params)
  let answer = {}
  if (params.new_password !== undefined && params.new_hash !== undefined) {
    changePassword(tx, user, params.new_password, params.checked_hash ?? null, params.new_hash)
    // Sessions begun with the old password end (docs/interface/browsers.md#sessions); the browser that changed it stays logged in.
    endBrowsers(tx, user.id, caller.source.session)
    // It is unknown which poll belongs to which session, so all of them reconnect.
    endPolls(tx, user.id)
    // Links that someone with the old password has asked for.
    closeConfirmations(tx.sql, user.id, 'password-reset')
    closeConfirmations(tx.sql, user.id, 'email-change')
    mailCredentialChange(tx, user, caller.source, 'password')
    if (params.renew_api_key) answer = { api_key: replaceApiKey(tx, user) }
  }
  if (params.email !== undefined) requestEmailChange(tx, caller, params.email)
  changeOwnName(tx, user, params.full_name)
  let changed = user
  const wasAway = !userSetting(user, 'presence_enabled')
  for (const [name, value] of settings) changed = changeUserSetting(tx, changed, name, value)
  const isAway = !userSetting(changed, 'presence_enabled')
  if (isAway !== wasAway) announceAway(tx, changed, isAway)
  return answer
}

function changePassword(
  tx: RealmTransaction,
  user: User,
  newPassword: string,
  checkedHash: string | null,
  newHash: string,
): void {
  // Another request has changed it while the old one was checked.
  if (checkedHash === null || checkedHash !== user.passwordHash) throw new BadRequestError('Wrong password!')
  if (!isAllowedPasswordLength(newPassword)) throw new BadRequestError('New password is too weak!')
  changeUser(tx.sql, user.id, { passwordHash: newHash })
}

/** Changes the user's own name. Where names are fixed, a member's change is silently ignored. */
function changeOwnName(tx: RealmTransaction, user: User, fullName: string | undefined): void {
  if (fullName === undefined || fullName.trim() === '' || fullName.trim() === user.fullName) return
  if (realmProperty(tx.sql, 'name_changes_disabled') && !isAdministrator(user)) return
  changeFullName(tx, user, requireAllowedFullName(tx.sql, fullName, user.id))
}

const settings = settingParameters(USER_SETTING_NAMES)

/**
 * Changes the caller's own settings, name, password, and address once it is confirmed; or, for administrators, settings of others. Source:
 * docs/interface/settings.md#change-ones-settings; docs/interface/settings.md#change-other-peoples-settings.
 */
export const updateSettingsEndpoint = defineEndpoint({
  operation: 'update-settings',
  route: 'PATCH /settings',
  access: 'human',
  // The old password, which comes with the new one, is a sufficient proof if it is enough for a log-in.
  needsProof: ({ email, new_password }, isPasswordEnough) =>
    email !== undefined || (new_password !== undefined && !isPasswordEnough()),
  params: {
    full_name: v.optional(textUpTo(NAME_LENGTH)),
    email: v.optional(textUpTo(NAME_LENGTH)),
    old_password: v.optional(textUpTo(NAME_LENGTH), ''),
    new_password: v.optional(textUpTo(NAME_LENGTH)),
    renew_api_key: v.optional(jsonBoolean, 'false'),
    target_users: v.optional(targetUsers),
    ...settings,
  },
  returns: v.object({ api_key: v.optional(secretText()) }),
  command: updateSettings,
  audit: ({ actorId, params, events }) => {
    if (params.target_users !== undefined) return events.length === 0 ? undefined : changeOfOthers(params)
    if (params.new_password === undefined) return undefined
    return { action: 'password_changed', details: { user_id: actorId } }
  },
  hasWork: ({ new_password }) => new_password !== undefined,
  async prepare(params, worker) {
    const { old_password, new_password } = params
    if (new_password === undefined || new_password === '') return { ...params, new_password: undefined }
    const checked_hash = await requireOwnPassword(old_password, worker, wrongPassword)
    return { ...params, checked_hash, new_hash: await worker.hasher.hash(new_password) }
  },
})

/** Returns the entry for settings of others, without the users' ids, since there may be thousands. */
function changeOfOthers({ target_users, ...params }: UpdateSettingsParams): AuditNote {
  const { user_ids = [], group_ids = [] } = target_users ?? {}
  const people = { users: user_ids.length, groups: group_ids }
  return { action: 'settings_changed', details: { ...changesIn(settingsAmong(params)), ...people } }
}

const wrongPassword = () => new BadRequestError('Wrong password!')

/** An older endpoint for some of the settings, which older clients use. */
export const updateDisplaySettingsEndpoint = defineEndpoint({
  operation: 'update-display-settings',
  route: 'PATCH /settings/display',
  access: 'human',
  params: settings,
  command: updateSettings,
  audit: 'own',
})

export const updateNotificationSettingsEndpoint = defineEndpoint({
  operation: 'update-notification-settings',
  route: 'PATCH /settings/notifications',
  access: 'human',
  params: settings,
  command: updateSettings,
  audit: 'own',
})

/** The users whose settings a request changes. */
interface TargetUsers {
  readonly user_ids: readonly number[]
  readonly group_ids: readonly number[]
  /** Whether to skip, setting by setting, users who have changed it themselves. */
  readonly skip_if_already_edited: boolean
}

/**
 * Changes other users' settings, for administrators, as many per commit as fit, in the order of ids. Bots have no settings and are skipped;
 * closed accounts have the settings when they are reopened. Source: docs/interface/settings.md#change-other-peoples-settings.
 */
function* changeSettingsOfOthers(targetUsers: TargetUsers, settings: GivenSettings): Commits<Caller, object> {
  yield* inCommits<Caller, number>((tx, { actor }, above = 0) => {
    requireAdministrator(actor)
    return changeAbove(tx, targetUsers, settings, above)
  })
  return {}
}

/** Changes the next users' settings. Returns the last account that was processed, if there are more. */
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

/** The refusal of a setting that users can change only for themselves. */
function ownSetting(): BadRequestError {
  return new BadRequestError('Cannot change this setting for other users.')
}

/** Returns the settings among the parameters of a request. */
function settingsAmong(params: GivenSettings): GivenSettings {
  const given = USER_SETTING_NAMES.filter((name) => params[name] !== undefined)
  return Object.fromEntries(given.map((name) => [name, params[name]]))
}

/** Refuses unknown ids of groups or accounts. */
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

/** Returns the number of settings that changed. */
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

/** Values for settings, as requested. */
type GivenSettings = { readonly [Name in UserSettingName]?: unknown }

type CheckedSetting = [UserSettingName, UserSettings[UserSettingName]]

/** Returns the valid settings, in the order of their table. @throws BadRequestError */
function checkedSettings(given: GivenSettings): CheckedSetting[] {
  return USER_SETTING_NAMES.filter((name) => given[name] !== undefined).map((name) => {
    const value = checkUserSetting(name, given[name])
    return [name, name === 'timezone' ? (canonicalTimezone(String(value)) ?? '') : value]
  })
}
