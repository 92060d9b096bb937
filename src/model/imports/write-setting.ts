import { ApiError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { RecordOf } from '../../imports/neutral.ts'
import { insertLinkifier, listLinkifiers } from '../../store/linkifiers/linkifier-rows.ts'
import { insertPlayground, listPlaygrounds } from '../../store/playgrounds/playground-rows.ts'
import { REALM_PROPERTIES } from '../../store/realm/realm-properties.ts'
import {
  changedUserSettingDefaults,
  realmProperty,
  writeRealmSetting,
} from '../../store/realm/realm-setting-rows.ts'
import {
  checkUserSetting,
  PRESETTABLE_USER_SETTING_NAMES,
  SETTINGS_OF_ONESELF,
  USER_SETTINGS,
} from '../../store/users/settings/user-settings.ts'
import { compileLinkifiers, requireUsableLinkifier } from '../linkifiers/usable-linkifier.ts'
import { requireUsablePlayground } from '../playgrounds/usable-playground.ts'
import { hasRoomInOrganization } from '../quotas/within-quota.ts'
import { type ImportWork, noteTarget, targetOf } from './import-work.ts'
import { writeAnyRealmSetting } from './write-realm-property.ts'

/** Settings of the organization that say nothing about who may do what, or who sees whom. */
const SAFE_SETTINGS = [
  'inline_image_preview',
  'inline_url_embed_preview',
  'default_language',
  'digest_weekday',
  'giphy_rating',
  'media_preview_size',
  'default_code_block_language',
  'enable_guest_user_indicator',
] as const

/** Adds a rule that turns text into links, unless its pattern has one. */
export function writeLinkifier(tx: RealmTransaction, work: ImportWork, record: RecordOf<'linkifier'>): void {
  const { pattern } = record
  const id = pattern.slice(0, 200)
  if (targetOf(tx, work, 'linkifier', id) !== undefined) return
  if (listLinkifiers(tx.sql).some((present) => present.pattern === pattern)) return
  compileLinkifiers(tx)
  unlessRefused(work, 'linkifier', pattern, () => {
    if (!hasRoomInOrganization(tx, 'linkifiers')) {
      work.tally.problem('no room for more linkifiers', pattern)
      return
    }
    const made = insertLinkifier(tx.sql, requireUsableLinkifier(tx.sql, undefined, record))
    noteTarget(tx, work, 'linkifier', id, made, 'linkifiers')
  })
}

/** Adds a site at which code can be tried out, unless the language has it. */
export function writePlayground(
  tx: RealmTransaction,
  work: ImportWork,
  record: RecordOf<'playground'>,
): void {
  const { name, language, url_template } = record
  const id = `${language}/${name}`.slice(0, 200)
  if (targetOf(tx, work, 'playground', id) !== undefined) return
  const playgrounds = listPlaygrounds(tx.sql)
  if (playgrounds.some((one) => one.name === name && one.pygmentsLanguage === language)) return
  unlessRefused(work, 'playground', name, () => {
    if (!hasRoomInOrganization(tx, 'playgrounds')) {
      work.tally.problem('no room for more playgrounds', name)
      return
    }
    const usable = requireUsablePlayground({ name, pygments_language: language, url_template })
    noteTarget(tx, work, 'playground', id, insertPlayground(tx.sql, usable), 'playgrounds')
  })
}

/** Takes a setting over that is harmless, where the organization has chosen nothing itself; any, where it is to become what the source was. */
export function writeRealmSettingOf(
  tx: RealmTransaction,
  work: ImportWork,
  record: RecordOf<'realm_setting'>,
): void {
  if (work.imported.mapping.settings) {
    writeAnyRealmSetting(tx, work, record)
    return
  }
  const { name, value } = record
  const safe = SAFE_SETTINGS.find((one) => one === name)
  if (!safe || realmProperty(tx.sql, safe) !== REALM_PROPERTIES[safe].default) {
    work.tally.count('passedOver', `realm_setting ${name}`)
    return
  }
  unlessRefused(work, 'setting', name, () => {
    const checked = REALM_PROPERTIES[safe].check(name, value)
    if (checked === REALM_PROPERTIES[safe].default) return
    writeRealmSetting(tx.sql, safe, checked)
    work.tally.count('written', 'settings')
  })
}

/** Takes over a default for new users that does not concern privacy, unless the organization has chosen one itself. */
export function writeDefaultSetting(
  tx: RealmTransaction,
  work: ImportWork,
  { name, value }: RecordOf<'default_setting'>,
): void {
  const chosen = changedUserSettingDefaults(tx.sql)
  const known = PRESETTABLE_USER_SETTING_NAMES.find((one) => one === name)
  const { settings: takesAll } = work.imported.mapping
  const isOwn = known && (SETTINGS_OF_ONESELF.includes(known) || Object.hasOwn(chosen, name))
  if (!known || (isOwn && !takesAll)) {
    work.tally.count('passedOver', `default_setting ${name}`)
    return
  }
  unlessRefused(work, 'setting', name, () => {
    const checked = checkUserSetting(known, value)
    if (checked === (chosen[name] ?? USER_SETTINGS[known].default)) return
    writeRealmSetting(tx.sql, 'user_settings_defaults', { ...chosen, [name]: checked })
    work.tally.count('written', 'settings')
  })
}

/** Does what may be refused, before anything of it is written; then it is listed with the reason. */
function unlessRefused({ tally }: ImportWork, kind: string, name: string, write: () => void): void {
  try {
    write()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    tally.problem(`${kind} that cannot be used`, `${name}: ${error.message}`)
  }
}
