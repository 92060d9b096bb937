import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { realmStub } from '../../support/api.ts'
import { bodyDatabase } from '../../support/body-database.ts'
import { buildChannel, buildUser, expectSuccess } from '../../support/factories.ts'
import { type Finding, findingsIn } from '../../support/findings.ts'
import { insertMessages } from '../../support/inserted-messages.ts'
import { buildBot, changeRealm, inRealm } from '../../support/inside.ts'
import { REFERENCES, TABLES_WITH_KNOWN_REFERENCES } from '../../support/inside-rows.ts'
import { fromJson } from '../../support/json.ts'
import { sendDirect, sendTo, untilProjected } from '../../support/messages.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { visit } from '../../support/pages.ts'
import { openQueue } from '../../support/queues.ts'
import { useReliableD1 } from '../../support/reliable-d1.ts'
import { sha256Hex } from '../../support/sha256.ts'
import { DAY } from '../../support/times.ts'
import { upload } from '../../support/uploads.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const down = () => Promise.reject(new Error('D1 is down'))
let messageIds: number[]
// An object that wakes reads from its log what D1 has lost.
neverEvict()
useReliableD1()
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
const { realm, ann, gone, channel } = useRealm(
  { ann: 'member', gone: 'member' },
  { channels: { channel: ['owner', 'ann', 'gone'] } },
)

/** An organization that has something of most kinds. */
beforeAll(async () => {
  const file = await upload(ann)
  messageIds = [
    await sendTo(ann, channel.name, 'topic', `[a file](${file})`),
    await sendTo(ann, channel.name, 'topic', `hello @**${realm.owner.fullName}**`),
    await sendTo(realm.owner, channel.name, 'other', 'hello all'),
    await sendDirect(ann, [realm.owner], 'directly'),
    await sendDirect(ann, [ann], 'a note'),
  ]
  const [first, second, third] = messageIds as [number, number, number]
  expectSuccess(await ann.api.post(`/messages/${first}/reactions`, { emoji_name: 'tada' }))
  expectSuccess(await ann.api.post('/messages/flags', { messages: [second], op: 'add', flag: 'starred' }))
  expectSuccess(await ann.api.patch(`/messages/${second}`, { content: 'hello again' }))
  expectSuccess(await realm.owner.api.patch(`/messages/${third}`, { topic: 'moved' }))
  const deleted = await sendTo(ann, channel.name, 'topic', 'gone')
  expectSuccess(await ann.api.post(`/messages/${deleted}/reactions`, { emoji_name: 'tada' }))
  expectSuccess(await realm.owner.api.delete(`/messages/${deleted}`))
  const leave = { subscriptions: [channel.name] }
  expectSuccess(await ann.api.delete('/users/me/subscriptions', leave))
  expectSuccess(await ann.api.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] }))
  expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
  await openQueue(ann)
  await untilProjected(realm, messageIds)
}, 60_000)

const verify = (repair = false) => findingsIn(realm, repair)

const sql = (query: string, ...values: (string | number | null)[]) =>
  inRealm(realm, ({ parts }) => parts.sql.run(query, ...values))
const statement = (database: D1Database, query: string, values: unknown[]) =>
  database
    .prepare(query)
    .bind(...values)
    .run()
/** Damages the database that has the texts. */
const d1 = (query: string, ...values: unknown[]) => statement(bodyDatabase, query, values)
/** Damages what only `DB` has. */
const mainD1 = (query: string, ...values: unknown[]) => statement(env.DB, query, values)
const rowid = (id: number) => realm.id * 2 ** 32 + id

/** D1 has what the repair has written. */
const untilWritten = () =>
  expect
    .poll(() =>
      inRealm(realm, ({ parts }) => {
        parts.projector.passEvents()
        return parts.tail.size.entries
      }),
    )
    .toBe(0)

