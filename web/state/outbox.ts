import type { ChatState, Outbox, OutgoingMessage, SendFailure } from './chat-state.ts'
import { type Conversation, conversationKey, type Move, movedWith } from './conversation.ts'
import { conversationOfNarrow, isSearch, type Narrow } from './narrow.ts'
import type { Message } from './wire.ts'

export type { OutgoingMessage, SendFailure } from './chat-state.ts'

export function newOutbox(): Outbox {
  return { byLocalId: new Map(), localIds: new Map() }
}

/** Number of the user's messages that keep their rows' keys. */
const KEPT_ROW_KEYS = 500

/**
 * Shows the message at once, and returns what the request needs. `newId`: a text that is never used again.
 */
export function beginSend(
  state: ChatState,
  { conversation, content }: { conversation: Conversation; content: string },
  { now, newId }: { now: number; newId: () => string },
): OutgoingMessage {
  const id = newId()
  const outgoing: OutgoingMessage = {
    localId: id,
    idempotencyKey: `send-${id}`,
    queueId: state.queueId,
    conversation,
    content,
    sentAt: Math.floor(now / 1_000),
    status: 'sending',
  }
  state.outbox.byLocalId.set(outgoing.localId, outgoing)
  state.changes.touch('outbox', conversationKey(conversation))
  return outgoing
}

/** Returns the parameters of POST /messages: the same for every try, unless its topic has moved meanwhile. */
export function sendParameters({ conversation, content, localId, queueId }: OutgoingMessage) {
  return {
    ...(conversation.kind === 'topic'
      ? { type: 'channel', to: conversation.channelId, topic: conversation.topic }
      : { type: 'direct', to: conversation.peers }),
    content,
    local_id: localId,
    queue_id: queueId,
    read_by_sender: true,
  }
}

/**
 * Records that the server has accepted it. Returns true when the message is not known yet: it comes with its
 * event, except in a channel where the user is not subscribed; then the caller fetches it.
 */
export function acceptSend(state: ChatState, localId: string, messageId: number): boolean {
  const outgoing = state.outbox.byLocalId.get(localId)
  keepRowKey(state, messageId, localId)
  if (!outgoing) return false
  if (state.messages.has(messageId)) {
    drop(state, outgoing)
    return false
  }
  Object.assign(outgoing, { status: 'accepted', messageId, failure: undefined })
  if (!isWithoutEvent(state, outgoing)) return true
  state.wanted.add(messageId)
  state.changes.touch('outbox', conversationKey(outgoing.conversation))
  return true
}

export function failSend(state: ChatState, localId: string, failure: SendFailure): void {
  const outgoing = state.outbox.byLocalId.get(localId)
  // The message's event may have come before the answer was lost.
  if (!outgoing || outgoing.status === 'accepted') return
  Object.assign(outgoing, { status: 'failed', failure })
  state.changes.touch('outbox', conversationKey(outgoing.conversation))
}

/** Retries a failed send; undefined when there is nothing to retry. */
export function retrySend(state: ChatState, localId: string): OutgoingMessage | undefined {
  const outgoing = state.outbox.byLocalId.get(localId)
  if (outgoing?.status !== 'failed') return undefined
  Object.assign(outgoing, { status: 'sending', failure: undefined })
  state.changes.touch('outbox', conversationKey(outgoing.conversation))
  return outgoing
}

/** Discards a failed send. One without an answer yet cannot be discarded. */
export function discardSend(state: ChatState, localId: string): void {
  const outgoing = state.outbox.byLocalId.get(localId)
  if (outgoing?.status === 'failed') drop(state, outgoing)
}

/** Returns failed sends without an answer, which are retried automatically when there is a connection. */
export function sendsToRetry({ outbox }: ChatState): OutgoingMessage[] {
  return [...outbox.byLocalId.values()].filter(
    ({ status, failure }) => status === 'failed' && failure?.isRefused === false,
  )
}

/**
 * Makes unsent messages follow their topic. A try before the move may have arrived: the next one has the same key, and the server then
 * refuses it (`isSentAlready`).
 */
export function moveOutgoing(state: ChatState, move: Move): void {
  for (const outgoing of state.outbox.byLocalId.values()) {
    const { conversation } = outgoing
    if (outgoing.status === 'accepted' || movedWith(move, conversation) === conversation) continue
    outgoing.conversation = move.to
    state.changes.touch('outbox', conversationKey(conversation))
    state.changes.touch('outbox', conversationKey(move.to))
  }
}

/**
 * Whether a refusal means that an earlier try has arrived, in the former topic. The message itself arrives with an event.
 */
export function isSentAlready({ code }: SendFailure): boolean {
  return code === 'IDEMPOTENCY_KEY_REUSED'
}

/** Removes an outgoing message when it has come as a message. */
export function settleOutgoing(state: ChatState, message: Message, localId?: string): void {
  const { byLocalId } = state.outbox
  if (byLocalId.size === 0) return
  const outgoing =
    (localId === undefined ? undefined : byLocalId.get(localId)) ??
    [...byLocalId.values()].find(({ messageId }) => messageId === message.id)
  if (!outgoing) return
  keepRowKey(state, message.id, outgoing.localId)
  drop(state, outgoing)
}

/** Returns the outgoing messages that a narrow shows after its own, in the order of sending. */
export function outgoingIn(state: ChatState, narrow: Narrow): OutgoingMessage[] {
  if (state.outbox.byLocalId.size === 0 || isSearch(narrow)) return []
  const shown = conversationOfNarrow(narrow)
  return [...state.outbox.byLocalId.values()].filter(({ conversation }) => {
    if (shown) return conversationKey(shown) === conversationKey(conversation)
    return narrow.every(({ operator, operand, negated }) => {
      if (negated) return false
      if (operator === 'channel') return conversation.kind === 'topic' && conversation.channelId === operand
      if (operator === 'is') return operand === 'dm' && conversation.kind === 'direct'
      return operator === 'sender' && operand === state.me
    })
  })
}

/** Returns the key of a message's row: the same before it has an id and after. */
export function rowKey({ outbox }: ChatState, messageId: number): string {
  return outbox.localIds.get(messageId) ?? String(messageId)
}

/** Returns the unsent messages, to be stored beyond the life of the page. */
export function unsentMessages({ outbox }: ChatState): OutgoingMessage[] {
  return [...outbox.byLocalId.values()].filter(({ status }) => status !== 'accepted')
}

/**
 * Restores stored messages. They may have been sent, but their old keys make a retry safe.
 */
export function restoreUnsent(state: ChatState, kept: readonly OutgoingMessage[]): void {
  const failure: SendFailure = { code: 'NETWORK', text: '', isRefused: false }
  for (const one of kept) {
    state.outbox.byLocalId.set(one.localId, {
      ...one,
      status: 'failed',
      failure: one.failure ?? failure,
    })
    state.changes.touch('outbox', conversationKey(one.conversation))
  }
}

function isWithoutEvent(state: ChatState, { conversation }: OutgoingMessage): boolean {
  return conversation.kind === 'topic' && !state.channels.get(conversation.channelId)?.subscription
}

function keepRowKey({ outbox }: ChatState, messageId: number, localId: string): void {
  outbox.localIds.set(messageId, localId)
  if (outbox.localIds.size <= KEPT_ROW_KEYS) return
  const [oldest] = outbox.localIds.keys()
  outbox.localIds.delete(oldest!)
}

function drop(state: ChatState, outgoing: OutgoingMessage): void {
  state.outbox.byLocalId.delete(outgoing.localId)
  state.changes.touch('outbox', conversationKey(outgoing.conversation))
}
