import { describe, expect, it } from 'vitest'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { idsIn, sendDirect, sendTo } from '../../support/messages.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben, cid, channel } = useRealm(
  { ann: 'member', ben: 'member', cid: 'member' },
  { channels: { channel: ['ann', 'ben', 'cid'] } },
)
const named = ({ fullName, id }: TestUser) => `@**${fullName}|${id}** hello`
const mentions = (operand: string | number, negated = false) => ({ operator: 'mentions', operand, negated })
const inChannel = (...terms: object[]) => [{ operator: 'channel', operand: channel.id }, ...terms]

describe('the narrow mentions', () => {
  it('finds messages that mention a user by name, for every reader', async () => {
    const first = await sendTo(cid, channel.id, 'walls', named(ann))
    const other = await sendTo(cid, channel.id, 'walls', named(ben))
    const second = await sendTo(ann, channel.id, 'gates', named(ann))
    for (const reader of [ann, ben]) {
      expect(await idsIn(reader, [mentions(ann.id)])).toEqual([first, second])
      expect(await idsIn(reader, [mentions(ann.email)])).toEqual([first, second])
    }
    expect(await idsIn(ben, inChannel(mentions(ann.id), { operator: 'topic', operand: 'gates' }))).toEqual([
      second,
    ])
    const rest = await idsIn(ben, inChannel(mentions(ann.id, true), { operator: 'sender', operand: cid.id }))
    expect(rest).toEqual([other])
  })

  it('leaves out silent mentions, and those of groups and of everybody', async () => {
    const fay = await buildUser(realm)
    const { id } = await buildChannel([ann, fay])
    const group = { name: 'guards', description: '', members: [fay.id] }
    expectSuccess(await realm.owner.api.post('/user_groups/create', group))
    await sendTo(ann, id, 'walls', `@_**${fay.fullName}|${fay.id}** and @*guards* and @**all**`)
    expect(await idsIn(ann, [mentions(fay.id)])).toEqual([])
    const both = await sendTo(ann, id, 'walls', `@*guards* with ${named(fay)}`)
    expect(await idsIn(ann, [mentions(fay.id)])).toEqual([both])
  })

  it('leaves out mentions of people who did not receive the message', async () => {
    const gil = await buildUser(realm)
    const { id } = await buildChannel([ann])
    await sendTo(ann, id, 'walls', named(gil))
    expect(await idsIn(ann, [mentions(gil.id)])).toEqual([])
    expect(await idsIn(gil, [mentions(gil.id)])).toEqual([])
  })

  it('follows edits', async () => {
    const dan = await buildUser(realm)
    const { id } = await buildChannel([ann, dan])
    const message = await sendTo(ann, id, 'walls', 'nobody')
    expectSuccess(await ann.api.patch(`/messages/${message}`, { content: named(dan) }))
    expect(await idsIn(ann, [mentions(dan.id)])).toEqual([message])
    expectSuccess(await ann.api.patch(`/messages/${message}`, { content: 'nobody again' }))
    expect(await idsIn(ann, [mentions(dan.id)])).toEqual([])
  })

  it('finds only what the reader may read', async () => {
    const eve = await buildUser(realm)
    const secret = await buildChannel([cid, eve], { invite_only: true })
    await sendTo(cid, secret.id, 'walls', named(eve))
    await sendDirect(cid, [eve], named(eve))
    expect(await idsIn(ben, [mentions(eve.id)])).toEqual([])
    expect(await idsIn(eve, [mentions(eve.id)])).toHaveLength(2)
  })

  it('matches new messages, and changes flags', async () => {
    const id = await sendTo(cid, channel.id, 'towers', named(ben))
    const narrow = [mentions(ben.id)]
    const matched = await ann.api.get('/messages/matches_narrow', { msg_ids: [id], narrow })
    expect(Object.keys(expectSuccess(matched).messages)).toEqual([String(id)])
    const change = { anchor: id, num_before: 0, num_after: 0, narrow, op: 'add', flag: 'starred' }
    expect(expectSuccess(await ann.api.post('/messages/flags/narrow', change)).updated_count).toBe(1)
  })

  it('is refused for nobody, for other operands, and for queues', async () => {
    const ask = (operand: unknown) =>
      ann.api.get('/messages', {
        anchor: 'newest',
        num_before: 1,
        narrow: [{ operator: 'mentions', operand }],
      })
    const unknown = (desc: string) =>
      [`Invalid narrow operator: ${desc}`, { code: 'BAD_NARROW', desc }] as const
    expectRefusal(await ask(987_654), ...unknown('unknown user 987654'))
    expectRefusal(await ask('nobody@nowhere.test'), ...unknown('unknown user nobody@nowhere.test'))
    expect((await ask([ann.id])).body.msg).toMatch('operand is not a string or integer')
    expectRefusal(
      await ann.api.post('/register', { narrow: [['mentions', String(ann.id)]] }),
      'Operator mentions not supported.',
    )
  })
})
