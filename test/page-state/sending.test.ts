import { describe, expect, it } from 'vitest'
import {
  acceptSend,
  applyEvents,
  beginFetch,
  beginSend,
  type ChatState,
  type Conversation,
  failSend,
  outgoingIn,
  renewState,
  restoreUnsent,
  retrySend,
  rowKey,
  sendParameters,
  sendsToRetry,
  settleAround,
  settleWanted,
  topicNarrow,
  unsentMessages,
  windowOf,
} from '../../web/state/index.ts'
import { fromJson } from '../support/json.ts'
import { buildMessage, buildSnapshot, buildState, ME, messageEvent, NOW } from './build.ts'

const LUNCH: Conversation = { kind: 'topic', channelId: 1, topic: 'lunch' }
const NARROW = topicNarrow(1, 'lunch')
const NETWORK = { code: 'NETWORK', text: '', isRefused: false }

let ids = 0
function send(state: ChatState, conversation = LUNCH) {
  ids += 1
  return beginSend(state, { conversation, content: 'Soup?' }, { now: NOW, newId: () => `local-${ids}` })
}

function openLunch(state: ChatState) {
  const window = windowOf(state, NARROW)
  const answer = { messages: [buildMessage(10)], found_oldest: true, found_newest: true }
  settleAround(state, window, beginFetch(state), answer)
  return window
}

const own = (id: number) => buildMessage(id, { sender_id: ME, flags: ['read'] })

describe('a message that is sent', () => {
  it('is shown at once, in its conversation and the narrows around it', () => {
    const state = buildState()
    const outgoing = send(state)
    expect(outgoingIn(state, NARROW)).toEqual([outgoing])
    expect(outgoingIn(state, [])).toEqual([outgoing])
    expect(outgoingIn(state, topicNarrow(1, 'tea'))).toEqual([])
    expect(outgoingIn(state, [{ operator: 'search', operand: 'soup' }])).toEqual([])
  })

  it('is shown once, whether its answer or its event comes first', () => {
    for (const order of ['answer first', 'event first']) {
      const state = buildState()
      const window = openLunch(state)
      const { localId } = send(state)
      const steps = [
        () => acceptSend(state, localId, 11),
        () => applyEvents(state, [messageEvent(own(11), { local_message_id: localId })], NOW),
      ]
      for (const step of order === 'answer first' ? steps : steps.reverse()) step()
      expect(window.ids, order).toEqual([10, 11])
      expect(outgoingIn(state, NARROW), order).toEqual([])
      expect(rowKey(state, 11), order).toBe(localId)
    }
  })

  it('stays until its event after its answer', () => {
    const state = buildState()
    const { localId } = send(state)
    expect(acceptSend(state, localId, 11)).toBe(true)
    expect(outgoingIn(state, NARROW)).toMatchObject([{ status: 'accepted', messageId: 11 }])
    // The event comes from a queue that does not know the local id.
    applyEvents(state, [messageEvent(own(11))], NOW)
    expect(outgoingIn(state, NARROW)).toEqual([])
  })

  it('that failed can be tried again as the same request', () => {
    const state = buildState()
    const first = { ...send(state) }
    failSend(state, first.localId, NETWORK)
    expect(sendsToRetry(state)).toHaveLength(1)
    renewState(state, buildSnapshot({ queue_id: 'queue-2' }))
    const again = retrySend(state, first.localId)!
    expect(again.idempotencyKey).toBe(first.idempotencyKey)
    expect(sendParameters(again)).toEqual(sendParameters(first))
    expect(again.queueId).toBe('queue-1')
  })

  it('that was refused is not retried automatically', () => {
    const state = buildState()
    const { localId } = send(state)
    failSend(state, localId, { code: 'BAD_REQUEST', text: 'No.', isRefused: true })
    expect(sendsToRetry(state)).toEqual([])
    expect(outgoingIn(state, NARROW)).toMatchObject([{ status: 'failed', failure: { text: 'No.' } }])
  })

  it('whose answer was lost is settled when its event comes', () => {
    const state = buildState()
    const { localId } = send(state)
    failSend(state, localId, NETWORK)
    applyEvents(state, [messageEvent(own(11), { local_message_id: localId })], NOW)
    expect(outgoingIn(state, NARROW)).toEqual([])
    // The failure comes too late to count.
    failSend(state, localId, NETWORK)
    expect(retrySend(state, localId)).toBeUndefined()
  })

  it('to a channel without subscription is fetched, for no event comes', () => {
    const state = buildState()
    const narrow = topicNarrow(3, 'x')
    const window = windowOf(state, narrow)
    settleAround(state, window, beginFetch(state), { messages: [], found_oldest: true, found_newest: true })
    const { localId } = send(state, { kind: 'topic', channelId: 3, topic: 'x' })
    acceptSend(state, localId, 11)
    expect([...state.wanted]).toEqual([11])
    const message = buildMessage(11, { stream_id: 3, subject: 'x', flags: ['read', 'historical'] })
    settleWanted(state, beginFetch(state), [11], [message])
    expect(window.ids).toEqual([11])
    expect(outgoingIn(state, narrow)).toEqual([])
    expect(state.wanted.size).toBe(0)
  })

  it('survives a reload of the page until it is sent', () => {
    const state = buildState()
    const { localId, idempotencyKey } = send(state)
    const kept = fromJson(JSON.stringify(unsentMessages(state)))
    const later = buildState()
    restoreUnsent(later, kept)
    expect(sendsToRetry(later)).toMatchObject([{ localId, idempotencyKey, status: 'failed' }])
  })
})
