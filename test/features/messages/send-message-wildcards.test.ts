import { describe, expect, it } from 'vitest'
import { buildChannel, buildUsers, expectSuccess } from '../../support/factories.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann } = useRealm({ ann: 'member' })
/** Adds fifteen people, with whom and Ann a channel has one subscriber more than everybody may mention. */
const buildCrowd = () => buildUsers(realm, Array(15).fill({}))

function send(to: number, content: string, user = ann, topic = 't') {
  return user.api.post('/messages', { type: 'channel', to, topic, content })
}

describe('a wildcard mention', () => {
  it('of a channel with over 15 subscribers needs the permission', async () => {
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

  it('of a topic with over 15 participants needs the permission', async () => {
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
})
