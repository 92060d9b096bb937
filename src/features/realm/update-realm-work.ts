import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { realmPropertyFor } from '../../events/realm.ts'
import type { Caller } from '../../model/caller.ts'
import { retimeDigests } from '../../model/digests/digest-rounds.ts'
import { requireWayIn } from '../../model/login-providers/login-methods.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import {
  announceAuthenticationMethods,
  announcePermission,
  announceProperty,
} from '../../model/realm/announce-realm-change.ts'
import { topicsPolicyOfMandatory } from '../../model/realm/legacy-realm-values.ts'
import { awaitExpiry } from '../../model/retention/retention-policy.ts'
import { groupFacts } from '../../model/user-groups/group-facts.ts'
import { presentGroupSetting } from '../../model/user-groups/present-group-setting.ts'
import {
  type GroupSettingValue,
  requireExpectedGroupSetting,
  requireValidGroupSetting,
  sameGroupSetting,
} from '../../rules/group-setting-values.ts'
import { REALM_GROUP_SETTINGS, type RealmGroupSettingName } from '../../rules/group-settings.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import {
  checkRealmProperty,
  isChannelProperty,
  NO_CHANNEL,
  REALM_PROPERTY_NAMES,
  type RealmPropertyName,
  requireMayChangeRealm,
} from '../../store/realm/realm-properties.ts'
import { realmPermissions, realmProperty, writeRealmSetting } from '../../store/realm/realm-setting-rows.ts'
import { carryOutRealmChange } from './realm-change-effects.ts'

/**
 * A permission's change: the new value, and optionally the one that the client believes to be the present
 * one.
 */
interface GroupSettingChange {
  readonly new: GroupSettingValue
  readonly old?: GroupSettingValue | null
}

export type UpdateRealmParams = { readonly [Name in RealmPropertyName]?: unknown } & {
  readonly [Name in RealmGroupSettingName]?: GroupSettingChange
} & {
  /** The parameter that older clients send in place of `topics_policy`. */
  readonly mandatory_topics?: boolean
}

/**
 * Changes the organization's properties and permissions, all or nothing; answers the changed ones. Source:
 * docs/interface/organization.md#change-settings.
 */
export const updateRealm: Command<Caller, UpdateRealmParams, void, object> = {
  apply(tx, caller, params) {
    const { actor } = caller
    const wanted = withTopicsPolicy(params)
    requireMayChangeRealm(
      actor,
      Object.entries(wanted).flatMap(([name, value]) => (value === undefined ? [] : [name])),
    )
    return withinQuota(tx, caller, 'settings', () =>
      carryOutRealmChange(tx, () => ({
        ...changeProperties(tx, caller, wanted),
        ...changePermissions(tx, wanted),
      })),
    )
  },
}

function withTopicsPolicy({ mandatory_topics, ...params }: UpdateRealmParams): UpdateRealmParams {
  if (mandatory_topics === undefined || params.topics_policy !== undefined) return params
  return { ...params, topics_policy: topicsPolicyOfMandatory(mandatory_topics) }
}

function changeProperties(
  tx: RealmTransaction,
  { user, source }: Caller,
  params: UpdateRealmParams,
): Record<string, unknown> {
  const answer: Record<string, unknown> = {}
  for (const name of REALM_PROPERTY_NAMES) {
    if (params[name] === undefined) continue
    const value = withUnnamedMethods(tx, name, checkRealmProperty(name, params[name]))
    if (isChannelProperty(name)) requireChannel(tx, name, value as number)
    if (JSON.stringify(value) === JSON.stringify(realmProperty(tx.sql, name))) continue
    writeRealmSetting(tx.sql, name, value)
    if (name === 'authentication_methods') {
      requireWayIn(tx.sql, user.id, source)
      announceAuthenticationMethods(tx, source)
    } else {
      announceProperty(tx, name)
    }
    if (name === 'message_retention_days') awaitExpiry(tx)
    if (name === 'digest_emails_enabled' || name === 'digest_weekday') retimeDigests(tx)
    // Texts are not sent back.
    answer[realmPropertyFor(source, name)] = typeof value === 'string' ? 'updated' : value
  }
  return answer
}

/** Returns the value of a property; of the ways to log in, those that were not named stay as they are. */
function withUnnamedMethods({ sql }: RealmReads, name: RealmPropertyName, value: unknown): unknown {
  if (name !== 'authentication_methods') return value
  return { ...realmProperty(sql, name), ...(value as object) }
}

function requireChannel(tx: RealmReads, name: RealmPropertyName, id: number): void {
  if (id === NO_CHANNEL) return
  const channel = findChannel(tx.sql, id)
  if (!channel || channel.isArchived) throw new BadRequestError('Invalid channel ID')
  if (name === 'moderation_request_channel_id' && !channel.isPrivate) {
    throw new BadRequestError('Moderation request channel must be private.')
  }
}

function changePermissions(tx: RealmTransaction, params: UpdateRealmParams): Record<string, unknown> {
  const answer: Record<string, unknown> = {}
  for (const setting of REALM_GROUP_SETTINGS) {
    const change = params[setting.name]
    if (change === undefined) continue
    const wanted = requireValidGroupSetting(setting, change.new, groupFacts(tx.sql))
    const present = realmPermissions(tx.sql)[setting.name]
    requireExpectedGroupSetting(change.old, () => presentGroupSetting(tx.sql, present))
    if (sameGroupSetting(wanted, present)) continue
    writeRealmSetting(tx.sql, setting.name, wanted)
    answer[setting.name] = announcePermission(tx, setting.name)
  }
  return answer
}
