import * as v from 'valibot'
import { changesIn } from '../../api/audit-rules.ts'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { MAX_HANDMADE_LIST_LENGTH, PROSE_LENGTH, VALUE_LENGTH, WORD_LENGTH } from '../../api/input-limits.ts'
import {
  alias,
  bareOrQuoted,
  json,
  jsonBoolean,
  mapUpTo,
  textOrJson,
  textUpTo,
  valueUpTo,
  wordOrJson,
} from '../../api/parameter-types.ts'
import { realmPermissionChanges } from '../../api/shared-parameters.ts'
import { EVERYONE } from '../../core/audience.ts'
import { SEEN_ANEW_IN_EVENTS } from '../../core/budgets.ts'
import type { RequestSource } from '../../core/call.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { usersWithQueue } from '../../events/queue.ts'
import {
  realmPermissions as permissionSchemas,
  realmPropertiesOfUpdate,
  realmPropertiesOfUpdateDict,
  realmPropertyFor,
} from '../../events/realm.ts'
import type { Caller } from '../../model/caller.ts'
import { isCallProviderAvailable } from '../../model/calls/call-providers.ts'
import { retimeDigests } from '../../model/digests/digests.ts'
import {
  announceFullMembers,
  rescheduleFullMembers,
} from '../../model/group-changes/announce-full-members.ts'
import { requireLoginMethod } from '../../model/login-providers/login-methods.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import {
  announceAuthenticationMethods,
  announcePermission,
  announceProperty,
} from '../../model/realm/announce-realm-change.ts'
import { topicsPolicyOfMandatory } from '../../model/realm/present-realm.ts'
import { awaitExpiry } from '../../model/retention/retention.ts'
import { groupFacts } from '../../model/user-groups/group-members.ts'
import { presentGroupSetting } from '../../model/user-groups/present-user-group.ts'
import { endQueues } from '../../model/users/login/sessions.ts'
import { areAllUsersVisible } from '../../model/users/visibility/visible-users.ts'
import { announceUsers, changeOf } from '../../model/visibility/users-that-a-user-sees.ts'
import {
  type GroupSettingChange,
  requireExpectedGroupSetting,
  requireValidGroupSetting,
  sameGroupSetting,
} from '../../rules/group-setting-values.ts'
import { REALM_GROUP_SETTINGS, type RealmGroupSettingName } from '../../rules/group-settings.ts'
import { requireMayChangeRealm } from '../../rules/realm-setting-rules.ts'
import { isFullMember, ROLES } from '../../rules/roles.ts'
import { systemGroupId } from '../../rules/system-groups.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { sharersOf } from '../../store/messages/conversation-rows.ts'
import {
  checkRealmProperty,
  isChannelProperty,
  NO_CHANNEL,
  REALM_PROPERTY_NAMES,
  type RealmPropertyName,
} from '../../store/realm/realm-properties.ts'
import { realmPermissions, realmProperty, writeRealmSetting } from '../../store/realm/realm-setting-rows.ts'
import { activeGuests, people } from '../../store/users/account-set-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { listActive } from '../../store/users/user-summary-rows.ts'

/** Properties that clients send in another form than they get. */
const SENT_AS: { readonly [Name in RealmPropertyName]?: v.GenericSchema } = {
  authentication_methods: mapUpTo(MAX_HANDMADE_LIST_LENGTH, textUpTo(WORD_LENGTH), v.boolean()),
}
const anyInteger = v.pipe(
  v.number(),
  v.safeInteger(),
  v.minValue(Number.MIN_SAFE_INTEGER),
  v.maxValue(Number.MAX_SAFE_INTEGER),
)

/** A value that the command checks. */
const checkedValue = (name: RealmPropertyName) => {
  const shape = SENT_AS[name] ?? { ...realmPropertiesOfUpdate, ...realmPropertiesOfUpdateDict }[name]
  const set = 'wrapped' in shape ? shape.wrapped : shape
  return valueUpTo(VALUE_LENGTH, set.type === 'number' ? anyInteger : set)
}
const jsonOf = (name: RealmPropertyName) => json(checkedValue(name), VALUE_LENGTH)
const unlimitedOr = (name: RealmPropertyName) => wordOrJson(['unlimited'], checkedValue(name))