describe('POST /realm/verify', () => {
  it('finds nothing wrong in an intact organization', async () => {
    expect(await verify()).toEqual([])
  })

  it('waits for what D1 has not been sent yet', async () => {
    const id = await sendTo(ann, channel.name, 'topic', 'for a moment')
    // Now the projector rests: the deletion has to wait.
    await untilProjected(realm, [id])
    expectSuccess(await realm.owner.api.delete(`/messages/${id}`))
    expect(await verify()).toEqual([])
  })

  it('finds texts of any characters by themselves', async () => {
    const texts = [
      'x',
      'ok',
      '👍',
      '👩‍👩‍👧 e\u0301 İSTANBUL ſ ß',
      '日本語',
      'ภาษาไทย',
      'say "so" * -',
      'a'.repeat(10_000),
    ]
    const ids = []
    for (const text of texts) ids.push(await sendDirect(ann, [ann], text))
    await untilProjected(realm, ids)
    expect(await verify()).toEqual([])
  })

  it('compares each of texts that are too long to be read together', async () => {
    const { realm: other } = await buildRealm()
    const { id: channelId } = await buildChannel([other.owner])
    // The index has these without the spaces at their end.
    const ids = await insertMessages(other, other.owner, {
      channelId,
      topic: 'long',
      count: 200,
      length: 20_000,
    })
    const found = (await findingsIn(other)).filter(({ check }) => check === 'search')
    expect(found.map(({ what }) => what)).toEqual(expect.arrayContaining(ids.map((id) => `message ${id}`)))
  })

  it.each<[string, () => void]>([
    ['D1 cannot be read', () => (world.d1 = (call, kind) => (kind === 'read' ? down() : call()))],
    ['R2 is down', () => (world.storeIsDown = true)],
  ])('is refused with 503 where it needs a store while %s', async (_what, fail) => {
    fail()
    const statuses = new Set<number>()
    for (let check = 0; !statuses.has(400); check += 1) {
      const { status } = await realm.owner.api.post('/realm/verify', { after: `${check}:0` })
      statuses.add(status)
    }
    expect([...statuses].sort()).toEqual([200, 400, 503])
  })

  it('is for owners', async () => {
    const admin = await buildUser(realm, { role: 200 })
    const guest = await buildUser(realm, { role: 600 })
    const bot = await buildBot(realm, ann)
    for (const user of [ann, admin, guest, bot]) {
      const { status, body } = await user.api.post('/realm/verify')
      expect([status, body.msg]).toEqual([400, 'Must be an organization owner'])
    }
    expect((await realm.anonymous.post('/realm/verify')).status).toBe(401)
    const { owner: stranger } = await buildRealm()
    const { email, apiKey } = stranger
    const headers = { Authorization: `Basic ${btoa(`${email}:${apiKey}`)}` }
    expect((await realm.anonymous.request('POST', '/realm/verify', {}, { headers })).status).toBe(401)
  })

  it.each(['x', '999:0', '-1:0', '0'])('refuses the cursor %s, which no call has returned', async (after) => {
    const { status, body } = await realm.owner.api.post('/realm/verify', { after })
    expect([status, body.msg]).toEqual([400, 'Invalid after'])
  })

  it('knows for every table which rows it references, or why none', async () => {
    const names = await inRealm(realm, ({ parts }) =>
      parts.sql.all<{ name: string }>(
        `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'`,
      ),
    )
    expect(names.map(({ name }) => name).filter((name) => !TABLES_WITH_KNOWN_REFERENCES.has(name))).toEqual(
      [],
    )
  })

  it('reads every table that references rows by an integer', async () => {
    const keys = await inRealm(realm, ({ parts }) =>
      REFERENCES.map(({ table, key }) => [
        `${table}.${key}`,
        parts.sql.first<{ type: string }>(
          `SELECT type FROM pragma_table_info('${table}') WHERE name = '${key}'`,
        )?.type,
      ]),
    )
    expect(keys.filter(([, type]) => type !== 'INTEGER')).toEqual([])
  })
})

interface Damage {
  readonly damage: () => Promise<unknown>
  readonly finding: Partial<Finding>
  /** Whether the lost data cannot be derived from other data. */
  readonly isLost?: true
  /** Repairs the damage if data are lost. */
  readonly undo?: () => Promise<unknown>
}

