import { BadRequestError } from '../../../core/errors.ts'
import { commit, type LongCommand } from '../../../core/long-command.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { requireAdministrator } from '../../../permissions/role-rules.ts'
import { isAdministrator } from '../../../permissions/roles.ts'
import type { Caller } from '../../caller.ts'
import { mailCredentialChange } from '../../emails/account-mails.ts'
import { realmProperty } from '../../realm/realm-setting-rows.ts'
import { announceAway } from '../../user-status/change-status.ts'
import { askForEmailChange, countTaken } from '../addresses/confirm-email.ts'
import { replaceApiKey } from '../login/change-api-key.ts'
import { endBrowsers, endPolls } from '../login/end-sessions.ts'
import { isAllowedPasswordLength } from '../login/password-rules.ts'
import { changeFullName } from '../profile/change-full-name.ts'
import { requireAllowedFullName } from '../profile/full-name-rules.ts'
import { changeUser, type User } from '../user-rows.ts'
import { changeUserSetting } from './change-user-setting.ts'
import { checkedSettings, type GivenSettings } from './checked-settings.ts'
import { changeSettingsOfOthers, ownSetting, settingsAmong, type TargetUsers } from './settings-of-others.ts'
import { userSetting } from './user-setting-rows.ts'

export type UpdateSettingsParams = {
  readonly full_name?: string
  readonly email?: string
  readonly new_password?: string
  /**
   * The hash that the old password fits, and that of the new one; the Worker makes them after checking the
   * old password.
   */
  readonly checked_hash?: string | null
  readonly new_hash?: string
  /** Whether to renew the key with the password, so that the old one is useless. */
  readonly renew_api_key?: boolean
  /** The people whose settings an administrator changes; absent: the caller's own. */
  readonly target_users?: TargetUsers
} & GivenSettings

/**
 * Changes the caller's own settings, name and password, all or nothing, and begins a change of address; or
 * settings of others. An equal value emits no event. Source: docs/interface/settings.md#change-ones-settings;
 * docs/interface/settings.md#change-other-peoples-settings.
 */
export const updateSettings: LongCommand<Caller, UpdateSettingsParams, { api_key?: string }> = {
  *commits(params) {
    const { target_users, full_name, email, new_password } = params
    if (target_users === undefined) {
      return yield* commit((tx, caller: Caller) => changeOwn(tx, caller, params))
    }
    if ([full_name, email, new_password].some((value) => value !== undefined)) {
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
    // Sessions begun with the old password end (docs/interface/browsers.md#sessions); the browser that has
    // changed it stays logged in.
    endBrowsers(tx, user.id, caller.source.session)
    // It is not known which poll belongs to which session, so all of them reconnect.
    endPolls(tx, user.id)
    mailCredentialChange(tx, user, caller.source, 'password')
    if (params.renew_api_key) answer = { api_key: replaceApiKey(tx, user) }
  }
  if (params.email !== undefined) askForEmailChange(tx, caller, params.email)
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
