import { toUsers } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { isShownSetting } from '../../core/shown-settings.ts'
import type {
  StoredUpdateDisplaySettingsEvent,
  StoredUpdateGlobalNotificationsEvent,
  StoredUserSettingsEvent,
} from '../../events/user-settings.ts'
import type { EmailVisibility } from '../../rules/user-rules.ts'
import { deletePausedAddress } from '../../store/emails/email-rows.ts'
import { deleteMissedMail } from '../../store/missed-messages/missed-mail-rows.ts'
import { languageName } from '../../store/users/settings/locales.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'
import {
  USER_SETTINGS,
  type UserSettingName,
  type UserSettings,
} from '../../store/users/settings/user-settings.ts'
import { changeUser, findUser, type User } from '../../store/users/user-rows.ts'
import { dropAllDrafts } from '../drafts/drop-drafts.ts'
import { announceExportConsent } from '../exports/finished-exports.ts'
import { retimeMissedMail } from '../missed-messages/note-missed-message.ts'
import { changePresence } from '../presence/record-presence.ts'
import { apiEmail } from '../users/addresses/api-email.ts'
import { emitUserChange } from '../users/visibility/emit-user-change.ts'
import { announceEmailVisibility } from './addresses/change-email.ts'

/**
 * Changes one of a user's settings to a checked value, with all consequences, and returns the changed user. An equal value changes nothing.
 * `by`: who has chosen it. Source: docs/interface/settings.md#change-ones-settings; docs/interface/events.md#events-about-people.
 */
export function changeUserSetting<Name extends UserSettingName>(
  tx: RealmTransaction,
  user: User,
  name: Name,
  value: UserSettings[Name],
  by: 'user' | 'administrator' = 'user',
): User {
  if (value === settingOf(user, name)) return user
  const editedSettings = by === 'user' ? [...new Set([...user.editedSettings, name])] : user.editedSettings
  if (name === 'timezone') changeUser(tx.sql, user.id, { timezone: String(value) })
  else changeUser(tx.sql, user.id, { settings: { ...user.settings, [name]: value }, editedSettings })
  const changed = findUser(tx.sql, user.id)!
  emitToOwnClients(tx, changed, name, value)
  if (name === 'email_notifications_batching_period_seconds') {
    retimeMissedMail(tx, changed, Number(value) - Number(settingOf(user, name)))
  }
  if (name === 'enable_offline_email_notifications') {
    if (value === false) deleteMissedMail(tx.sql, user.id)
    else deletePausedAddress(tx.sql, user.id)
  }
  if (isShownSetting(name)) emitUserChange(tx, changed, { email: apiEmail(changed, tx.realm), [name]: value })
  if (name === 'presence_enabled') changePresence(tx, changed, value === true)
  if (name === 'enable_drafts_synchronization' && value === false) dropAllDrafts(tx, changed)
  if (name === 'allow_private_data_export') announceExportConsent(tx, changed)
  if (name === 'email_address_visibility') {
    announceEmailVisibility(tx, user, changed, {
      before: settingOf(user, name) as EmailVisibility,
      after: value as EmailVisibility,
    })
  }
  return changed
}

/** Returns the value of a setting. The time zone is part of the account, and not of the stored settings. */
function settingOf(user: User, name: UserSettingName): boolean | number | string {
  return name === 'timezone' ? user.timezone : userSetting(user, name)
}

function emitToOwnClients(
  tx: RealmTransaction,
  user: User,
  name: UserSettingName,
  value: boolean | number | string,
): void {
  const language = name === 'default_language' ? { language_name: languageName(String(value))! } : {}
  const event: StoredUserSettingsEvent = {
    type: 'user_settings',
    op: 'update',
    property: name,
    value,
    ...language,
  }
  tx.emit(event, toUsers(user.id))
  const { legacy } = USER_SETTINGS[name]
  const owner = apiEmail(user, tx.realm)
  if (legacy === 'display') {
    const old: StoredUpdateDisplaySettingsEvent = {
      type: 'update_display_settings',
      user: owner,
      setting_name: name,
      setting: value,
      ...language,
    }
    tx.emit(old, toUsers(user.id))
  }
  if (legacy === 'notification') {
    const old: StoredUpdateGlobalNotificationsEvent = {
      type: 'update_global_notifications',
      user: owner,
      notification_name: name,
      setting: value,
    }
    tx.emit(old, toUsers(user.id))
  }
}
