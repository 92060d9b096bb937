import { beforeEach, describe, expect, it, vi } from 'vitest'
import { runAlarms } from '../support/alarms.ts'
import { commitsFromNow, leftAfterFirstCommit } from '../support/commits.ts'
import { keepAlarmsAway } from '../support/exports.ts'
import { expectSuccess } from '../support/factories.ts'
import { insertInIndex } from '../support/inserted-messages.ts'
import { changeRealm, inRealm } from '../support/inside.ts'
import { CHANGES_OF_COMMIT } from '../support/limits.ts'
import { idsIn } from '../support/messages.ts'
import { mailedLink, postForm } from '../support/pages.ts'
import { openQueue } from '../support/queues.ts'
import { buildRealm } from '../support/use-realm.ts'

/*
 * The rest of a change of several commits (docs/reliability.md#changes-of-several-commits). That every such change ends is shown by
 * test/meter/large-changes.large.test.ts.
 */

const COUNT = 3 * CHANGES_OF_COMMIT

beforeEach(() => {
  keepAlarmsAway()
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})

/** An organization in which an administrator moves a long topic into a private channel. */
async function arrange() {
  const { realm, owner, boss, ann, from, to } = await buildRealm(
    { boss: 'administrator', ann: 'member' },
    {
      channels: { from: ['owner', 'boss', 'ann'], to: { subscribers: ['owner', 'boss'], invite_only: true } },
    },
  )
  const first = await insertInIndex(realm, owner, { channelId: from.id, topic: 'long', count: COUNT })
  const queue = await openQueue(ann, { event_types: ['delete_message'], fetch_event_types: [] })
  /** Returns the number of messages that Ann could read and was told to have lost. */
  const lost = async () =>
    (await queue.eventsOf('delete_message')).flatMap(({ message_ids }) => message_ids as number[]).length
  const move = (headers = {}) =>
    boss.api.request(
      'PATCH',
      `/messages/${first}`,
      { stream_id: to.id, propagate_mode: 'change_all', send_notification_to_new_thread: false },
      { headers },
    )
  const rows = () =>
    inRealm(realm, ({ parts: { sql } }) => [
      ...sql.values<string>(`SELECT key FROM meta WHERE key LIKE 'change%'`),
      ...sql.values<string>(`SELECT kind FROM job WHERE kind = 'finish-change'`),
    ])
  return { realm, owner, boss, ann, from, lost, move, rows }
}

describe('the rest of a change that a crash has cut', () => {
  it('follows as soon as the object is back, without another request', async () => {
    const { realm, lost, move, rows } = await arrange()
    expect(await leftAfterFirstCommit(move)).toBe(true)
    expect(await lost()).toBe(CHANGES_OF_COMMIT)
    // The object is back since the last request, some seconds ago.
    await runAlarms(realm, 1)
    expect(await lost()).toBe(COUNT - CHANGES_OF_COMMIT)
    expect(await rows()).toEqual([])
  })

  it('is given up with the account that asked, and leaves no row', async () => {
    const { realm, owner, boss, lost, move, rows } = await arrange()
    expect(await leftAfterFirstCommit(move)).toBe(true)
    expectSuccess(await owner.api.delete(`/users/${boss.id}`))
    await runAlarms(realm, 2, 70)
    expect(await lost()).toBe(CHANGES_OF_COMMIT)
    expect(await rows()).toEqual([])
  })

  it('follows though the account has another key by then', async () => {
    const { realm, boss, lost, move } = await arrange()
    expect(await leftAfterFirstCommit(move)).toBe(true)
    expectSuccess(await boss.api.post('/users/me/api_key/regenerate'))
    await runAlarms(realm, 2, 70)
    expect(await lost()).toBe(COUNT)
  })

  it('waits while the organization is closed', async () => {
    const { realm, owner, ann, from, move, rows } = await arrange()
    const readable = async () => (await idsIn(ann, [{ operator: 'channel', operand: from.id }])).length
    expect(await leftAfterFirstCommit(move)).toBe(true)
    expectSuccess(await owner.api.post('/realm/deactivate'))
    await runAlarms(realm, 2, 70)
    expect(await rows()).not.toEqual([])
    const page = `http://${realm.host}/accounts/reactivate`
    expect((await postForm(page, { email: owner.email })).status).toBe(200)
    await runAlarms(realm, 1, 2)
    const link = await mailedLink(realm.host, owner.email)
    expect((await postForm(link, {})).status).toBe(200)
    await runAlarms(realm, 1, 2)
    // Only the notice of the channel’s creation is left.
    expect(await readable()).toBe(1)
    expect(await rows()).toEqual([])
  })
})

it('a job passes over a change that its request continues', async () => {
  const { realm, lost, move, rows } = await arrange()
  const made = commitsFromNow()
  const moving = move()
  await made(1)
  await runAlarms(realm, 1, 70)
  expectSuccess(await moving)
  expect(await lost()).toBe(COUNT)
  expect(await rows()).toEqual([])
})

it('the same request with the same key waits for the first, and gets its answer', async () => {
  const { lost, move } = await arrange()
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  const made = commitsFromNow()
  const moving = move(headers)
  await made(1)
  const [first, second] = await Promise.all([moving, move(headers)])
  expect(expectSuccess(second)).toEqual(expectSuccess(first))
  expect(await lost()).toBe(COUNT)
})

it('an account that has eight changes under way begins no other', async () => {
  const { realm, boss, lost, move } = await arrange()
  await changeRealm(realm, ({ sql }) => {
    for (let at = 0; at < 8; at += 1) {
      sql.run(`INSERT INTO meta (key, value) VALUES (?, '{}')`, `change:${boss.id}:${at}`)
    }
  })
  expect((await move()).status).toBe(503)
  expect(await lost()).toBe(0)
  await changeRealm(realm, ({ sql }) => sql.run(`DELETE FROM meta WHERE key LIKE 'change:%:7'`))
  expectSuccess(await move())
})
