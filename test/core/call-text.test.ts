import { expect, it } from 'vitest'
import {
  answerOf,
  callIn,
  crossing,
  deploymentOf,
  type RealmAnswer,
  type RealmCall,
  replyOf,
} from '../../src/core/call.ts'
import type { JsonText } from '../../src/core/json.ts'

const DEPLOYMENT = { ...deploymentOf({}), userCreators: ['iago@example.com'] }
const CALL: RealmCall = {
  operation: 'send-message',
  credentials: { kind: 'basic', email: 'iago@example.com', apiKey: 'k'.repeat(32) },
  parameters: { ok: true, value: { to: '5', content: 'A "line"\nand 🎉' } },
  source: {
    origin: 'https://chat.example.com',
    userAgent: 'Test/1',
    ip: '192.0.2.1',
    deployment: DEPLOYMENT,
  },
  host: 'chat.example.com',
}
const ANSWER: RealmAnswer = {
  outcome: { ok: true, value: { id: 5 } },
  rows: { read: 3, written: 7 },
  farTrips: 0,
  nearTrips: 0,
}

function arrived(call: RealmCall): RealmCall {
  const { text, facts } = crossing(call, false)
  return callIn(text as JsonText<RealmCall>, facts)
}

it('a call arrives as it was, with and without facts about the deployment', () => {
  const { deployment: _, ...source } = CALL.source
  const withoutFacts = { ...CALL, source }
  expect(arrived(CALL)).toEqual(CALL)
  expect(arrived(withoutFacts)).toEqual(withoutFacts)
})

it('equal facts about the deployment are read once, and others anew', () => {
  const [one, other] = [arrived(CALL), arrived({ ...CALL, host: 'other.example.com' })]
  expect(other.source.deployment).toBe(one.source.deployment)
  const changed = { ...DEPLOYMENT, auditLogDays: 1 }
  expect(arrived({ ...CALL, source: { ...CALL.source, deployment: changed } }).source.deployment).toEqual(
    changed,
  )
})

it('a call with held sections, or for a page, crosses as an object', () => {
  const held = new Float64Array([1, 7])
  expect(crossing({ ...CALL, held }, false)).toEqual({ text: { ...CALL, held } })
  expect(crossing(CALL, true)).toEqual({ text: CALL })
})

it('an answer crosses as text, and one with bytes as an object', () => {
  expect(replyOf(ANSWER)).toBeTypeOf('string')
  expect(answerOf(replyOf(ANSWER))).toEqual(ANSWER)
  const inSections = {
    isIncomplete: false,
    text: new Uint8Array([1, 2]),
    parts: new Uint32Array(),
    versions: new Float64Array(),
    sent: { keys: [], versions: [], lengths: [], bytes: new Uint8Array() },
  }
  const bytes = { ...ANSWER, inSections }
  expect(replyOf(bytes)).toBe(bytes)
  expect(answerOf(bytes)).toBe(bytes)
})