const DAMAGES: Record<string, Damage> = {
  'a reaction of a message that is not there': {
    damage: () => sql(`INSERT INTO reaction VALUES (9999, 'unicode_emoji', '1f389', ?, 'tada', 1)`, ann.id),
    finding: { check: 'reaction.message_id', what: 'reaction 9999' },
  },
  'a flag of nobody': {
    damage: () => sql(`INSERT INTO message_flag VALUES (9999, ?, 1)`, messageIds[0]!),
    finding: { check: 'message_flag.user_id' },
  },
  'a subscription to a channel that is not there': {
    damage: () =>
      sql(
        `INSERT INTO subscription (channel_id, user_id, is_active, since_event, since_message, color) VALUES (9999, ?, 1, 1, 1, '')`,
        ann.id,
      ),
    finding: { check: 'subscription.channel_id' },
  },
  'a draft of nobody': {
    damage: () =>
      sql(
        `INSERT INTO draft (user_id, type, recipients, topic, content, edited_at) VALUES (9999, '', '[]', '', '', 1)`,
      ),
    finding: { check: 'draft.user_id' },
  },
  'a message that cannot be searched': {
    damage: () => d1('DELETE FROM message_search WHERE rowid = ?', rowid(messageIds[2]!)),
    finding: { check: 'bodies', problem: 'it cannot be searched' },
  },
  'a text of no message': {
    damage: () => d1(`INSERT INTO message_body VALUES (?, 5000, 0, 'x', 'x', '[]')`, realm.id),
    finding: { check: 'bodies', what: 'message 5000' },
  },
  'a search entry of no message': {
    damage: () => d1(`INSERT INTO message_search (rowid, text) VALUES (?, 'nothing')`, rowid(900)),
    finding: { check: 'bodies', what: 'message 900' },
  },
  'a text of another version': {
    damage: () => sql('UPDATE message_index SET version = 7 WHERE id = ?', messageIds[2]!),
    finding: { check: 'bodies', problem: 'D1 has version 0 of its text, and not 7' },
  },
  'a message that is found by another text': {
    damage: () =>
      d1(
        `INSERT OR REPLACE INTO message_search (rowid, text) VALUES (?, 'something else')`,
        rowid(messageIds[1]!),
      ),
    finding: { check: 'search', problem: 'it is not found by its text' },
  },
  'a message that is found by more than its text': {
    damage: () =>
      d1(
        `INSERT OR REPLACE INTO message_search (rowid, text) VALUES (?, 'a note, and more')`,
        rowid(messageIds[4]!),
      ),
    finding: { check: 'search', problem: 'it is not found by its text' },
  },
  'drafts that are counted wrong': {
    damage: () => sql(`INSERT OR REPLACE INTO quota_use VALUES ('drafts', ?, 3, 40)`, ann.id),
    finding: { check: 'quotas', problem: '3 and 40 bytes are recorded, of 0 and 0' },
  },
  'channels that are counted wrong for the organization': {
    damage: () => sql(`UPDATE quota_use SET bytes = bytes + 7 WHERE kind = 'channels' AND account_id = 0`),
    finding: { check: 'quotas', what: 'channels of the organization' },
  },
  'an account that D1 does not have': {
    damage: () => mainD1('DELETE FROM account WHERE realm_id = ? AND user_id = ?', realm.id, gone.id),
    finding: { check: 'accounts', problem: 'D1 does not have the account' },
  },
  'an account that D1 has otherwise': {
    damage: () =>
      mainD1(
        `UPDATE account SET full_name = 'x', role = 100, kind = 'generic_bot', is_active = 0, joined_at = 1,
           email_digest = 'x', key_digest = 'x', last_active_on = '2999-01-01' WHERE realm_id = ? AND user_id = ?`,
        realm.id,
        ann.id,
      ),
    finding: {
      check: 'accounts',
      problem: 'D1 has another name, role, kind, state, time of joining, address, key',
    },
  },
  'an account that is not there': {
    damage: () =>
      mainD1(
        `INSERT INTO account (realm_id, user_id, full_name, role, kind, is_active, joined_at, key_digest)
         VALUES (?, 9999, 'x', 400, 'person', 1, 1, 'x')`,
        realm.id,
      ),
    finding: { check: 'accounts', what: 'user 9999', problem: 'D1 has an account that is not there' },
  },
  'an organization that D1 believes to be closed': {
    damage: () => mainD1('UPDATE realm SET is_closed = 1 WHERE id = ?', realm.id),
    finding: { check: 'listing' },
  },
  'a floor above all messages': {
    damage: () => sql('UPDATE user SET read_floor = 100000 WHERE id = ?', ann.id),
    finding: { check: 'read messages' },
  },
  'a damaged block of what is read': {
    damage: () => sql(`INSERT INTO read_block VALUES (?, 77, x'00')`, ann.id),
    finding: { check: 'read messages' },
  },
  'subscribers that are not the set of a channel': {
    damage: () => sql(`UPDATE id_set SET ids = x'00000000' WHERE name LIKE 'subscribers %'`),
    finding: { check: 'sets of accounts', problem: 'its rows say otherwise' },
  },
  'space that is not taken': {
    damage: () => sql(`UPDATE meta SET value = value + 5 WHERE key = 'upload_space_used'`),
    finding: { check: 'upload space' },
  },
  'what D1 has refused': {
    damage: () =>
      sql(
        `INSERT INTO refused_entry VALUES (1, 0, 1, 'too big', '[]', '[{"statement":"forget-message-text","row":[1]}]')`,
      ).then(() => sql(`UPDATE refused_entry SET writes = '[]'`)),
    finding: { check: 'refused by D1', what: 'log 1' },
  },
  'a D1 that was restored': {
    damage: () => sql(`INSERT OR REPLACE INTO meta VALUES ('d1_restored', '{"kind":"behind"}')`),
    finding: { check: 'restored' },
  },
  'a period that ends before it begins': {
    damage: () => sql(`INSERT INTO subscription_period VALUES (?, 1, 500, 400, 1, 2)`, ann.id),
    finding: { check: 'subscription periods' },
    isLost: true,
    undo: () => sql(`DELETE FROM subscription_period WHERE since_event = 500 AND until_event = 400`),
  },
  'a participant without the conversation': {
    damage: () => sql('DELETE FROM conversation_member WHERE user_id = ?', ann.id),
    finding: { check: 'participants', problem: 'the conversation is not among theirs' },
  },
  'a conversation of others': {
    damage: () =>
      sql(
        `INSERT INTO conversation_member (user_id, conversation_id) SELECT ?, id FROM conversation WHERE members = ?`,
        realm.owner.id,
        `${ann.id}`,
      ),
    finding: { check: 'conversations', problem: 'the conversation is between others' },
  },
  'a message in a topic of another channel': {
    damage: () =>
      sql('UPDATE message_index SET recipient_id = recipient_id + 3 WHERE id = ?', messageIds[1]!),
    finding: { check: 'recipients' },
    isLost: true,
    undo: () => sql('UPDATE message_index SET recipient_id = recipient_id - 3 WHERE id = ?', messageIds[1]!),
  },
  'an entry of the log that cannot be read': {
    damage: () =>
      sql(
        `UPDATE log SET audience = 'broken' || audience WHERE id = (SELECT MIN(id) FROM log WHERE event IS NOT NULL)`,
      ),
    finding: { check: 'log' },
    isLost: true,
    undo: () => sql(`UPDATE log SET audience = substr(audience, 7) WHERE audience LIKE 'broken%'`),
  },
  'an entry of the log that is missing': {
    damage: () =>
      sql(`UPDATE log SET id = -id WHERE id = (SELECT id FROM log ORDER BY id DESC LIMIT 1 OFFSET 3)`),
    finding: { check: 'log', problem: 'the entry before it is missing' },
    isLost: true,
    undo: () => sql(`UPDATE log SET id = -id WHERE id < 0`),
  },
}

