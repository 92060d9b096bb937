import { describe, expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben, cid, channel } = useRealm(
  { ann: 'member', ben: 'member', cid: 'member' },
  { channels: { channel: ['ann', 'ben', 'cid'] } },
)

async function send(from: TestUser, params: Record<string, ParameterValue> = {}): Promise<number> {
  const message = { type: 'channel', to: channel.name, topic: 'receipts', content: 'read me' }
  return expectSuccess(await from.api.post('/messages', { ...message, ...params })).id
}

async function read(user: TestUser, id: number, op = 'add') {
  expectSuccess(await user.api.post('/messages/flags', { messages: [id], op, flag: 'read' }))
}

async function receipts(user: TestUser, id: number): Promise<number[]> {
  return expectSuccess(await user.api.get(`/messages/${id}/read_receipts`)).user_ids
}

describe('read receipts', () => {
  it('name who has read the message, and not its sender', async () => {
    const id = await send(ann, { read_by_sender: true })
    expect(await receipts(ann, id)).toEqual([])
    await read(cid, id)
    await read(ben, id)
    expect(await receipts(ann, id)).toEqual([ben.id, cid.id])
    expect(await receipts(ben, id)).toEqual([ben.id, cid.id])
    await read(ben, id, 'remove')
    expect(await receipts(ann, id)).toEqual([cid.id])
  })

  it('work in direct conversations', async () => {
    const id = await send(ann, { type: 'direct', to: [ben.id, cid.id] })
    await read(cid, id)
    expect(await receipts(ben, id)).toEqual([cid.id])
  })

  it('leave out people who were not sent the message, and closed accounts', async () => {
    const id = await send(ann)
    const dan = await buildUser(realm)
    expectSuccess(await dan.api.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] }))
    expect(await receipts(ann, id)).toEqual([])
    const later = await send(ann)
    await read(dan, later)
    expect(await receipts(ann, later)).toEqual([dan.id])
    expectSuccess(await realm.owner.api.delete(`/users/${dan.id}`))
    expect(await receipts(ann, later)).toEqual([])
  })

  it('leave out those who hide theirs, and pairs of whom one muted the other', async () => {
    const id = await send(ann)
    const [eve, fay, gil] = [await buildUser(realm), await buildUser(realm), await buildUser(realm)]
    for (const user of [eve, fay, gil]) {
      expectSuccess(
        await user.api.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] }),
      )
      expectSuccess(await user.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' }))
    }
    expect(await receipts(ann, id)).toEqual([eve.id, fay.id, gil.id])
    expectSuccess(await eve.api.patch('/settings', { send_read_receipts: false }))
    expectSuccess(await ann.api.post(`/users/me/muted_users/${fay.id}`))
    expectSuccess(await gil.api.post(`/users/me/muted_users/${ann.id}`))
    expect(await receipts(ann, id)).toEqual([])
    expect(await receipts(ben, id)).toEqual([fay.id, gil.id])
  })
})

describe('they are refused', () => {
  it('to whoever cannot see the message', async () => {
    const direct = await send(ann, { type: 'direct', to: [ben.id] })
    const guest = await buildUser(realm, { role: 600 })
    for (const [user, id] of [
      [cid, direct],
      [realm.owner, direct],
      [guest, await send(ann)],
      [ann, 999_999],
    ] as const) {
      const { status, body } = await user.api.get(`/messages/${id}/read_receipts`)
      expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', 'Invalid message(s)'])
    }
    expect((await realm.anonymous.get(`/messages/${direct}/read_receipts`)).status).toBe(401)
  })

  it('where the organization disables them, after the check of access', async () => {
    const { realm: other, member } = await buildRealm({ member: 'member' })
    const { id } = expectSuccess(
      await member.api.post('/messages', { type: 'direct', to: [member.id], content: 'note' }),
    )
    expectSuccess(await other.owner.api.patch('/realm', { enable_read_receipts: false }))
    expect((await member.api.get(`/messages/${id}/read_receipts`)).body.msg).toBe(
      'Read receipts are disabled in this organization.',
    )
    expect((await other.owner.api.get(`/messages/${id}/read_receipts`)).body.msg).toBe('Invalid message(s)')
  })
})
