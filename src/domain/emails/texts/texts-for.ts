import type { User } from '../../users/user-rows.ts'
import { userSetting } from '../../users/user-setting-rows.ts'
import { ENGLISH } from './english.ts'
import { GERMAN } from './german.ts'
import type { MailTexts } from './mail-texts.ts'

/** The texts in a reader's language, as far as there are any: else in English. */
export function textsFor(reader: Pick<User, 'settings'>): MailTexts {
  return /^de\b/.test(userSetting(reader, 'default_language')) ? GERMAN : ENGLISH
}