/** Properties that are not sent as JSON. The command checks the values. */
const SPECIAL: { readonly [Name in RealmPropertyName]?: v.GenericSchema<unknown, unknown> } = {
  name: textUpTo(PROSE_LENGTH),
  description: textUpTo(PROSE_LENGTH),
  default_language: bareOrQuoted(textUpTo(PROSE_LENGTH)),
  default_code_block_language: bareOrQuoted(textUpTo(PROSE_LENGTH)),
  jitsi_server_url: bareOrQuoted(textUpTo(PROSE_LENGTH)),
  welcome_message_custom_text: textUpTo(PROSE_LENGTH),
  topics_policy: textOrJson(checkedValue('topics_policy')),
  second_factor_required_for: textOrJson(checkedValue('second_factor_required_for')),
  message_edit_history_visibility_policy: textOrJson(checkedValue('message_edit_history_visibility_policy')),
  zulip_update_announcements_stream_id: alias(
    'svc_update_announcements_stream_id',
    jsonOf('zulip_update_announcements_stream_id'),
  ),
  default_avatar_source: bareOrQuoted(textUpTo(PROSE_LENGTH)),
  giphy_rating: alias('gif_rating_policy', jsonOf('giphy_rating')),
  message_content_delete_limit_seconds: unlimitedOr('message_content_delete_limit_seconds'),
  message_content_edit_limit_seconds: unlimitedOr('message_content_edit_limit_seconds'),
  message_retention_days: unlimitedOr('message_retention_days'),
  move_messages_within_stream_limit_seconds: unlimitedOr('move_messages_within_stream_limit_seconds'),
  move_messages_between_streams_limit_seconds: unlimitedOr('move_messages_between_streams_limit_seconds'),
}

const properties = Object.fromEntries(
  REALM_PROPERTY_NAMES.map((name): [string, v.GenericSchema<unknown, unknown>] => [
    name,
    v.optional(SPECIAL[name] ?? jsonOf(name)),
  ]),
) as Record<RealmPropertyName, v.GenericSchema<unknown, unknown>>

/** Texts are not echoed. */
const updated = v.literal('updated')

/** Changed properties, as the answer has them. */
const newProperties = {
  ...realmPropertiesOfUpdate,
  ...realmPropertiesOfUpdateDict,
  name: updated,
  description: updated,
  default_language: updated,
  default_avatar_source: updated,
  default_code_block_language: updated,
  jitsi_server_url: v.nullable(updated),
  message_edit_history_visibility_policy: updated,
  topics_policy: updated,
  second_factor_required_for: updated,
  welcome_message_custom_text: updated,
  authentication_methods: v.record(v.string(), v.boolean()),
} satisfies Record<RealmPropertyName, v.GenericSchema>

/** Settings that decide who gets in, or who may do what. */
const DECIDING_POWER = [
  'authentication_methods',
  'second_factor_required_for',
  // Full members are those who have been here for so long.
  'waiting_period_threshold',
  ...REALM_GROUP_SETTINGS.map(({ name }) => name),
] as const

/**
 * Changes the organization's properties and permissions, all or nothing; answers the changed ones. Source:
 * docs/interface/organization.md#change-settings.
 */
