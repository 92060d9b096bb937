import { type PersonalNoticeTexts, TEXTS } from '../../../texts/compiled/personal-notice.ts'
import { writtenLanguage } from '../../core/written-languages.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'
import type { User } from '../../store/users/user-rows.ts'

/** Returns the texts in the language of the person who gets them. */
export function personalNoticeTexts(reader: Pick<User, 'settings'>): PersonalNoticeTexts {
  return TEXTS[writtenLanguage(userSetting(reader, 'default_language')) ?? 'en']
}
