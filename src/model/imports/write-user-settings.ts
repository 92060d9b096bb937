import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { type RecordOf, SETTINGS_LEFT_BEHIND } from '../../imports/neutral.ts'
import {
  checkUserSetting,
  USER_SETTING_NAMES,
  USER_SETTINGS,
  type UserSettingName,
} from '../../store/users/settings/user-settings.ts'
import { changeUser, findUser } from '../../store/users/user-rows.ts'
import { type ImportWork, takesPersonal } from './import-work.ts'
import { personOf } from './write-personal.ts'

/** Gives an account the settings that the person has chosen there. An account that was here before keeps its own. */
export function writeUserSettings(
  tx: RealmTransaction,
  work: ImportWork,
  record: RecordOf<'user_settings'>,
): void {
  const { tally } = work
  const userId = personOf(tx, work, record)
  if (userId === undefined || !takesPersonal(tx, work, record.user, userId)) return
  const user = findUser(tx.sql, userId)!
  const settings: Record<string, unknown> = { ...user.settings }
  const edited = new Set(user.editedSettings)
  for (const [given, value] of Object.entries(record.settings)) {
    const name = USER_SETTING_NAMES.find((one) => one === given)
    if (!name || SETTINGS_LEFT_BEHIND.has(name)) {
      tally.count('passedOver', `user_settings ${given}`)
      continue
    }
    try {
      const checked = checkUserSetting(name, value)
      if (checked !== (settings[name] ?? USER_SETTINGS[name].default)) edited.add(name)
      settings[name] = checked
    } catch (error) {
      if (!(error instanceof BadRequestError)) throw error
      tally.problem('setting that cannot be used', `${given}: ${error.message}`)
    }
  }
  const differing = Object.entries(settings).filter(
    ([name, value]) => USER_SETTINGS[name as UserSettingName]?.default !== value,
  )
  changeUser(tx.sql, userId, { settings: Object.fromEntries(differing), editedSettings: [...edited] })
  tally.count('written', 'people with their settings')
}
