import * as v from 'valibot'
import { ApiError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { permission, type RecordOf } from '../../imports/neutral.ts'
import { REALM_GROUP_SETTINGS } from '../../rules/group-settings.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import {
  checkRealmProperty,
  isChannelProperty,
  isRealmPropertyName,
  NO_CHANNEL,
  type RealmPropertyName,
} from '../../store/realm/realm-properties.ts'
import { realmProperty, writeRealmSetting } from '../../store/realm/realm-setting-rows.ts'
import { retimeDigests } from '../digests/digest-rounds.ts'
import { awaitExpiry } from '../retention/retention-policy.ts'
import { rescheduleFullMembers } from '../user-groups/announce-full-members.ts'
import { type ImportWork, targetOf } from './import-work.ts'
import { permissionsOf } from './write-permissions.ts'

/** How people log in depends on the place where the organization is: the owner who imports could be locked out. */
const STAY: readonly RealmPropertyName[] = ['authentication_methods', 'second_factor_required_for']

const namedChannel = v.object({ channel: v.string() })

/** Gives the organization a setting or permission of the source, where it is to become what the source was. Clients register at the end. */
export function writeAnyRealmSetting(
  tx: RealmTransaction,
  work: ImportWork,
  { name, value }: RecordOf<'realm_setting'>,
): void {
  const setting = REALM_GROUP_SETTINGS.find((one) => one.name === name)
  const given = setting ? v.safeParse(permission, value) : undefined
  if (setting && given?.success) {
    const found = permissionsOf(tx, work, [setting], { [name]: given.output }, 'organization')[setting.name]
    if (found === undefined) return
    writeRealmSetting(tx.sql, name, found)
    work.tally.count('written', 'settings')
  } else if (setting || !isRealmPropertyName(name) || STAY.includes(name)) {
    work.tally.count('passedOver', `realm_setting ${name}`)
  } else writeRealmProperty(tx, work, name, value)
}

/** Writes a property, with what follows from it. What cannot be is listed. */
export function writeRealmProperty(
  tx: RealmTransaction,
  work: ImportWork,
  name: RealmPropertyName,
  given: unknown,
): void {
  try {
    const value = isChannelProperty(name)
      ? channelFor(tx, work, name, given)
      : checkRealmProperty(name, asSent(name, given))
    if (value === undefined) {
      work.tally.problem('setting that cannot be used', `${name}: its channel is not here, or not private`)
      return
    }
    if (JSON.stringify(value) === JSON.stringify(realmProperty(tx.sql, name))) return
    writeRealmSetting(tx.sql, name, value)
    if (name === 'message_retention_days') awaitExpiry(tx)
    if (name === 'digest_emails_enabled' || name === 'digest_weekday') retimeDigests(tx)
    if (name === 'waiting_period_threshold') rescheduleFullMembers(tx)
    work.tally.count('written', 'settings')
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    work.tally.problem('setting that cannot be used', `${name}: ${error.message}`)
  }
}

/** Returns what clients send for a value that they get: no limit has a word of its own. */
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
