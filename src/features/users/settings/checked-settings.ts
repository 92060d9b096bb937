import { canonicalTimezone } from '../../../store/users/settings/timezones.ts'
import {
  checkUserSetting,
  USER_SETTING_NAMES,
  type UserSettingName,
  type UserSettings,
} from '../../../store/users/settings/user-settings.ts'

/** Values for settings, as a request gives them. */
export type GivenSettings = { readonly [Name in UserSettingName]?: unknown }

export type CheckedSetting = [UserSettingName, UserSettings[UserSettingName]]

/** Returns the checked settings, in the order of the table of settings. @throws BadRequestError */
export function checkedSettings(given: GivenSettings): CheckedSetting[] {
  return USER_SETTING_NAMES.filter((name) => given[name] !== undefined).map((name) => {
    const value = checkUserSetting(name, given[name])
    return [name, name === 'timezone' ? (canonicalTimezone(String(value)) ?? '') : value]
  })
}
