import { BadRequestError } from '../../../core/errors.ts'
import type { RealmReads } from '../../../core/realm-transaction.ts'
import type { Sql } from '../../../core/sql.ts'
import { block, escapeName, mentionText } from '../../../markdown/mention-text.ts'
import {
  mayCreateChannel,
  requireContentToChange,
  requireMayMakeWebPublic,
} from '../../../rules/channel-setting-rules.ts'
import type { GroupSettingValue } from '../../../rules/group-setting-values.ts'
import { insufficientPermission } from '../../../rules/roles.ts'
import type { ChannelTopicsPolicy } from '../../../rules/topic-rules.ts'
import type { Channel } from '../../../store/channels/channel-rows.ts'
import { realmProperty } from '../../../store/realm/realm-setting-rows.ts'
import { isSubscribed } from '../../../store/subscriptions/subscriber-rows.ts'
import { findGroup } from '../../../store/user-groups/user-group-rows.ts'
import { findUsers } from '../../../store/users/user-rows.ts'
import type { Caller } from '../../caller.ts'
import { creationFacts } from '../visibility/channel-audiences.ts'
import { UNLIMITED } from './channel-values.ts'

/** Notices in a channel about changes to it. Texts: docs/interface/channels.md#notices-of-a-change. */
export function renameNotice({ user }: Caller, before: string, after: string): string {
  return `${mentionText({ user })} renamed channel **${escapeName(before)}** to **${escapeName(after)}**.`
}

export function descriptionNotice({ user }: Caller, before: string, after: string): string {
  return [
    `${mentionText({ user })} changed the description for this channel.`,
    '',
    `* **Old description:**\n${quoted(before)}`,
    `* **New description:**\n${quoted(after)}`,
  ].join('\n')
}

export function privacyNotice({ user }: Caller, before: Privacy, after: Privacy): string {
  return (
    `${mentionText({ user })} changed the [access permissions](/help/channel-permissions) for this channel ` +
    `from **${privacyName(before)}** to **${privacyName(after)}**.`
  )
}

export function postingNotice(
  sql: Sql,
  { user }: Caller,
  before: GroupSettingValue,
  after: GroupSettingValue,
): string {
  return [
    `${mentionText({ user })} changed the [posting permissions](/help/channel-posting-policy) for this channel:`,
    '',
    `* **Old**: ${namedIn(sql, before)}`,
    `* **New**: ${namedIn(sql, after)}`,
  ].join('\n')
}

/** Number of groups, and of users, of a permission that a notice names: there may be thousands, and each is looked up. */
const NAMED = 50

/** Returns groups and users of a permission, as silent mentions. */
function namedIn(sql: Sql, value: GroupSettingValue): string {
  const { direct_members: members, direct_subgroups: groups } =
    typeof value === 'number' ? { direct_members: [], direct_subgroups: [value] } : value
  const names = [
    ...groups
      .slice(0, NAMED)
      .flatMap((id) => findGroup(sql, id) ?? [])
      .map((group) => mentionText({ group })),
    ...[...findUsers(sql, members.slice(0, NAMED)).values()].map((user) => mentionText({ user })),
  ]
  const others = members.length + groups.length - names.length
  return [...names, ...(others > 0 ? [`and ${others} others`] : [])].join(', ')
}

/** Returns the notice of a change of retention. Null: the organization's own period. */
export function retentionNotice(
  sql: Sql,
  { user }: Caller,
  before: number | null,
  after: number | null,
): string {
  const ofRealm = realmProperty(sql, 'message_retention_days')
  const period = (days: number) => (days === UNLIMITED ? 'Forever' : `${days} days`)
  const named = (days: number | null) =>
    days === null ? `${period(ofRealm)} (organization default)` : period(days)
  const days = after ?? ofRealm
  const fate =
    days === UNLIMITED ? 'retained forever.' : `automatically deleted ${days} days after they are sent.`
  return [
    `${mentionText({ user })} has changed the [message retention period](/help/message-retention-policy) for this channel:`,
    '',
    `* **Old**: ${named(before)}`,
    `* **New**: ${named(after)}`,
    '',
    `Messages in this channel will now be ${fate}`,
  ].join('\n')
}

