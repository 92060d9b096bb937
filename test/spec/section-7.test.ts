import { describe, expect, it } from 'vitest'
import { buildChannel, buildUsers, expectSuccess } from '../support/factories.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm, ann } = useRealm({ ann: 'member' })
/** Adds fifteen people, with whom and Ann a channel has one subscriber more than everybody may mention. */
const buildCrowd = () => buildUsers(realm, Array(15).fill({}))

function send(to: number, content: string, user = ann, topic = 't') {
  return user.api.post('/messages', { type: 'channel', to, topic, content })
}

describe('7 Errors', () => {
  it('7.1 result, msg and code', async () => {
    const { body } = await ann.api.get('/messages/987654')
    expect(body).toEqual({ result: 'error', msg: 'Invalid message(s)', code: 'BAD_REQUEST' })
  })

  it('7.2 STREAM_DOES_NOT_EXIST: by id with stream_id, by name with stream', async () => {
    expect((await send(987_654, 'x')).body).toMatchObject({
      code: 'STREAM_DOES_NOT_EXIST',
      stream_id: 987_654,
      msg: "Channel with ID '987654' does not exist",
    })
    const byName = await ann.api.post('/messages', {
      type: 'stream',
      to: 'nowhere',
      topic: 't',
      content: 'x',
    })
    expect(byName.body).toMatchObject({
      code: 'STREAM_DOES_NOT_EXIST',
      stream: 'nowhere',
      msg: "Channel 'nowhere' does not exist",
    })
  })

  it('7.2 STREAM_WILDCARD_MENTION_NOT_ALLOWED: more than 15 subscribers need the permission', async () => {
    const crowd = await buildCrowd()
    const small = await buildChannel(crowd)
    const large = await buildChannel([ann, ...crowd])
    expectSuccess(await send(small.id, '@**all**', crowd[0]))
    const { status, body } = await send(large.id, '@**all**')
    expect([status, body.code, body.msg]).toEqual([
      400,
      'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
      'You do not have permission to use channel wildcard mentions in this channel.',
    ])
    expectSuccess(await send(large.id, '@**all**', realm.owner))
  })

  it('7.2 TOPIC_WILDCARD_MENTION_NOT_ALLOWED: more than 15 participants need the permission', async () => {
    const crowd = await buildCrowd()
    const channel = await buildChannel([ann, ...crowd])
    for (const user of crowd) expectSuccess(await send(channel.id, 'here', user, 'busy'))
    const { body } = await send(channel.id, '@**topic**', ann, 'busy')
    expect([body.code, body.msg]).toEqual([
      'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
      'You do not have permission to use topic wildcard mentions in this topic.',
    ])
    expectSuccess(await send(channel.id, '@**topic**', realm.owner, 'busy'))
    expectSuccess(await send(channel.id, '@**topic**', ann, 'quiet'))
  })

  it('7.2 UNAUTHORIZED_PRINCIPAL: HTTP 400', async () => {
    const { status, body } = await ann.api.post('/streams/1/delete_topic', { topic_name: 'x' })
    expect([status, body.code]).toEqual([400, 'UNAUTHORIZED_PRINCIPAL'])
  })

  it('7.4 an unknown path is a 404, a wrong method a 405, both in JSON', async () => {
    expect(await ann.api.get('/no/such/path')).toMatchObject({ status: 404, body: { code: 'BAD_REQUEST' } })
    const wrong = await ann.api.post('/streams', {})
    expect(wrong.status).toBe(405)
    expect(wrong.body).toMatchObject({
      code: 'BAD_REQUEST',
      allowed_methods: expect.arrayContaining(['GET']),
    })
    expect(wrong.headers.get('allow')).toContain('GET')
  })
})
