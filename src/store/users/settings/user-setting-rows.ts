import type { User } from '../user-rows.ts'
import { defaultUserSettings, type UserSettings } from './user-settings.ts'

/** Returns a user's own value of a setting: a user row has only what differs from the built-in default. */
export function userSetting<Name extends keyof UserSettings>(
  user: Pick<User, 'settings'>,
  name: Name,
): UserSettings[Name] {
  return name in user.settings ? (user.settings[name] as UserSettings[Name]) : DEFAULTS[name]
}

export function userSettings(user: Pick<User, 'settings'>): UserSettings {
  return { ...DEFAULTS, ...user.settings }
}

const DEFAULTS = defaultUserSettings()
