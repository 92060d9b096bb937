import { type MailTexts, TEXTS } from '../../../texts/compiled/mail.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { writtenLanguage } from '../../core/written-languages.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'
import type { User } from '../../store/users/user-rows.ts'

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

export function textsIn(language: string): MailTexts {
  return TEXTS[writtenLanguage(language) ?? 'en']
}

/** Lists names in a sentence: up to three, else two and the number of the others. */
export function namesIn(
  { names }: MailTexts,
  [first = '', second = '', third = '', ...others]: readonly string[],
): string {
  if (others.length > 0) return names.more({ first, second, count: others.length + 1 })
  if (third !== '') return names.three({ first, second, third })
  return second === '' ? names.one(first) : names.two({ first, second })
}
