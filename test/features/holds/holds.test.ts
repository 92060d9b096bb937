import { describe, expect, it } from 'vitest'
import { runAlarms } from '../../support/alarms.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { buildChannel, expectSuccess, type TestChannel, type TestUser } from '../../support/factories.ts'
import { headOf, importArchive, runUntil } from '../../support/imports.ts'
import { sendDirect, sendTo } from '../../support/messages.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { DAY } from '../../support/times.ts'
import { readStatus, upload } from '../../support/uploads.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, admin, moderator, ann, ben, guest } = useRealmPerTest({
  admin: 'administrator',
  moderator: 'moderator',
  ann: 'member',
  ben: 'member',
  guest: 'guest',
})

type Subject = { readonly user_id: number } | { readonly stream_id: number }

async function hold(subject: Subject): Promise<number> {
  return expectSuccess(await realm.owner.api.post('/realm/holds', { ...subject, reason: 'Case 12' })).id
}

const release = async (id: number) => expectSuccess(await realm.owner.api.delete(`/realm/holds/${id}`))

async function isThere(reader: TestUser, id: number): Promise<boolean> {
  return (await reader.api.get(`/messages/${id}`)).status === 200
}

const HELD_MESSAGE = 'This message is on hold, so it cannot be deleted.'
const HELD_FILE = 'This file is on hold, so it cannot be deleted.'

describe('holds', () => {
  it('are placed, listed and released by owners alone', async () => {
    for (const user of [admin, moderator, ann, guest]) {
      const refusals = [
        await user.api.get('/realm/holds'),
        await user.api.post('/realm/holds', { user_id: ben.id, reason: 'x' }),
        await user.api.delete('/realm/holds/1'),
      ]
      for (const refused of refusals)
        expectRefusal(refused, 'Must be an organization owner', { code: 'UNAUTHORIZED_PRINCIPAL' })
    }
    expect((await realm.anonymous.get('/realm/holds')).status).toBe(401)
    const channel = await buildChannel([realm.owner, ann])
    const [first, second] = [await hold({ user_id: ann.id }), await hold({ stream_id: channel.id })]
    const { holds } = expectSuccess(await realm.owner.api.get('/realm/holds'))
    const common = { reason: 'Case 12', acting_user_id: realm.owner.id, placed_at: expect.any(Number) }
    expect(holds).toEqual([
      { id: first, user_id: ann.id, stream_id: null, ...common },
      { id: second, user_id: null, stream_id: channel.id, ...common },
    ])
    await release(first)
    expect(expectSuccess(await realm.owner.api.get('/realm/holds')).holds).toHaveLength(1)
    expectRefusal(await realm.owner.api.delete(`/realm/holds/${first}`), 'There is no such hold.')
    const { entries } = expectSuccess(await realm.owner.api.get('/audit_log', { limit: 3 }))
    expect(entries).toMatchObject([
      { action: 'hold_released', details: { hold_id: first, user_id: ann.id, stream_id: null } },
      { action: 'hold_placed', details: { hold_id: second, user_id: null, stream_id: channel.id } },
      { action: 'hold_placed', details: { hold_id: first, user_id: ann.id, stream_id: null } },
    ])
    expect(JSON.stringify(entries)).not.toContain('Case 12')
  })

  it('name one person or channel that is there and not yet held, and a reason', async () => {
    const ask = (params: object) => realm.owner.api.post('/realm/holds', { reason: 'x', ...params })
    expectRefusal(await ask({}), 'Name either a user or a channel.')
    expectRefusal(await ask({ user_id: ann.id, stream_id: 1 }), 'Name either a user or a channel.')
    expectRefusal(await ask({ user_id: 9_999 }), 'No such user')
    expectRefusal(await ask({ stream_id: 9_999 }), 'Invalid channel ID')
    expectRefusal(await ask({ user_id: ann.id, reason: ' ' }), 'Say why.')
    await hold({ user_id: ann.id })
    expectRefusal(await ask({ user_id: ann.id }), 'This is on hold already.')
  })
})

