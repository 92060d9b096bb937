import { CHANGES_OF_COMMIT } from '../../core/budgets.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { type GroupSettingValue, requireValidGroupSetting } from '../../rules/group-setting-values.ts'
import { REALM_GROUP_SETTINGS } from '../../rules/group-settings.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import type { RealmImport } from '../../store/imports/import-rows.ts'
import {
  forgetReplaced,
  listReplaced,
  noteReplaced,
  type ReplacedSetting,
} from '../../store/imports/replaced-setting-rows.ts'
import { isChannelProperty, isRealmPropertyName, NO_CHANNEL } from '../../store/realm/realm-properties.ts'
import {
  changedUserSettingDefaults,
  deleteRealmSetting,
  type RealmImage,
  readRealmImage,
  storedRealmSetting,
  writeRealmSetting,
} from '../../store/realm/realm-setting-rows.ts'
import { retimeDigests } from '../digests/digests.ts'
import { rescheduleFullMembers } from '../group-changes/announce-full-members.ts'
import { retireImage } from '../images/reserve-image.ts'
import { awaitExpiry } from '../retention/retention.ts'
import { groupFacts } from '../user-groups/group-members.ts'

/** Settings of the organization that an import changes, and how undoing it brings back what they were. */

const DEFAULTS = 'user_settings_defaults'
const OF_DEFAULTS = `${DEFAULTS}.`
const PICTURES = ['icon', 'logo', 'night_logo'] as const

/** Writes a property, a permission or a picture of the organization, with its consequences. */
export function replaceSetting(
  tx: RealmTransaction,
  { id }: Pick<RealmImport, 'id'>,
  name: string,
  written: unknown,
): void {
  noteReplaced(tx.sql, id, { name, former: storedRealmSetting(tx.sql, name), written })
  writeRealmSetting(tx.sql, name, written)
  afterChange(tx, name)
}

/** Writes a default of people's settings. */
export function replaceDefaultSetting(
  { sql }: RealmTransaction,
  { id }: Pick<RealmImport, 'id'>,
  name: string,
  written: unknown,
): void {
  const chosen = changedUserSettingDefaults(sql)
  noteReplaced(sql, id, { name: OF_DEFAULTS + name, former: chosen[name], written })
  writeRealmSetting(sql, DEFAULTS, { ...chosen, [name]: written })
}

/** Brings back the next settings that nobody has changed since. Returns where to continue; undefined after the last one. */
export function restoreSettings(
  tx: RealmTransaction,
  { id }: RealmImport,
  after: string,
): string | undefined {
  const page = listReplaced(tx.sql, id, after, CHANGES_OF_COMMIT)
  for (const setting of page) restore(tx, setting)
  if (page.length === CHANGES_OF_COMMIT) return page.at(-1)!.name
  forgetReplaced(tx.sql, id)
  return undefined
}

function restore(tx: RealmTransaction, { name, former, written }: ReplacedSetting): void {
  const picture = PICTURES.find((one) => one === name)
  if (picture) {
    const { path, version } = readRealmImage(tx.sql, picture)
    if (path === null || path !== (written as RealmImage).path) return
    retireImage(tx, path)
    writeRealmSetting(tx.sql, picture, { path: null, version: version + 1 })
  } else if (name.startsWith(OF_DEFAULTS)) {
    const { [name.slice(OF_DEFAULTS.length)]: present, ...others } = changedUserSettingDefaults(tx.sql)
    if (present !== written) return
    const own = former === undefined ? {} : { [name.slice(OF_DEFAULTS.length)]: former }
    writeRealmSetting(tx.sql, DEFAULTS, { ...others, ...own })
  } else if (isSame(storedRealmSetting(tx.sql, name), written)) {
    const value = usable(tx, name, former)
    if (value === undefined) deleteRealmSetting(tx.sql, name)
    else writeRealmSetting(tx.sql, name, value)
    afterChange(tx, name)
  }
}

/** Returns a former value, unless it names something that is gone since: then the default. */
function usable(tx: RealmTransaction, name: string, former: unknown): unknown {
  if (former === undefined) return undefined
  const permission = REALM_GROUP_SETTINGS.find((setting) => setting.name === name)
  if (permission) {
    try {
      return requireValidGroupSetting(permission, former as GroupSettingValue, groupFacts(tx.sql))
    } catch (error) {
      if (error instanceof BadRequestError) return undefined
      throw error
    }
  }
  if (!isRealmPropertyName(name) || !isChannelProperty(name) || former === NO_CHANNEL) return former
  const channel = findChannel(tx.sql, former as number)
  return channel && !channel.isArchived ? former : undefined
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function afterChange(tx: RealmTransaction, name: string): void {
  if (name === 'message_retention_days') awaitExpiry(tx)
  if (name === 'digest_emails_enabled' || name === 'digest_weekday') retimeDigests(tx)
  if (name === 'waiting_period_threshold') rescheduleFullMembers(tx)
}