describe('of damaged data', () => {
  it('each defect is found, repaired if possible, and nothing else is changed', async () => {
    for (const { damage } of Object.values(DAMAGES)) await damage()
    const found = await verify()
    for (const [what, { finding }] of Object.entries(DAMAGES)) {
      expect(found, what).toContainEqual(expect.objectContaining({ ...finding, repaired: false }))
    }
    const repaired = await verify(true)
    for (const [what, { finding, isLost }] of Object.entries(DAMAGES)) {
      expect(repaired, what).toContainEqual(expect.objectContaining({ ...finding, repaired: !isLost }))
    }
    for (const { undo } of Object.values(DAMAGES)) await undo?.()
    await untilWritten()
    expect(await verify()).toEqual([])
  })

  it('a message can be searched again after the repair', async () => {
    const search = async () => {
      const narrow = [{ operator: 'search', operand: 'directly' }]
      const asked = { anchor: 'newest', num_before: 5, num_after: 0, narrow }
      return expectSuccess(await ann.api.get('/messages', asked)).messages.length
    }
    await d1('DELETE FROM message_search WHERE rowid = ?', rowid(messageIds[3]!))
    expect(await search()).toBe(0)
    await verify(true)
    await untilWritten()
    expect(await search()).toBe(1)
  })

  it('a posting gets its missing messages', async () => {
    const { realm: other } = await buildRealm()
    await sendDirect(other.owner, [other.owner])
    const checked = async (repair: boolean) => {
      const found: Finding[] = []
      for (let after: string | undefined = '0:0'; after !== undefined; ) {
        const answer = expectSuccess(await other.owner.api.post('/realm/verify', { after, repair }))
        found.push(...answer.findings.filter(({ check }: Finding) => check === 'postings'))
        after = answer.next ?? undefined
      }
      return found
    }
    await changeRealm(other, (tx) => {
      tx.sql.run(`INSERT OR REPLACE INTO meta VALUES ('posted_below', 4096)`)
    })
    expect(await checked(false)).toMatchObject([{ what: 'messages from 0', repaired: false }])
    expect(await checked(true)).toMatchObject([{ repaired: true }])
    expect(await checked(false)).toEqual([])
  })

  it('lost texts and files are reported, and stay lost', async () => {
    const other = messageIds[0]!
    const row = await bodyDatabase
      .prepare('SELECT * FROM message_body WHERE realm_id = ? AND message_id = ?')
      .bind(realm.id, other)
      .first<Record<string, unknown>>()
    await d1('DELETE FROM message_body WHERE realm_id = ? AND message_id = ?', realm.id, other)
    const { objects } = await env.UPLOADS.list({ prefix: `user_uploads/${realm.id}/` })
    const file = await (await env.UPLOADS.get(objects[0]!.key))!.arrayBuffer()
    await env.UPLOADS.delete(objects[0]!.key)
    const lost = [
      expect.objectContaining({ what: `message ${other}`, problem: 'its text is lost', repaired: false }),
      expect.objectContaining({ check: 'files', problem: 'is not in R2', repaired: false }),
    ]
    expect(await verify(true)).toEqual(expect.arrayContaining(lost))
    await d1('INSERT INTO message_body VALUES (?, ?, ?, ?, ?, ?)', ...Object.values(row!))
    await env.UPLOADS.put(objects[0]!.key, file)
    expect(await verify()).toEqual([])
  })
})

