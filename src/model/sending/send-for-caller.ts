import { createHash } from 'node:crypto'
import type { IdempotentRequest } from '../../core/call.ts'
import { BadRequestError, IdempotencyKeyReusedError, MissingParameterError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import { getsRepresentation } from '../../core/representations-by-level.ts'
import type { Sql } from '../../core/sql.ts'
import { DAY } from '../../core/time.ts'
import { botSettings, NO_SETTINGS } from '../../store/bots/bot-setting-rows.ts'
import {
  findMessageBySendKey,
  findMessageBySendKeyPrefix,
  type SentBefore,
} from '../../store/messages/message-rows.ts'
import { type Caller, clientNameOf } from '../caller.ts'
import {
  addressesOf,
  type MessageAddresses,
  presentAddresses,
} from '../messages/read/addresses-of-message.ts'
import {
  type Composition,
  compose,
  type Destination,
  normaliseContent,
  normaliseTopic,
  requireMayMention,
} from '../messages/text/compose.ts'
import type { Author } from '../messages/text/markdown-lookups.ts'
import { requireWidgetContent } from '../submessages/widget-content.ts'
import {
  parseChannelAddress,
  parseUserAddresses,
  resolveChannelDestination,
  resolveDirectDestination,
} from './resolve-destination.ts'
import { deliverMessage, type SentMessage, sentBefore } from './store-message.ts'
import { warnOfEmptyChannel } from './warn-bot-owner.ts'

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

/** Clients with a full interface, from which users have read what they send (docs/interface/messages.md#send-a-message). */
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

/** Sends a message for a user, with every check. A message that was already sent with the same key is not sent again. */
export function sendForCaller(
  tx: RealmTransaction,
  caller: Caller,
  params: SendMessageParams,
): SentMessage & Partial<MessageAddresses> {
  const repeated = findRepeatedSend(tx, caller, params)
  const getsAddresses = getsRepresentation(caller.source, 'addresses of sent messages')
  if (repeated) {
    return { ...sentBefore(repeated), ...(getsAddresses && presentAddresses(tx, caller, repeated.id)) }
  }
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
  return { ...sent, ...(getsAddresses && addressesOf(tx, caller, sent.id, destination)) }
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

/** Refuses a sender other than the caller. Source: docs/interface/messages.md#send-a-message, step 1. */
function requireOwnName({ sender, forged }: SendMessageParams): void {
  if (sender !== undefined) throw new BadRequestError('Invalid mirrored message')
  if (forged === 'yes' || forged === 'true') throw new BadRequestError('User not authorized for this query')
}

/** Parses the address of a message, before the content is checked; the returned function resolves it. */
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

/** Seconds within which a repeated send gets the first answer. */
const SEND_KEY_SECONDS = DAY

/** Lengths of the digests of a key and of its request, in characters of base64. */
const KEY_LENGTH = 22
const REQUEST_LENGTH = 16

interface Local {
  readonly queue_id?: string
  readonly local_id?: string
}

/** Returns the key of a repeated send: a digest of its `Idempotency-Key`, or of the client's own id of the message. */
export function sendKeyOf(caller: Caller, local: Local): string | undefined {
  const { user, source } = caller
  if (source.idempotency) {
    return `${keyPrefix(user.id, source.idempotency)}.${source.idempotency.request.slice(0, REQUEST_LENGTH)}`
  }
  return localKeyOf(user.id, local)
}

/**
 * Finds the message that was sent with the same key within a day.
 * @throws IdempotencyKeyReusedError (422) when the key was used for another request
 */
export function findRepeatedSend(
  { sql, now }: Pick<RealmReads, 'sql' | 'now'>,
  { user, source }: Caller,
  local: Local,
): SentBefore | undefined {
  const since = Math.floor(now) - SEND_KEY_SECONDS
  if (source.idempotency) return findKeyedMessage(sql, user.id, source.idempotency, now)
  const key = localKeyOf(user.id, local)
  return key === undefined ? undefined : findMessageBySendKey(sql, key, since)
}

/** Finds the message that a request with this key has sent, as `findRepeatedSend` does. */
export function findKeyedMessage(
  sql: Sql,
  userId: number,
  idempotency: IdempotentRequest,
  now: number,
): SentBefore | undefined {
  const prefix = keyPrefix(userId, idempotency)
  const found = findMessageBySendKeyPrefix(
    sql,
    prefix,
    Math.floor(now) - (idempotency.seconds ?? SEND_KEY_SECONDS),
  )
  if (!found) return undefined
  if (!idempotency.request.startsWith(found.sendKey.split('.')[1]!)) throw new IdempotencyKeyReusedError()
  return found
}

function keyPrefix(userId: number, { key }: IdempotentRequest): string {
  return digest([userId, 'key', key]).slice(0, KEY_LENGTH)
}

function localKeyOf(userId: number, { queue_id, local_id }: Local): string | undefined {
  if (queue_id === undefined || local_id === undefined) return undefined
  return digest([userId, 'local', queue_id, local_id])
}

function digest(names: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(names)).digest('base64url')
}
