import type { Command } from '../../../core/command.ts'
import { BadRequestError, MissingParameterError } from '../../../core/errors.ts'
import type { RealmReads, RealmView } from '../../../core/realm-transaction.ts'
import {
  requireMayMentionChannel,
  requireMayMentionGroup,
  requireMayMentionTopic,
  WILDCARD_MENTION_THRESHOLD,
} from '../../../permissions/mention-rules.ts'
import { botSettings, NO_SETTINGS } from '../../bots/bot-setting-rows.ts'
import { warnOfEmptyChannel, warnOfMissingChannel } from '../../bots/warn-bot-owner.ts'
import { type Caller, clientNameOf } from '../../caller.ts'
import { realmPermissions } from '../../realm/realm-setting-rows.ts'
import { requireWidgetContent } from '../../submessages/widget-content.ts'
import { countSubscribers } from '../../subscriptions/subscription-rows.ts'
import { findGroup } from '../../user-groups/user-group-rows.ts'
import { findTopic } from '../topic-rows.ts'
import { type Author, type Composition, compose, type Destination } from './compose.ts'
import { deliverMessage, type SentMessage } from './deliver-message.ts'
import { normaliseContent, normaliseTopic } from './message-text.ts'
import { parseChannelAddress, parseUserAddresses } from './parse-recipients.ts'
import { resolveChannelDestination, resolveDirectDestination } from './resolve-destination.ts'
import { findRepeatedSend, sendKeyOf } from './send-key.ts'
import { topicParticipants } from './topic-participants.ts'

export interface SendMessageParams {
  readonly type: 'direct' | 'private' | 'stream' | 'channel'
  readonly sender?: string
  readonly forged?: string
  readonly to?: string
  readonly topic?: string
  readonly content: string
  readonly widget_content?: string
  readonly local_id?: string
  readonly queue_id?: string
  readonly read_by_sender?: boolean | null
}

/** Clients with a full interface: what one sends from them one has read (docs/interface/messages.md#send-a-message). */
const FULL_CLIENTS = new Set([
  'zulipandroid',
  'zulipios',
  'zulipdesktop',
  'zulipmobile',
  'zulipelectron',
  'zulipterminal',
  'snipe',
  'website',
  'ios',
  'android',
])

/**
 * Sends a message to a channel or to people.
 * Source: docs/interface/messages.md#send-a-message; docs/interface/access.md#channels; docs/interface/conventions.md#topics; docs/interface/conventions.md#limits; docs/decisions/design.md#sends-are-exactly-once.
 */
export const sendMessage: Command<Caller, SendMessageParams, void, SentMessage> = {
  apply(tx, caller, params) {
    const repeated = findRepeatedSend(tx, caller, params)
    if (repeated !== undefined) return { id: repeated }
    const composition = composeChecked(tx, caller, params)
    const sent = deliverMessage(tx, composition, {
      client: clientNameOf(caller.source),
      readBySender: params.read_by_sender ?? isFullClient(clientNameOf(caller.source)),
      local: localEcho(params),
      sendKey: sendKeyOf(caller, params),
    })
    const { destination } = composition
    if (destination.kind === 'channel') {
      warnOfEmptyChannel(tx, caller.user, destination.channel, caller.source.origin)
    }
    return sent
  },
  afterRefusal(tx, { user, source }, _params, refusal) {
    warnOfMissingChannel(tx, user, refusal, source.origin)
  },
}

function composeChecked(tx: RealmReads, caller: Caller, params: SendMessageParams): Composition {
  requireOwnName(params)
  const destinationOf = addressOf(tx, caller, params)
  const content = normaliseContent(params.content)
  const destination = destinationOf(tx, caller)
  const composition = compose(tx, caller, destination, content, caller.source.origin)
  const widget = params.widget_content === undefined ? undefined : requireWidgetContent(params.widget_content)
  requireMayMention(tx, composition)
  return { ...composition, widget }
}

/**
 * Refuses a sender other than the caller: nobody speaks for others here. Source: docs/interface/messages.md#send-a-message,
 * step 1.
 */
function requireOwnName({ sender, forged }: SendMessageParams): void {
  if (sender !== undefined) throw new BadRequestError('Invalid mirrored message')
  if (forged === 'yes' || forged === 'true') throw new BadRequestError('User not authorized for this query')
}

/** The address of a message. Whatever is wrong with it alone is refused before the content is looked at. */
function addressOf(
  { sql }: RealmReads,
  { user }: Caller,
  params: SendMessageParams,
): (view: RealmView, author: Author) => Destination {
  if (params.type === 'stream' || params.type === 'channel') {
    const { sendingChannelId } = user.botType === null ? NO_SETTINGS : botSettings(sql, user.id)
    if (params.to === undefined && sendingChannelId === null) throw new BadRequestError('Missing channel')
    const address = params.to === undefined ? { id: sendingChannelId! } : parseChannelAddress(params.to)
    if (params.topic === undefined) throw new BadRequestError('Missing topic')
    const topic = normaliseTopic(params.topic)
    return (view, author) => resolveChannelDestination(view, author, address, topic)
  }
  if (params.to === undefined) throw new MissingParameterError('to')
  const addresses = parseUserAddresses(params.to)
  return (view, author) => resolveDirectDestination(view, author, addresses)
}

/** Refuses mentions of more people than the author may call at once (docs/interface/messages.md#edit-or-move-a-message, step 15). */
export function requireMayMention(
  view: Pick<RealmView, 'sql'>,
  { rendered, destination, author }: Composition,
): void {
  if (destination.kind === 'channel') {
    const { channel, topic } = destination
    const more = WILDCARD_MENTION_THRESHOLD + 1
    if (rendered.channelWildcard) {
      requireMayMentionChannel(
        author.actor,
        countSubscribers(view.sql, channel.id, more),
        realmPermissions(view.sql),
      )
    }
    if (rendered.topicWildcard) {
      const known = findTopic(view.sql, channel.id, topic)
      const participants = known ? topicParticipants(view.sql, known.id, author.user.id, more).length : 1
      requireMayMentionTopic(author.actor, participants, realmPermissions(view.sql))
    }
  }
  for (const groupId of rendered.mentionedGroupIds) {
    const group = findGroup(view.sql, groupId)
    if (group) requireMayMentionGroup(author.actor, group)
  }
}

export function isFullClient(clientName: string): boolean {
  return FULL_CLIENTS.has(clientName.toLowerCase())
}

function localEcho({ queue_id, local_id }: SendMessageParams) {
  return queue_id !== undefined && local_id !== undefined ? { queue_id, local_id } : undefined
}
