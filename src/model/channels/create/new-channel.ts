import { type ChannelProperties, givenProperties } from '../../../core/channel-properties.ts'
import { BadRequestError } from '../../../core/errors.ts'
import { chunksOfJson } from '../../../core/parts-of-lists.ts'
import type { RealmReads, RealmTransaction } from '../../../core/realm-transaction.ts'
import {
  requireMayCreateChannel,
  requireMayUseCreationSettings,
} from '../../../rules/channel-setting-rules.ts'
import { CHANNEL_GROUP_SETTINGS } from '../../../rules/group-settings.ts'
import { systemGroupId } from '../../../rules/system-groups.ts'
import {
  type Channel,
  defaultPermissions,
  findChannel,
  insertChannel,
  type NewChannel,
} from '../../../store/channels/channel-rows.ts'
import type { Caller } from '../../caller.ts'
import { renderDescription } from '../../messages/text/render-text.ts'
import { withinQuota } from '../../quotas/within-quota.ts'
import { awaitExpiry } from '../../retention/retention.ts'
import {
  type GivenGroupSettings,
  requireFolder,
  requireTopicsOpenToAll,
  requireValidChannelSettings,
} from '../change/channel-changes.ts'
import { parseRetention, type RetentionDays, requireRoomForDefaults } from '../change/channel-values.ts'
import { emitDefaultChannels } from '../defaults/default-channels.ts'
import { presentChannel } from '../read/present-channel.ts'
import { channelMetadataAudience, creationFacts } from '../visibility/channel-audiences.ts'

/** Settings of a new channel; the names are the API's. */
export interface CreationParams extends GivenGroupSettings, Partial<ChannelProperties> {
  readonly invite_only: boolean
  readonly is_web_public: boolean
  readonly is_default_stream: boolean
  readonly history_public_to_subscribers?: boolean | null
  readonly message_retention_days?: RetentionDays
  readonly folder_id?: number | null
}

interface CreationSettings
  extends Omit<
    NewChannel,
    keyof ChannelTexts | 'renderedDescription' | 'createdAt' | 'creatorId' | 'settings'
  > {
  readonly settings: GivenGroupSettings
}

/** Checks and returns the settings of new channels (docs/interface/channels.md#rights-and-settings-of-a-new-channel). */
export function requireCreationSettings(
  tx: RealmReads,
  caller: Caller,
  params: CreationParams,
): CreationSettings {
  const given = Object.fromEntries(
    CHANNEL_GROUP_SETTINGS.map(({ name }) => [name, params[name]]),
  ) as GivenGroupSettings
  const settings = requireValidChannelSettings(tx.sql, given)
  requireMayUseCreationSettings(
    caller.actor,
    { settings, topicsPolicy: params.topics_policy ?? 'inherit' },
    creationFacts(tx.sql, caller.source),
  )
  return {
    isPrivate: params.invite_only,
    isWebPublic: params.is_web_public,
    isDefault: params.is_default_stream,
    historyPublicToSubscribers: showsPast(params),
    retentionDays: parseRetention(params.message_retention_days),
    properties: givenProperties(params),
    // Whether the folder exists is checked last, with the rights.
    folderId: params.folder_id ?? null,
    settings,
  }
}

/** A public channel always shows its past; a private one only on request. */
function showsPast({ invite_only, history_public_to_subscribers }: CreationParams): boolean {
  return invite_only ? (history_public_to_subscribers ?? false) : true
}

/** Requires the rights to create the channel, and refuses impossible combinations. */
export function requireMayCreate(tx: RealmReads, caller: Caller, params: CreationParams): void {
  requireMayCreateChannel(
    caller.actor,
    {
      isPrivate: params.invite_only,
      isWebPublic: params.is_web_public,
      isDefault: params.is_default_stream,
      properties: givenProperties(params),
      setsRetention: parseRetention(params.message_retention_days) !== null,
    },
    creationFacts(tx.sql, caller.source),
  )
  requireFolder(tx.sql, params.folder_id)
  if (params.invite_only && params.is_web_public) throw new BadRequestError('Invalid parameters')
  requireTopicsOpenToAll({
    isPrivate: params.invite_only,
    historyPublicToSubscribers: showsPast(params),
    settings: {
      can_create_topic_group: params.can_create_topic_group ?? systemGroupId('role:everyone'),
    },
  })
}

type ChannelTexts = Pick<Channel, 'name' | 'description'>

/** Enters channels with the same settings, still without subscribers, and notifies those who see them in as few events as possible. */
export function addChannels(
  tx: RealmTransaction,
  caller: Caller,
  texts: readonly ChannelTexts[],
  wanted: CreationSettings,
): Channel[] {
  if (wanted.isDefault) requireRoomForDefaults(tx.sql, texts.length)
  const ids = withinQuota(tx, caller, 'channels', () => texts.map((text) => enter(tx, caller, text, wanted)))
  const channels = ids.map((id) => findChannel(tx.sql, id)!)
  const [first] = channels
  if (!first) return []
  // They have the same settings, and nobody is subscribed yet.
  const audience = channelMetadataAudience(tx, first)
  const presented = channels.map((channel) => presentChannel(tx.sql, channel, { subscriberCount: 0 }))
  for (const streams of chunksOfJson(presented)) {
    tx.emit({ type: 'stream', op: 'create', streams }, audience)
  }
  if (first.isDefault) emitDefaultChannels(tx)
  if (first.retentionDays !== null) awaitExpiry(tx)
  return channels
}

function enter(
  tx: RealmTransaction,
  { user, actor, source }: Caller,
  { name, description }: ChannelTexts,
  wanted: CreationSettings,
): number {
  return insertChannel(tx.sql, {
    ...wanted,
    name,
    description,
    renderedDescription: renderDescription(tx, { user, actor }, description, source.origin),
    createdAt: tx.now,
    creatorId: user.id,
    settings: { ...defaultPermissions(user.id, user.botOwnerId), ...wanted.settings },
  })
}