describe('POST /setup/verify', () => {
  const ask = async (ticket: string, host = realm.host) => {
    const body = JSON.stringify({ ticket, host })
    const page = await visit(`http://${realm.host}/setup/verify`, { method: 'POST', body })
    return { status: page.status, body: fromJson(page.text) }
  }

  it('accepts a ticket from D1 for ten minutes', async () => {
    const ticket = crypto.randomUUID()
    expect((await ask(ticket)).status).toBe(401)
    const now = Math.floor(Date.now() / 1_000)
    await mainD1(
      'INSERT INTO organization_ticket (digest, created_at, host) VALUES (?, ?, ?)',
      await sha256Hex(ticket),
      now,
      realm.host,
    )
    expect(await ask(ticket)).toMatchObject({ status: 200, body: { findings: [], next: '7:0' } })
    world.bodyDatabases = 1
    // The deployment has no setting for the location, and the local runtime does not know one.
    expect((await ask(ticket)).body.place).toEqual({
      ...{ location: null, jurisdiction: null, d1_region: null, stores_jurisdiction: null },
      d1_for_texts: [{ name: 'BODIES_1', region: null }],
    })
    expect(await ask(ticket)).toMatchObject({ status: 200 })
    expect((await ask(ticket, 'nowhere.test')).status).toBe(401)
    await mainD1('UPDATE organization_ticket SET created_at = ?', now - 601)
    expect((await ask(ticket)).status).toBe(401)
  })
})

it('verification deletes unreferenced old files in R2, and reports missing images', async () => {
  const secret = (digit: string) => digit.repeat(32)
  const orphans = [
    `user_uploads/${realm.id}/ab/${secret('a')}`,
    `user_uploads/${realm.id}/ab/${secret('a')}/840x560.webp`,
    `images/${realm.id}/${secret('b')}`,
    `images/${realm.id}/${secret('b')}-medium`,
    `exports/${realm.id}/${secret('c')}/archive`,
  ]
  for (const key of orphans) await env.UPLOADS.put(key, 'lost')
  const keys = async () => (await env.UPLOADS.list()).objects.map(({ key }) => key)
  const before = await keys()
  expect(await verify()).toEqual([])
  world.clockOffset = 2 * DAY
  const found = orphans
    .toSorted()
    .map((key) => ({ check: 'files in R2', what: `file ${key}`, problem: 'is named by nothing' }))
  const listed = (findings: Finding[]) => findings.toSorted((a, b) => (a.what < b.what ? -1 : 1))
  expect(listed(await verify())).toEqual(found.map((each) => ({ ...each, repaired: false })))
  expect(listed(await verify(true))).toEqual(found.map((each) => ({ ...each, repaired: true })))
  expect(await verify()).toEqual([])
  world.clockOffset += 2
  await runDurableObjectAlarm(realmStub(realm.id))
  expect(await keys()).toEqual(before.filter((key) => !orphans.includes(key)))
  const path = `/user_avatars/${realm.id}/${secret('d')}.png`
  await sql(`UPDATE user SET avatar_path = ? WHERE id = ?`, path, ann.id)
  const missing = { check: 'files in R2', problem: 'is not in R2', repaired: false }
  expect(await verify(true)).toEqual([{ ...missing, what: `file images/${realm.id}/${secret('d')}` }])
  await sql(`UPDATE user SET avatar_path = NULL WHERE id = ?`, ann.id)
})
