import type { RealmReads } from '../../../core/realm-transaction.ts'
import { type InEachLanguage, writtenLanguage } from '../../../core/written-languages.ts'
import { realmProperty } from '../../../store/realm/realm-setting-rows.ts'
import { userSetting } from '../../../store/users/settings/user-setting-rows.ts'
import type { User } from '../../../store/users/user-rows.ts'
import { ARABIC } from './arabic.ts'
import { ENGLISH } from './english.ts'
import { FRENCH } from './french.ts'
import { GERMAN } from './german.ts'
import { JAPANESE } from './japanese.ts'
import type { MailTexts } from './mail-texts.ts'
import { SPANISH } from './spanish.ts'

/** The texts of mails in every language. */
const MAIL_TEXTS: InEachLanguage<MailTexts> = {
  ar: ARABIC,
  de: GERMAN,
  en: ENGLISH,
  es: SPANISH,
  fr: FRENCH,
  ja: JAPANESE,
}

/** Returns the texts in a reader's language, else in English. */
export function textsFor(reader: Pick<User, 'settings'>): MailTexts {
  return textsIn(userSetting(reader, 'default_language'))
}

/** Returns the texts for a visitor without an account, in the organization's language. */
export function textsForStrangers({ sql }: Pick<RealmReads, 'sql'>): MailTexts {
  return textsIn(realmProperty(sql, 'default_language'))
}

/** Returns the texts for a user whose browser may have named a language, else in the organization's. */
export function textsForVisitor(view: Pick<RealmReads, 'sql'>, language: string | undefined): MailTexts {
  return language === undefined ? textsForStrangers(view) : textsIn(language)
}

function textsIn(language: string): MailTexts {
  return MAIL_TEXTS[writtenLanguage(language) ?? 'en']
}
