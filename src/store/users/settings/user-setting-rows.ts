import { IdSet } from '../../../core/id-set.ts'
import { type RefusalLanguage, refusalLanguage } from '../../../core/refusal-text.ts'
import { forEachShownSetting, type ShownSettings } from '../../../core/shown-settings.ts'
import type { Sql } from '../../../core/sql.ts'
import type { User } from '../user-rows.ts'
import { defaultUserSettings, type UserSettings } from './user-settings.ts'

/** Returns a user's own value of a setting: a user row has only what differs from the built-in default. */
export function userSetting<Name extends keyof UserSettings>(
  user: Pick<User, 'settings'>,
  name: Name,
): UserSettings[Name] {
  return name in user.settings ? (user.settings[name] as UserSettings[Name]) : DEFAULTS[name]
}

/** Returns the language of refusals to a user; undefined for English. */
export function refusalLanguageOf(user: Pick<User, 'settings'>): RefusalLanguage | undefined {
  return refusalLanguage(userSetting(user, 'default_language'))
}

export function userSettings(user: Pick<User, 'settings' | 'timezone'>): UserSettings {
  return { ...DEFAULTS, ...user.settings, timezone: user.timezone }
}

export function shownSettings(user: Pick<User, 'settings' | 'timezone'>): ShownSettings {
  return forEachShownSetting((name) => (name === 'timezone' ? user.timezone : userSetting(user, name)))
}

const DEFAULTS = defaultUserSettings()

/** Returns the accounts that have chosen this value of a setting, which must not be the default. */
export function whoChose(sql: Sql, accounts: IdSet, setting: string, value: string | number): IdSet {
  if (accounts.size === 0) return IdSet.none
  // In one row, since there may be ten thousand.
  return IdSet.of(
    sql.list(
      `SELECT json_group_array(id) AS ids FROM user
     WHERE id IN (SELECT value FROM json_each(?1)) AND instr(settings, ?2) > 0 AND json_extract(settings, '$.' || ?2) = ?3`,
      JSON.stringify(accounts),
      setting,
      value,
    ),
  )
}