const TOPICS_POLICY_NAMES: Readonly<Record<ChannelTopicsPolicy, string>> = {
  inherit: 'Automatic',
  allow_empty_topic: '*general chat* topic allowed',
  disable_empty_topic: 'No *general chat* topic',
  empty_topic_only: 'Only *general chat* topic allowed',
}

export function topicsPolicyNotice(
  { user }: Caller,
  before: ChannelTopicsPolicy,
  after: ChannelTopicsPolicy,
): string {
  return (
    `${mentionText({ user })} changed the "Allow posting to the *general chat* topic?" setting ` +
    `from **${TOPICS_POLICY_NAMES[before]}** to **${TOPICS_POLICY_NAMES[after]}**.`
  )
}

export function privacyName(channel: Privacy): string {
  if (channel.isWebPublic) return 'Web-public'
  if (!channel.isPrivate) return 'Public'
  return channel.historyPublicToSubscribers ? 'Private, shared history' : 'Private, protected history'
}

export function quoted(description: string): string {
  return block(' quote', description || '*No description.*', 4)
}

/** Parameters of a channel's privacy in a request (docs/interface/channels.md#change-a-channel). */
export interface PrivacyParams {
  readonly is_private?: boolean
  readonly is_web_public?: boolean
  readonly history_public_to_subscribers?: boolean
  readonly is_default_stream?: boolean
}

type Privacy = Pick<Channel, 'isPrivate' | 'isWebPublic' | 'historyPublicToSubscribers'>

/** Returns the requested privacy, completed; undefined for no change. Errors: docs/interface/channels.md#change-a-channel, steps 2 to 5. */
export function requireProposedPrivacy(
  tx: RealmReads,
  caller: Caller,
  channel: Channel,
  params: PrivacyParams,
): Privacy | undefined {
  const proposed = propose(channel, params)
  const { isPrivate, isWebPublic, historyPublicToSubscribers } = proposed
  if ((isWebPublic && isPrivate) || (!isPrivate && !historyPublicToSubscribers)) {
    throw new BadRequestError('Invalid parameters')
  }
  if (isPrivate && (params.is_default_stream ?? channel.isDefault)) {
    throw new BadRequestError('A default channel cannot be private.')
  }
  if (!isPrivate && realmProperty(tx.sql, 'moderation_request_channel_id') === channel.id) {
    throw new BadRequestError('Moderation request channel must be private.')
  }
  const isChanged =
    isPrivate !== channel.isPrivate ||
    isWebPublic !== channel.isWebPublic ||
    historyPublicToSubscribers !== channel.historyPublicToSubscribers
  if (isChanged || params.is_private !== undefined) {
    requireContentToChange(caller.actor, channel, isSubscribed(tx.sql, channel.id, caller.user.id))
  }
  if (!isChanged) return undefined
  const facts = creationFacts(tx.sql, caller.source)
  if (isWebPublic && !channel.isWebPublic) requireMayMakeWebPublic(caller.actor, facts)
  if (isPrivate !== channel.isPrivate && !mayCreateChannel(caller.actor, { isPrivate }, facts)) {
    throw insufficientPermission()
  }
  return proposed
}

/** Completes the privacy. A channel that becomes private shows its past only on request; a public one always does. */
function propose(channel: Channel, params: PrivacyParams): Privacy {
  return {
    isPrivate: params.is_private ?? channel.isPrivate,
    isWebPublic: params.is_web_public ?? channel.isWebPublic,
    historyPublicToSubscribers:
      params.history_public_to_subscribers ??
      (params.is_private === undefined ? channel.historyPublicToSubscribers : !params.is_private),
  }
}