describe('what is on hold', () => {
  it('is deleted by nobody: messages of a person, and of a channel', async () => {
    const [held, open] = [await buildChannel([ann, ben, realm.owner]), await buildChannel([ann, ben])]
    const byAnn = await sendTo(ann, open.id, 'plans', 'one')
    const byBen = await sendTo(ben, held.id, 'plans', 'two')
    const direct = await sendDirect(ben, [ann], 'three')
    const free = await sendTo(ben, open.id, 'plans', 'four')
    const elsewhere = await sendDirect(ben, [guest], 'five')
    const holds = [await hold({ user_id: ann.id }), await hold({ stream_id: held.id })]
    const all: [TestUser, number][] = [
      [admin, byAnn],
      [realm.owner, byAnn],
      [admin, byBen],
      [realm.owner, byBen],
    ]
    for (const [user, id] of all) expectRefusal(await user.api.delete(`/messages/${id}`), HELD_MESSAGE)
    expectSuccess(await realm.owner.api.patch('/realm', { can_delete_own_message_group: { new: 5 } }))
    for (const [user, id] of [
      [ann, byAnn],
      [ben, byBen],
      [ben, direct],
    ] as const) {
      const refused = await user.api.delete(`/messages/${id}`)
      expectRefusal(refused, HELD_MESSAGE)
      expect(JSON.stringify(refused.body)).not.toContain('Case')
    }
    for (const id of [free, elsewhere]) expectSuccess(await ben.api.delete(`/messages/${id}`))
    for (const id of holds) await release(id)
    for (const [user, id] of [
      [ann, byAnn],
      [ben, byBen],
      [ben, direct],
    ] as const)
      expectSuccess(await user.api.delete(`/messages/${id}`))
  })

  it('keeps a topic from being deleted, until it is released', async () => {
    const channel = await buildChannel([admin, ann, ben])
    const ids = [await sendTo(ann, channel.id, 'plans', 'one'), await sendTo(ben, channel.id, 'plans', 'two')]
    const id = await hold({ user_id: ann.id })
    const remove = () => admin.api.post(`/streams/${channel.id}/delete_topic`, { topic_name: 'plans' })
    expectRefusal(await remove(), 'Some of these messages are on hold, so they cannot be deleted.')
    for (const message of ids) expect(await isThere(admin, message)).toBe(true)
    await release(id)
    expectSuccess(await remove())
    for (const message of ids) expect(await isThere(admin, message)).toBe(false)
  })

  it('outlives its retention period, and goes with the first run after the release', async () => {
    const [old, held] = [await buildChannel([realm.owner, ann, ben]), await buildChannel([realm.owner, ben])]
    for (const { id } of [old, held])
      expectSuccess(await realm.owner.api.patch(`/streams/${id}`, { message_retention_days: 2 }))
    const file = await upload(ann, { name: 'held.txt', content: 'held' })
    const kept = await sendTo(ann, old.id, 'plans', `by the held one [a](${file})`)
    const gone = await sendTo(ben, old.id, 'plans', 'by another')
    const inHeld = await sendTo(ben, held.id, 'plans', 'in the held channel')
    const holds = [await hold({ user_id: ann.id }), await hold({ stream_id: held.id })]
    await passDays(4)
    expect([await isThere(ben, kept), await isThere(ben, gone), await isThere(ben, inHeld)]).toEqual([
      true,
      false,
      true,
    ])
    expect(await readStatus(realm, file, ann)).toBe(200)
    for (const id of holds) await release(id)
    await passDays(2)
    expect([await isThere(ben, kept), await isThere(ben, inHeld)]).toEqual([false, false])
    expect(await readStatus(realm, file, ann)).toBe(404)
  })

  it('keeps its earlier versions, with their files, when it is edited', async () => {
    const channel = await buildChannel([ann, ben])
    const file = await upload(ann, { name: 'first.txt', content: 'first' })
    await hold({ stream_id: channel.id })
    const id = await sendTo(ann, channel.id, 'plans', `the first text [a](${file})`)
    const edited = await ann.api.patch(`/messages/${id}`, { content: 'the second text' })
    expect(expectSuccess(edited).detached_uploads).toEqual([])
    await passDays(40)
    const { message_history } = expectSuccess(await ben.api.get(`/messages/${id}/history`))
    expect(message_history[0].content).toContain('the first text')
    expect(await readStatus(realm, file, ben)).toBe(200)
  })

  it('keeps files: of a held person, and those that held messages link to', async () => {
    const channel = await buildChannel([ann, ben])
    const [own, linked, free] = [
      await upload(ann, { name: 'own.txt', content: 'own' }),
      await upload(ben, { name: 'linked.txt', content: 'linked' }),
      await upload(ben, { name: 'free.txt', content: 'free' }),
    ]
    await sendTo(ben, channel.id, 'plans', `[a](${linked})`)
    const holds = [await hold({ user_id: ann.id }), await hold({ stream_id: channel.id })]
    const remove = async (user: TestUser, name: string) => {
      const { attachments } = expectSuccess(await user.api.get('/attachments'))
      const found = attachments.find((one: { name: string }) => one.name === name)
      return user.api.delete(`/attachments/${found.id}`)
    }
    expectRefusal(await remove(ann, 'own.txt'), HELD_FILE)
    expectRefusal(await remove(ben, 'linked.txt'), HELD_FILE)
    expectSuccess(await remove(ben, 'free.txt'))
    // Files without a message are deleted after a month.
    await passDays(40)
    expect([await readStatus(realm, own, ann), await readStatus(realm, free, ben)]).toEqual([200, 404])
    for (const id of holds) await release(id)
    expectSuccess(await remove(ben, 'linked.txt'))
    await passDays(40)
    expect(await readStatus(realm, own, ann)).toBe(404)
  })

  it('does not leave its channel, but may change its topic', async () => {
    const [held, other]: TestChannel[] = [await buildChannel([admin, ann]), await buildChannel([admin, ann])]
    const id = await sendTo(ann, held!.id, 'plans', 'one')
    await hold({ stream_id: held!.id })
    expectRefusal(
      await admin.api.patch(`/messages/${id}`, { stream_id: other!.id }),
      'This channel is on hold, so its messages cannot leave it.',
    )
    expectSuccess(await admin.api.patch(`/messages/${id}`, { topic: 'other plans' }))
    const back = await sendTo(ann, other!.id, 'plans', 'two')
    expectSuccess(await admin.api.patch(`/messages/${back}`, { stream_id: held!.id }))
  })

  it('keeps both notices where a topic is resolved and opened again', async () => {
    const channel = await buildChannel([realm.owner, ann])
    const id = await sendTo(ann, channel.id, 'plans', 'one')
    await hold({ stream_id: channel.id })
    for (const topic of ['✔ plans', 'plans'])
      expectSuccess(await ann.api.patch(`/messages/${id}`, { topic, propagate_mode: 'change_all' }))
    const { messages } = expectSuccess(
      await ann.api.get('/messages', {
        anchor: 'newest',
        num_before: 10,
        num_after: 0,
        narrow: [{ operator: 'channel', operand: channel.id }],
      }),
    )
    const notices = messages.filter(({ content }: { content: string }) => /resolved/.test(content))
    expect(notices).toHaveLength(2)
  })

  it('keeps an account from losing anything when it is closed', async () => {
    const channel = await buildChannel([ann, ben])
    const byAnn = await sendTo(ann, channel.id, 'plans', 'one')
    const byBen = await sendTo(ben, channel.id, 'plans', 'two')
    const id = await hold({ user_id: ann.id })
    const close = (user: TestUser, actions?: object) => admin.api.delete(`/users/${user.id}`, { actions })
    expectRefusal(
      await close(ann, { delete_profile: true }),
      'This account is on hold, so nothing of it can be deleted.',
    )
    expectSuccess(await close(ann))
    const inHeld = await hold({ stream_id: channel.id })
    expectSuccess(await close(ben, { delete_profile: true, delete_public_channel_messages: true }))
    expect([await isThere(guestless(), byAnn), await isThere(guestless(), byBen)]).toEqual([true, true])
    await release(id)
    await release(inHeld)
  })

  it('keeps imports from being undone, and waits for one that is', async () => {
    keepAlarmsAway()
    const lines = [
      headOf('test'),
      { type: 'user', id: 'u1', full_name: 'Ada Amsel', email: 'ada@example.org' },
    ]
    const { id: importId } = await importArchive(realm, lines)
    const undo = () => realm.owner.api.patch(`/imports/${importId}`, { action: 'undo' })
    const id = await hold({ user_id: ann.id })
    expectRefusal(await undo(), 'Something is on hold, so no import can be undone.')
    await release(id)
    expectSuccess(await undo())
    expectRefusal(
      await realm.owner.api.post('/realm/holds', { user_id: ann.id, reason: 'x' }),
      'An import is being undone: wait until that is over.',
    )
    await runUntil(realm, importId, 'undone')
    await hold({ user_id: ann.id })
  })

  it('is not edited so often that an earlier version would go', async () => {
    const channel = await buildChannel([ann, ben])
    const id = await sendTo(ann, channel.id, 'plans', 'the first text')
    await hold({ stream_id: channel.id })
    const long = (n: number) => `${n} ${'\n'.repeat(4_000)}${'"<&'.repeat(1_900)}`
    let edits = 0
    let answer = await ann.api.patch(`/messages/${id}`, { content: long(edits) })
    while (answer.status === 200 && edits < 60) {
      edits += 1
      answer = await ann.api.patch(`/messages/${id}`, { content: long(edits) })
    }
    expectRefusal(answer, 'This message is on hold and has too many earlier versions to be edited.')
    expect(edits).toBeGreaterThan(3)
    const { message_history } = expectSuccess(await ben.api.get(`/messages/${id}/history`))
    expect(message_history).toHaveLength(edits + 1)
    expect(message_history[0].content).toBe('the first text')
  })

  it('keeps the organization from being deleted, but not from being closed', async () => {
    const id = await hold({ user_id: ann.id })
    const close = (days: number | null) =>
      realm.owner.api.post('/realm/deactivate', { deletion_delay_days: days })
    expectRefusal(await close(14), 'Something is on hold, so the organization cannot be deleted.')
    await release(id)
    await hold({ user_id: ann.id })
    expectSuccess(await close(null))
  })
})

/** Who may read what members may read, and is neither of the two. */
function guestless(): TestUser {
  return realm.owner
}

async function passDays(days: number): Promise<void> {
  world.clockOffset += days * DAY
  await runAlarms(realm, 6, 2)
}
