import { beforeEach, describe, expect, it, vi } from 'vitest'
import { makeBackup, runUntil } from '../../support/backups.ts'
import { contentsIn, copy, enter } from '../../support/copies.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import {
  buildChannel,
  buildUser,
  expectSuccess,
  type TestRealm,
  type TestUser,
} from '../../support/factories.ts'
import { inRealm } from '../../support/inside.ts'
import { restore, runToEnd } from '../../support/listed-backups.ts'
import { sendTo } from '../../support/messages.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { buildRealm } from '../../support/use-realm.ts'

beforeEach(() => {
  keepAlarmsAway()
  for (const level of ['error', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {})
})

async function move({ api }: TestUser, id: number, to: number): Promise<void> {
  expectSuccess(await api.patch(`/messages/${id}`, { stream_id: to, propagate_mode: 'change_all' }))
}

/** An organization with two owners, a channel that both read, and one that only one of them does. */
async function withClosedChannel() {
  const { realm: of } = await buildRealm()
  const second = await buildUser(of, { role: 100 })
  const open = await buildChannel([of.owner, second])
  const closed = await buildChannel([of.owner], { invite_only: true })
  return { of, second, open, closed }
}

/** Makes a copy of a backup, and returns the texts that each of two owners sees in it. */
async function seenInCopy(
  of: TestRealm,
  second: TestUser,
  backup: number,
): Promise<readonly Map<number, string>[]> {
  const made = await copy(of, backup)
  const { url } = expectSuccess(await second.api.post(`/backups/${backup}/copy`))
  return [await contentsIn(await enter(made)), await contentsIn(await enter({ host: made.host, link: url }))]
}

describe('a copy of a backup', () => {
  it('has no message that was moved since to where not all owners read', async () => {
    const { realm: of } = await buildRealm()
    const second = await buildUser(of, { role: 100 })
    const open = await buildChannel([of.owner, second])
    const other = await buildChannel([of.owner, second])
    const closed = await buildChannel([of.owner], { invite_only: true })
    const shared = await buildChannel([of.owner, second], {
      invite_only: true,
      history_public_to_subscribers: true,
    })
    const sharedLately = await buildChannel([of.owner, second], {
      invite_only: true,
      history_public_to_subscribers: false,
    })
    const [hidden, alsoHidden, late] = [
      await sendTo(of.owner, open.id, 'secret', 'now in private'),
      await sendTo(of.owner, open.id, 'secret', 'moved with it'),
      await sendTo(of.owner, open.id, 'lately', 'now with a protected history'),
    ]
    const there = await sendTo(of.owner, closed.id, 'there', 'in private then and now')
    const shown = [
      await sendTo(of.owner, open.id, 'joint', 'now where both read'),
      await sendTo(of.owner, open.id, 'open', 'now in another open channel'),
      await sendTo(of.owner, open.id, 'back', 'moved and moved back'),
    ]
    const backup = await makeBackup(of)
    const move = async (id: number, to: number) =>
      expectSuccess(
        await of.owner.api.patch(`/messages/${id}`, { stream_id: to, propagate_mode: 'change_all' }),
      )
    await move(hidden, other.id)
    await move(hidden, closed.id)
    await move(late, sharedLately.id)
    await move(shown[0]!, shared.id)
    await move(shown[1]!, other.id)
    await move(shown[2]!, closed.id)
    await move(shown[2]!, open.id)
    const made = await copy(of, backup)
    const { url } = expectSuccess(await second.api.post(`/backups/${backup}/copy`))
    const [inFirst, inSecond] = [await enter(made), await enter({ host: made.host, link: url })]
    for (const browser of [inFirst, inSecond]) {
      for (const id of [hidden, alsoHidden, late])
        expectRefusal(await browser.json('GET', `/messages/${id}`), 'Invalid message(s)')
      for (const id of shown) expectSuccess(await browser.json('GET', `/messages/${id}`))
      const contents = [...(await contentsIn(browser)).values()]
      expect(contents).not.toContain('moved with it')
    }
    expectSuccess(await inFirst.json('GET', `/messages/${there}`))
  })

  it('has no message that was moved there and is deleted, but others that are deleted', async () => {
    const { of, second, open, closed } = await withClosedChannel()
    const other = await buildChannel([of.owner, second])
    const moved = await sendTo(of.owner, open.id, 'secret', 'moved and deleted')
    const shown = [
      await sendTo(of.owner, open.id, 'plans', 'deleted where it was'),
      await sendTo(of.owner, open.id, 'boats', 'deleted in another open channel'),
    ]
    const backup = await makeBackup(of)
    await move(of.owner, moved, other.id)
    await move(of.owner, moved, closed.id)
    await move(of.owner, shown[1]!, other.id)
    for (const id of [moved, ...shown]) expectSuccess(await of.owner.api.delete(`/messages/${id}`))
    for (const seen of await seenInCopy(of, second, backup)) {
      expect(seen.has(moved)).toBe(false)
      for (const id of shown) expect(seen.has(id)).toBe(true)
    }
  })

  it('has no message elsewhere that is in a closed channel again since a restore', async () => {
    const { of, second, open, closed } = await withClosedChannel()
    const other = await buildChannel([of.owner, second])
    const secret = await sendTo(of.owner, closed.id, 'secret', 'in private today')
    const plain = await sendTo(of.owner, open.id, 'plans', 'open then and now')
    const first = await makeBackup(of)
    await move(of.owner, secret, open.id)
    await move(of.owner, secret, other.id)
    await move(of.owner, plain, other.id)
    const { archive_id } = await restore(of, first)
    await runToEnd(of)
    for (const seen of await seenInCopy(of, second, archive_id!)) {
      expect(seen.has(secret)).toBe(false)
      expect(seen.get(plain)).toBe('open then and now')
    }
    const [inFirst] = await seenInCopy(of, second, first)
    expect(inFirst!.has(secret)).toBe(true)
  })

  it('is not made if too many messages were moved and deleted to name them', async () => {
    const { of, closed } = await withClosedChannel()
    const backup = await makeBackup(of)
    await inRealm(of, (_, { storage }) => {
      storage.sql.exec(
        `WITH RECURSIVE id (value) AS (SELECT 1000000 UNION ALL SELECT value + 1 FROM id WHERE value < 1100000)
         INSERT INTO moved_and_deleted SELECT value, ?, 4000000000 FROM id`,
        closed.id,
      )
    })
    expectRefusal(
      await of.owner.api.post(`/backups/${backup}/copy`),
      'Too many messages were moved since to channels that not all owners read: a copy cannot leave them out.',
    )
  })
})

describe('a message that was moved to a private channel and deleted there', () => {
  it('is not given back, nor listed to who could not read it', async () => {
    const { of, second, open, closed } = await withClosedChannel()
    const moved = await sendTo(of.owner, open.id, 'secret', 'moved and deleted')
    const gone = await sendTo(of.owner, open.id, 'secret', 'deleted where it was')
    const backup = await makeBackup(of)
    expectSuccess(
      await of.owner.api.patch(`/messages/${moved}`, { stream_id: closed.id, propagate_mode: 'change_one' }),
    )
    for (const id of [moved, gone]) expectSuccess(await of.owner.api.delete(`/messages/${id}`))
    expectSuccess(await second.api.post(`/backups/${backup}/differences`))
    const differences = async ({ api }: TestUser) =>
      expectSuccess(await api.get(`/backups/${backup}/differences`))
    const isCompared = async () => (await differences(second)).finished_at !== null
    await runUntil(of.id, isCompared)
    const idsFor = async (user: TestUser) =>
      (await differences(user)).differences.map(({ id }: { id: number }) => id)
    expect(await idsFor(second)).toEqual([gone])
    expect(await idsFor(of.owner)).toEqual([moved, gone])
    expectSuccess(await of.owner.api.post(`/backups/${backup}/parts`, { stream_id: open.id }))
    const part = async () => expectSuccess(await of.owner.api.get(`/backups/${backup}/parts`)).parts[0]
    await runUntil(of.id, async () => (await part()).finished_at !== null)
    expect((await part()).counts).toMatchObject({ messages: 1, hidden: 1 })
    expectSuccess(await of.owner.api.get(`/messages/${gone}`))
    expectRefusal(await of.owner.api.get(`/messages/${moved}`), 'Invalid message(s)')
  })
})