export const updateRealmEndpoint = defineEndpoint({
  operation: 'update-realm',
  route: 'PATCH /realm',
  access: 'administrator',
  needsProof: (params) => DECIDING_POWER.some((name) => params[name] !== undefined),
  params: { ...properties, mandatory_topics: v.optional(jsonBoolean), ...realmPermissionChanges },
  returns: v.partial(
    v.object({
      ...newProperties,
      gif_rating_policy: realmPropertiesOfUpdate.giphy_rating,
      ...permissionSchemas,
    }),
  ),
  apply(tx, caller, params: UpdateRealmParams) {
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
  // Nobody could set up an authenticator app if the deployment cannot store its secret.
  hasWork: ({ second_factor_required_for: whom }) => whom !== undefined && whom !== 'nobody',
  async prepare(params, { secrets }) {
    await secrets.seal('second factor', '')
    return params
  },
  audit: {
    whenChanged: ({ params }) => ({
      action: 'organization_changed',
      details: changesIn(params),
    }),
  },
})

type UpdateRealmParams = { readonly [Name in RealmPropertyName]?: unknown } & {
  readonly [Name in RealmGroupSettingName]?: GroupSettingChange
} & {
  /** The parameter that older clients send in place of `topics_policy`. */
  readonly mandatory_topics?: boolean
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
    if (name === 'video_chat_provider') requireCallProvider(source, value as number)
    if (JSON.stringify(value) === JSON.stringify(realmProperty(tx.sql, name))) continue
    writeRealmSetting(tx.sql, name, value)
    if (name === 'authentication_methods') {
      requireLoginMethod(tx.sql, user.id, source)
      announceAuthenticationMethods(tx, source)
    } else {
      announceProperty(tx, name)
    }
    if (name === 'message_retention_days') awaitExpiry(tx)
    if (name === 'digest_emails_enabled' || name === 'digest_weekday') retimeDigests(tx)
    answer[realmPropertyFor(source, name)] = typeof value === 'string' ? 'updated' : value
  }
  return answer
}

/** Returns a property's new value; log-in methods that were not named are unchanged. */
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

function requireCallProvider(source: RequestSource, id: number): void {
  if (!isCallProviderAvailable(source, id)) throw new BadRequestError(`Invalid video_chat_provider ${id}`)
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

/** Makes a change of the organization and emits its consequences for full members, and for whom guests can see. */
function carryOutRealmChange<R>(tx: RealmTransaction, change: () => R): R {
  announceFullMembers(tx)
  const waitingPeriod = realmProperty(tx.sql, 'waiting_period_threshold')
  const allVisibleBefore = areAllUsersVisible(tx)
  const result = change()
  const newPeriod = realmProperty(tx.sql, 'waiting_period_threshold')
  if (newPeriod !== waitingPeriod) {
    announceChangeOfFullMembers(tx, fullMembers(tx, waitingPeriod), fullMembers(tx, newPeriod))
    rescheduleFullMembers(tx)
  }
  if (allVisibleBefore !== areAllUsersVisible(tx)) announceUsersToGuests(tx)
  return result
}

/** Notifies guests of the users whom they can now see without sharing a channel with them, or can no longer see. */
function announceUsersToGuests(tx: RealmTransaction): void {
  const all = people(tx.sql)
  const isAllVisible = areAllUsersVisible(tx)
  const until = tx.sql.counts.read + SEEN_ANEW_IN_EVENTS.rows
  const tooMany: number[] = []
  for (const id of usersWithQueue(tx.sql, activeGuests(tx.sql).toArray())) {
    if (tx.sql.counts.read >= until) {
      tooMany.push(id)
      continue
    }
    const sharers = sharersOf(tx.sql, id).and(all)
    const change = isAllVisible ? changeOf(sharers, all) : changeOf(all, sharers)
    announceUsers(tx, findUser(tx.sql, id)!, change)
  }
  endQueues(tx, tooMany)
}

/** Returns the full members if accounts must be `days` days old. */
function fullMembers(tx: RealmReads, days: number): number[] {
  return listActive(tx.sql)
    .filter((user) => user.role === ROLES.member && isFullMember(user, tx.now - user.joinedAt, days))
    .map(({ id }) => id)
}

function announceChangeOfFullMembers(
  tx: RealmTransaction,
  before: readonly number[],
  after: readonly number[],
): void {
  const emit = (op: 'add_members' | 'remove_members', ids: number[]) => {
    if (ids.length === 0) return
    tx.emit({ type: 'user_group', op, group_id: systemGroupId('role:fullmembers'), user_ids: ids }, EVERYONE)
  }
  const had = new Set(before)
  const has = new Set(after)
  emit(
    'remove_members',
    before.filter((id) => !has.has(id)),
  )
  emit(
    'add_members',
    after.filter((id) => !had.has(id)),
  )
}
