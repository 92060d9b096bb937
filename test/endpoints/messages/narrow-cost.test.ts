import { beforeAll, describe, expect, it } from 'vitest'
import { channelRecipientId } from '../../../src/core/recipient-id.ts'
import type { RawNarrowTerm } from '../../../src/domain/messages/narrow/narrow-terms.ts'
import {
  buildChannel,
  buildRealm,
  buildUser,
  expectSuccess,
  type TestRealm,
  type TestUser,
} from '../../support/factories.ts'
import { changeRealm, inRealm } from '../../support/inside.ts'
import { sendDirect, sendTo } from '../../support/messages.ts'
import { stayAwake } from '../../support/stay-awake.ts'

/** Messages of a busy channel, that no narrow here asks for but the last ones. */
const CROWD = 5_000
/** Rows for authentication, settings, and presenting what was found. */
const OVERHEAD = 500

let realm: TestRealm
let ben: TestUser
let quiet: { id: number; name: string }
let crowdedTopic: number

stayAwake()
beforeAll(async () => {
  realm = await buildRealm()
  ben = await buildUser(realm)
  quiet = await buildChannel([ben])
  const busy = await buildChannel([ben])
  await sendTo(ben, quiet.id, 'whisper', 'hush')
  await sendTo(ben, quiet.id, '✔ settled')
  await sendDirect(ben, [realm.owner])
  const first = await sendTo(ben, busy.id, 'crowd')
  await changeRealm(realm, ({ sql }) => {
    crowdedTopic = sql.first<{ id: number }>(
      `SELECT topic_id AS id FROM message_index WHERE id = ?`,
      first,
    )!.id
    sql.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
       INSERT INTO message_index (id, recipient_id, topic_id, sender_id, client_id, sent_at, bits)
       SELECT ?2 + i, ?3, ?4, ?5, 1, 1, 0 FROM n`,
      CROWD,
      first,
      channelRecipientId(busy.id),
      crowdedTopic,
      ben.id,
    )
  })
  expectSuccess(await ben.api.post('/mark_all_as_read'))
})

/** Messages found from the newest end, and rows read for it. */
async function cost(...narrow: RawNarrowTerm[]) {
  const { outcome, rows } = await inRealm(realm, (object) =>
    object.run({
      operation: 'get-messages',
      credentials: { kind: 'basic', email: ben.email, apiKey: ben.apiKey },
      parameters: {
        ok: true,
        value: {
          anchor: 'newest',
          include_anchor: true,
          num_before: 50,
          num_after: 50,
          narrow,
          use_first_unread_anchor: false,
          client_gravatar: true,
          apply_markdown: true,
          allow_empty_topic_name: true,
        },
      },
      source: { origin: `http://${realm.host}`, userAgent: 'ParleyTest', ip: '' },
    }),
  )
  if (!outcome.ok) throw new Error(outcome.error.msg)
  return { found: (outcome.value as { messages: unknown[] }).messages.length, rows: rows.read }
}

describe('a narrow never reads the whole realm', () => {
  it.each([
    ['a quiet channel', [{ operator: 'channel', operand: 'quiet' }], 3],
    ['one topic', [{ operator: 'topic', operand: 'whisper' }], 1],
    ['direct messages, the starred welcome among them', [{ operator: 'is', operand: 'dm' }], 2],
    ['resolved topics', [{ operator: 'is', operand: 'resolved' }], 1],
    ['followed topics: its own, since it began them', [{ operator: 'is', operand: 'followed' }], 50],
    ['stars', [{ operator: 'is', operand: 'starred' }], 1],
    ['mentions', [{ operator: 'is', operand: 'mentioned' }], 0],
    ['what is unread', [{ operator: 'is', operand: 'unread' }], 0],
    ['a busy channel: its newest', [{ operator: 'topic', operand: 'crowd' }], 50],
    ['everything: its newest', [], 50],
  ] as [string, RawNarrowTerm[], number][])('%s', async (_name, narrow, expected) => {
    const terms = narrow.map((term) => (term.operand === 'quiet' ? { ...term, operand: quiet.id } : term))
    const { found, rows } = await cost(...terms)
    expect(found).toBe(expected)
    expect(rows).toBeLessThan(OVERHEAD)
  })
})
