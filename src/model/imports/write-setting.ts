import * as v from 'valibot'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { permission, type RecordOf } from '../../imports/neutral.ts'
import { REALM_GROUP_SETTINGS } from '../../rules/group-settings.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import {
  insertLinkifier,
  insertPlayground,
  listLinkifiers,
  listPlaygrounds,
} from '../../store/realm/realm-list-rows.ts'
import {
  checkRealmProperty,
  isChannelProperty,
  isRealmPropertyName,
  NO_CHANNEL,
  REALM_PROPERTIES,
  type RealmPropertyName,
} from '../../store/realm/realm-properties.ts'
import {
  changedUserSettingDefaults,
  type RealmImageName,
  readRealmImage,
  realmProperty,
} from '../../store/realm/realm-setting-rows.ts'
import {
  checkUserSetting,
  PRESETTABLE_USER_SETTING_NAMES,
  SETTINGS_OF_ONESELF,
  USER_SETTINGS,
} from '../../store/users/settings/user-settings.ts'
import { hasRoomInOrganization } from '../quotas/within-quota.ts'
import {
  compileLinkifiers,
  requireUsableLinkifier,
  requireUsablePlayground,
} from '../realm/linkifiers-and-playgrounds.ts'
import { type ImportWork, noteTarget, targetOf, unlessRefused } from './import-work.ts'
import { replaceDefaultSetting, replaceSetting } from './replace-setting.ts'
import { notePicture, notePictureUse } from './write-file.ts'
import { permissionsOf } from './write-permissions.ts'

const BAD_SETTING = 'setting that cannot be used'

/** Settings of the organization that do not decide who may do what, or who sees whom. */
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
  unlessRefused(work, 'linkifier that cannot be used', pattern, () => {
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
  unlessRefused(work, 'playground that cannot be used', name, () => {
    if (!hasRoomInOrganization(tx, 'playgrounds')) {
      work.tally.problem('no room for more playgrounds', name)
      return
    }
    const usable = requireUsablePlayground(tx.sql, { name, pygments_language: language, url_template })
    noteTarget(tx, work, 'playground', id, insertPlayground(tx.sql, usable), 'playgrounds')
  })
}

/** Takes over a setting: a harmless one that the organization has not chosen itself, or any if it becomes what the source was. */
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
  unlessRefused(work, BAD_SETTING, name, () => {
    const checked = REALM_PROPERTIES[safe].check(name, value)
    if (checked === REALM_PROPERTIES[safe].default) return
    replaceSetting(tx, work.imported, safe, checked)
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
  unlessRefused(work, BAD_SETTING, name, () => {
    const checked = checkUserSetting(known, value)
    if (checked === (chosen[name] ?? USER_SETTINGS[known].default)) return
    replaceDefaultSetting(tx, work.imported, name, checked)
    work.tally.count('written', 'settings')
  })
}

/** Settings of logging in, which depend on where the organization is: they could lock out the owner who imports. */
const STAY: readonly RealmPropertyName[] = ['authentication_methods', 'second_factor_required_for']

const namedChannel = v.object({ channel: v.string() })

/** Gives the organization a setting or permission of the source. Clients register at the end. */
function writeAnyRealmSetting(
  tx: RealmTransaction,
  work: ImportWork,
  { name, value }: RecordOf<'realm_setting'>,
): void {
  const setting = REALM_GROUP_SETTINGS.find((one) => one.name === name)
  const given = setting ? v.safeParse(permission, value) : undefined
  if (setting && given?.success) {
    const found = permissionsOf(tx, work, [setting], { [name]: given.output }, 'organization')[setting.name]
    if (found === undefined) return
    replaceSetting(tx, work.imported, name, found)
    work.tally.count('written', 'settings')
  } else if (setting || !isRealmPropertyName(name) || STAY.includes(name)) {
    work.tally.count('passedOver', `realm_setting ${name}`)
  } else writeRealmProperty(tx, work, name, value)
}

/** Writes a property and its consequences. One that cannot be used is listed. */
function writeRealmProperty(
  tx: RealmTransaction,
  work: ImportWork,
  name: RealmPropertyName,
  given: unknown,
): void {
  unlessRefused(work, BAD_SETTING, name, () => {
    const value = isChannelProperty(name)
      ? channelFor(tx, work, name, given)
      : checkRealmProperty(name, asSent(name, given))
    if (value === undefined) {
      work.tally.problem(BAD_SETTING, `${name}: its channel is not here, or not private`)
      return
    }
    if (JSON.stringify(value) === JSON.stringify(realmProperty(tx.sql, name))) return
    replaceSetting(tx, work.imported, name, value)
    work.tally.count('written', 'settings')
  })
}

/** Returns a value as clients send it: they have words for no limit and for the default. */
function asSent(name: RealmPropertyName, given: unknown): unknown {
  if (name === 'jitsi_server_url') return given ?? 'default'
  if (name === 'message_retention_days' && given === -1) return 'unlimited'
  return given ?? 'unlimited'
}

/** Returns the channel that a setting names; undefined for one that it cannot name. */
function channelFor(
  tx: RealmTransaction,
  work: ImportWork,
  name: string,
  given: unknown,
): number | undefined {
  const named = v.safeParse(namedChannel, given)
  if (!named.success) return NO_CHANNEL
  const id = targetOf(tx, work, 'channel', named.output.channel)
  const channel = id === undefined ? undefined : findChannel(tx.sql, id)
  if (!channel || channel.isArchived) return undefined
  return name === 'moderation_request_channel_id' && !channel.isPrivate ? undefined : channel.id
}

const PICTURES: readonly RealmImageName[] = ['icon', 'logo', 'night_logo']

/**
 * Takes the pictures of the source's organization that this one does not have. Name and description stay, unless this organization becomes what
 * the source was.
 */
export function writeOrganization(
  tx: RealmTransaction,
  work: ImportWork,
  organization: RecordOf<'organization'>,
): void {
  for (const name of ['name', 'description'] as const) {
    const value = organization[name]
    if (value === undefined) continue
    if (work.imported.mapping.settings) writeRealmProperty(tx, work, name, value)
    else work.tally.count('passedOver', `organization.${name}`)
  }
  for (const name of PICTURES) {
    const file = organization[name]
    if (file === undefined) continue
    notePicture(tx, work, file)
    if (readRealmImage(tx.sql, name).path === null) notePictureUse(tx, work, file, { kind: name })
    else work.tally.count('passedOver', `organization.${name}`)
  }
}
