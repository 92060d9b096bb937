import { describe, expect, it } from 'vitest'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'

const { realm, ann, ben, channel } = useRealmPerTest(
  { ann: 'member', ben: 'member' },
  { channels: { channel: ['ann', 'ben'] } },
)

async function add(user: TestUser, ...alert_words: string[]): Promise<string[]> {
  return expectSuccess(await user.api.post('/users/me/alert_words', { alert_words })).alert_words
}

async function remove(user: TestUser, ...alert_words: string[]): Promise<string[]> {
  return expectSuccess(await user.api.delete('/users/me/alert_words', { alert_words })).alert_words
}

async function list(user: TestUser): Promise<string[]> {
  return expectSuccess(await user.api.get('/users/me/alert_words')).alert_words
}

async function send(from: TestUser, content: string) {
  const message = { type: 'channel', to: channel.name, topic: 'talk', content }
  return expectSuccess(await from.api.post('/messages', message)).id as number
}

describe('alert words', () => {
  it('are listed in full after every change, and sent to the user’s own clients only', async () => {
    const [anns, bens] = [await openQueue(ann), await openQueue(ben)]
    expect(await add(ann, 'deploy', ' on fire ')).toEqual(['deploy', 'on fire'])
    expect(await remove(ann, 'DEPLOY')).toEqual(['on fire'])
    expect((await anns.eventsOf('alert_words')).map(({ alert_words }) => alert_words)).toEqual([
      ['deploy', 'on fire'],
      ['on fire'],
    ])
    expect(await bens.events()).toEqual([])
    expect(await list(ann)).toEqual(['on fire'])
    expect(await list(ben)).toEqual([])
    const { snapshot } = await openQueue(ann, { fetch_event_types: ['alert_words'] })
    expect(snapshot.alert_words).toEqual(['on fire'])
  })

  it('ignore case, and adding one that exists emits no event', async () => {
    expect(await add(ann, 'Deploy', 'deploy')).toEqual(['Deploy'])
    const queue = await openQueue(ann)
    expect(await add(ann, 'DEPLOY')).toEqual(['Deploy'])
    expect(await remove(ann, 'never there')).toEqual(['Deploy'])
    expect(await queue.events()).toEqual([])
  })

  it('keep every character, whichever it is', async () => {
    const words = ['"quoted"', '\\back', 'a\u0000b', 'tab\there', '👩🏽‍🚀', 'İstanbul'].sort()
    expect((await add(ann, ...words)).toSorted()).toEqual(words)
    expect((await list(ann)).toSorted()).toEqual(words)
    expect(await remove(ann, ...words)).toEqual([])
  })

  it('flag messages of other people that contain them', async () => {
    await add(ann, 'deploy')
    const [anns, bens] = [await openQueue(ann), await openQueue(ben)]
    await send(ben, 'the Deploy is done')
    await send(ben, 'redeployment is not meant')
    await send(ann, 'my own deploy')
    const flags = async (queue: typeof anns) =>
      (await queue.eventsOf('message')).map((event) => event['flags'])
    expect(await flags(anns)).toEqual([['has_alert_word'], [], []])
    expect(await flags(bens)).toEqual([[], [], []])
  })

  it('apply to the next message after each change', async () => {
    const queue = await openQueue(ann)
    await send(ben, 'deploy')
    await add(ann, 'deploy')
    await send(ben, 'deploy')
    await remove(ann, 'deploy')
    await send(ben, 'deploy')
    expect((await queue.eventsOf('message')).map((event) => event['flags'])).toEqual([
      [],
      ['has_alert_word'],
      [],
    ])
  })

  it('flag nothing for users who do not receive the message', async () => {
    const outsider = await buildUser(realm)
    await add(outsider, 'deploy')
    const queue = await openQueue(outsider, { all_public_streams: true })
    await send(ben, 'deploy')
    expect((await queue.eventsOf('message')).map((event) => event['flags'])).toEqual([[]])
  })
})

describe('alert words are refused', () => {
  it('when too long, not a list, or without credentials', async () => {
    const tooLong = await ann.api.post('/users/me/alert_words', { alert_words: ['x'.repeat(101)] })
    expect(tooLong.body.msg).toBe('alert_words[0] is too long (limit: 100 characters)')
    expect((await ann.api.post('/users/me/alert_words', { alert_words: 'deploy' })).body.msg).toBe(
      'alert_words is not valid JSON',
    )
    expect((await ann.api.delete('/users/me/alert_words')).body.code).toBe('REQUEST_VARIABLE_MISSING')
    expect((await realm.anonymous.get('/users/me/alert_words')).status).toBe(401)
  })
})
