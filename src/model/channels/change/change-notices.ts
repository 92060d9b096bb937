import { BadRequestError } from '../../../core/errors.ts'
import type { RealmReads } from '../../../core/realm-transaction.ts'
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
import { UNLIMITED_RETENTION_DAYS } from '../../../store/realm/realm-properties.ts'
import { realmProperty } from '../../../store/realm/realm-setting-rows.ts'
import { isSubscribed } from '../../../store/subscriptions/subscriber-rows.ts'
import { findGroup } from '../../../store/user-groups/user-group-rows.ts'
import { findUsers } from '../../../store/users/user-rows.ts'
import type { Caller } from '../../caller.ts'
import { noticeTexts } from '../../notices/channel-notice-texts.ts'
import { creationFacts } from '../visibility/channel-audiences.ts'

/** Notices in a channel about changes to it. Texts: docs/interface/channels.md#notices-of-a-change. */
export function renameNotice(tx: RealmReads, { user }: Caller, before: string, after: string): string {
  return noticeTexts(tx).renamed({
    who: mentionText({ user }),
    before: escapeName(before),
    after: escapeName(after),
  })
}

export function descriptionNotice(tx: RealmReads, { user }: Caller, before: string, after: string): string {
  const texts = noticeTexts(tx)
  return [
    texts.description(mentionText({ user })),
    '',
    `* **${texts.oldDescription}**\n${quoted(tx, before)}`,
    `* **${texts.newDescription}**\n${quoted(tx, after)}`,
  ].join('\n')
}

export function privacyNotice(tx: RealmReads, { user }: Caller, before: Privacy, after: Privacy): string {
  return noticeTexts(tx).privacy({
    who: mentionText({ user }),
    before: privacyName(tx, before),
    after: privacyName(tx, after),
  })
}

export function postingNotice(
  tx: RealmReads,
  { user }: Caller,
  before: GroupSettingValue,
  after: GroupSettingValue,
): string {
  const texts = noticeTexts(tx)
  return [
    texts.posting(mentionText({ user })),
    '',
    `* **${texts.before}**: ${namedIn(tx, before)}`,
    `* **${texts.after}**: ${namedIn(tx, after)}`,
  ].join('\n')
}

/** Number of groups, and of users, of a permission that a notice names: there may be thousands, and each is looked up. */
const NAMED = 50

/** Returns groups and users of a permission, as silent mentions. */
function namedIn(tx: RealmReads, value: GroupSettingValue): string {
  const { direct_members: members, direct_subgroups: groups } =
    typeof value === 'number' ? { direct_members: [], direct_subgroups: [value] } : value
  const names = [
    ...groups
      .slice(0, NAMED)
      .flatMap((id) => findGroup(tx.sql, id) ?? [])
      .map((group) => mentionText({ group })),
    ...[...findUsers(tx.sql, members.slice(0, NAMED)).values()].map((user) => mentionText({ user })),
  ]
  const others = members.length + groups.length - names.length
  return [...names, ...(others > 0 ? [noticeTexts(tx).others(others)] : [])].join(', ')
}

/** Returns the notice of a change of retention. Null: the organization's own period. */
export function retentionNotice(
  tx: RealmReads,
  { user }: Caller,
  before: number | null,
  after: number | null,
): string {
  const texts = noticeTexts(tx)
  const ofRealm = realmProperty(tx.sql, 'message_retention_days')
  const period = (days: number) => (days === UNLIMITED_RETENTION_DAYS ? texts.forever : texts.days(days))
  const named = (days: number | null) =>
    days === null ? texts.ofOrganization(period(ofRealm)) : period(days)
  const days = after ?? ofRealm
  return [
    texts.retention(mentionText({ user })),
    '',
    `* **${texts.before}**: ${named(before)}`,
    `* **${texts.after}**: ${named(after)}`,
    '',
    days === UNLIMITED_RETENTION_DAYS ? texts.kept : texts.deletedAfter(days),
  ].join('\n')
}

export function topicsPolicyNotice(
  tx: RealmReads,
  { user }: Caller,
  before: ChannelTopicsPolicy,
  after: ChannelTopicsPolicy,
): string {
  const { topics, topicsPolicies } = noticeTexts(tx)
  return topics({ who: mentionText({ user }), before: topicsPolicies[before], after: topicsPolicies[after] })
}

export function privacyName(tx: RealmReads, channel: Privacy): string {
  const { privacies } = noticeTexts(tx)
  if (channel.isWebPublic) return privacies.webPublic
  if (!channel.isPrivate) return privacies.public
  return channel.historyPublicToSubscribers ? privacies.sharedHistory : privacies.protectedHistory
}

export function quoted(tx: RealmReads, description: string): string {
  return block(' quote', description || `*${noticeTexts(tx).noDescription}*`, 4)
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
