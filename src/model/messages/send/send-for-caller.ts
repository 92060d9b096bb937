import { BadRequestError, MissingParameterError } from '../../../core/errors.ts'
import type { RealmReads, RealmTransaction, RealmView } from '../../../core/realm-transaction.ts'
import { botSettings, NO_SETTINGS } from '../../../store/bots/bot-setting-rows.ts'
import { warnOfEmptyChannel } from '../../bots/warn-bot-owner.ts'
import { type Caller, clientNameOf } from '../../caller.ts'
import { requireWidgetContent } from '../../submessages/widget-content.ts'
import { addressesOf, type MessageAddresses, presentAddresses } from './addresses-of-message.ts'
import { type Composition, compose, type Destination, requireMayMention } from './compose.ts'
import type { Author } from './markdown-lookups.ts'
import { normaliseContent, normaliseTopic } from './message-text.ts'
import {
  parseChannelAddress,
  parseUserAddresses,
  resolveChannelDestination,
  resolveDirectDestination,
} from './resolve-destination.ts'
import { findRepeatedSend, sendKeyOf } from './send-key.ts'
import { deliverMessage, type SentMessage, sentBefore } from './store-message.ts'

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

/**
 * Clients with a full interface: users have read what they send from them
 * (docs/interface/messages.md#send-a-message).
 */
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
 * Sends a message for a user, with every check of sending; one that was sent before with the same key is
 * not sent again.
 */
export function sendForCaller(
  tx: RealmTransaction,
  caller: Caller,
  params: SendMessageParams,
): SentMessage & MessageAddresses {
  const repeated = findRepeatedSend(tx, caller, params)
  if (repeated) return { ...sentBefore(repeated), ...presentAddresses(tx, caller, repeated.id) }
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
  return { ...sent, ...addressesOf(tx, caller, sent.id, destination) }
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
 * Refuses a sender other than the caller, since nobody may send as another user. Source:
 * docs/interface/messages.md#send-a-message, step 1.
 */
function requireOwnName({ sender, forged }: SendMessageParams): void {
  if (sender !== undefined) throw new BadRequestError('Invalid mirrored message')
  if (forged === 'yes' || forged === 'true') throw new BadRequestError('User not authorized for this query')
}

/**
 * Returns the address of a message. Errors of the address alone are refused before the content is checked.
 */
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

export function isFullClient(clientName: string): boolean {
  return FULL_CLIENTS.has(clientName.toLowerCase())
}

function localEcho({ queue_id, local_id }: SendMessageParams) {
  return queue_id !== undefined && local_id !== undefined ? { queue_id, local_id } : undefined
}
