import type { RealmReads } from '../../../core/realm-transaction.ts'
import { type InEachLanguage, writtenLanguage } from '../../../core/written-languages.ts'
import { realmProperty } from '../../../store/realm/realm-setting-rows.ts'
import { userSetting } from '../../../store/users/settings/user-setting-rows.ts'
import type { User } from '../../../store/users/user-rows.ts'
import { ARABIC } from './arabic.ts'
import { ENGLISH, type MailTexts } from './english.ts'
import { FRENCH } from './french.ts'
import { GERMAN } from './german.ts'
import { JAPANESE } from './japanese.ts'
import { SPANISH } from './spanish.ts'

const MAIL_TEXTS: InEachLanguage<MailTexts> = {
  ar: ARABIC,
  de: GERMAN,
  en: ENGLISH,
  es: SPANISH,
  fr: FRENCH,
  ja: JAPANESE,
}

export function textsFor(reader: Pick<User, 'settings'>): MailTexts {
  return textsIn(userSetting(reader, 'default_language'))
}

/** Returns the texts in the organization's language, for people without an account. */
export function textsForStrangers({ sql }: Pick<RealmReads, 'sql'>): MailTexts {
  return textsIn(realmProperty(sql, 'default_language'))
}

/** Returns the texts in the language that a browser asked for, else in the organization's. */
export function textsForVisitor(view: Pick<RealmReads, 'sql'>, language: string | undefined): MailTexts {
  return language === undefined ? textsForStrangers(view) : textsIn(language)
}

function textsIn(language: string): MailTexts {
  return MAIL_TEXTS[writtenLanguage(language) ?? 'en']
}
