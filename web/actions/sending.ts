import { flush, state } from '../chat.ts'
import type { Conversation } from '../state/conversation.ts'
import {
  acceptSend,
  beginSend,
  discardSend,
  failSend,
  isSentAlready,
  type OutgoingMessage,
  retrySend,
  sendParameters,
} from '../state/outbox.ts'
import { call, failureOf } from './call.ts'
import { fetchWanted } from './message-windows.ts'

export function send(conversation: Conversation, content: string): void {
  const outgoing = beginSend(
    state,
    { conversation, content },
    { now: Date.now(), newId: () => crypto.randomUUID() },
  )
  flush()
  void deliver(outgoing)
}

export function sendAgain(localId: string): void {
  const outgoing = retrySend(state, localId)
  flush()
  if (outgoing) void deliver(outgoing)
}

export function discard(localId: string): void {
  discardSend(state, localId)
  flush()
}

async function deliver(outgoing: OutgoingMessage): Promise<void> {
  const at = state
  try {
    const { id } = await call('POST', '/messages', sendParameters(outgoing), {
      idempotencyKey: outgoing.idempotencyKey,
    })
    acceptSend(at, outgoing.localId, id as number)
    if (at.wanted.size > 0) void fetchWanted()
  } catch (error) {
    const failure = failureOf(error)
    failSend(at, outgoing.localId, failure)
    if (isSentAlready(failure)) discardSend(at, outgoing.localId)
  }
  at.changes.flush()
}
