import { describe, expect, it } from 'vitest'
import { expectSuccess } from '../support/factories.ts'
import { PNG } from '../support/images.ts'
import { openQueue } from '../support/queues.ts'
import { postFiles } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm, ann, ben } = useRealm({ ann: 'member', ben: 'member' })

function update(params: Record<string, unknown>) {
  return ann.api.post('/users/me/status', params as Record<string, string>)
}

async function status() {
  return expectSuccess(await ben.api.get(`/users/${ann.id}/status`)).status
}

describe('4.13 Update your status', () => {
  it('what a request leaves out stays, and all who see the user get the event', async () => {
    expectSuccess(await update({ status_text: 'at lunch', emoji_name: 'car' }))
    expect(await status()).toEqual({
      status_text: 'at lunch',
      emoji_name: 'car',
      emoji_code: '1f697',
      reaction_type: 'unicode_emoji',
    })
    const queue = await openQueue(ben)
    expectSuccess(await update({ status_text: 'in a meeting' }))
    const [event] = await queue.eventsOf('user_status')
    expect(event).toEqual({
      id: expect.any(Number),
      type: 'user_status',
      user_id: ann.id,
      status_text: 'in a meeting',
    })
    expect(await status()).toMatchObject({ status_text: 'in a meeting', emoji_name: 'car' })
  })

  it('an empty text clears the text, an empty name the emoji', async () => {
    expectSuccess(await update({ status_text: 'x', emoji_name: 'car' }))
    expectSuccess(await update({ status_text: '' }))
    expect(await status()).not.toHaveProperty('status_text')
    expectSuccess(await update({ emoji_name: '' }))
    expect(await status()).toEqual({})
  })

  it('the emoji may be one of the organization’s own', async () => {
    expectSuccess(await postFiles(realm.owner, '/realm/emoji/harbour', [PNG]))
    const [emoji_code] = Object.keys(expectSuccess(await ann.api.get('/realm/emoji')).emoji)
    const harbour = { emoji_name: 'harbour', emoji_code: emoji_code!, reaction_type: 'realm_emoji' }
    const queue = await openQueue(ben)
    expectSuccess(await update(harbour))
    expect(await queue.eventsOf('user_status')).toMatchObject([{ user_id: ann.id, ...harbour }])
    expect(await status()).toEqual(harbour)
    expectSuccess(await update({ emoji_name: '' }))
  })

  it('away is deprecated: the opposite of presence_enabled', async () => {
    const queue = await openQueue(ann)
    expectSuccess(await update({ away: true }))
    expect((await queue.eventsOf('user_settings')).map(({ property, value }) => [property, value])).toEqual([
      ['presence_enabled', false],
    ])
    expect(await status()).toMatchObject({ away: true })
    expectSuccess(await update({ away: false }))
    expect(await status()).not.toHaveProperty('away')
  })

  it('a text of 60 characters is taken, of 61 refused', async () => {
    expectSuccess(await update({ status_text: 'x'.repeat(60) }))
    expect((await update({ status_text: 'x'.repeat(61) })).body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'status_text is too long (limit: 60 characters)',
    })
  })

  it.each([
    [{}, 'Client did not pass any new values.'],
    [{ emoji_code: '1f697' }, 'Client did not pass any new values.'],
    [
      { status_text: 'x', emoji_code: '1f697' },
      'Client must pass emoji_name if they pass either emoji_code or reaction_type.',
    ],
    [
      { status_text: 'x', reaction_type: 'unicode_emoji' },
      'Client must pass emoji_name if they pass either emoji_code or reaction_type.',
    ],
    [{ emoji_name: 'no_such_emoji' }, "Emoji 'no_such_emoji' does not exist"],
    [{ emoji_name: 'car', emoji_code: '1f308' }, 'Invalid emoji name.'],
    [{ emoji_name: 'car', emoji_code: '987654', reaction_type: 'realm_emoji' }, 'Invalid custom emoji.'],
  ])('%j: BAD_REQUEST, and nothing changes', async (params, msg) => {
    expectSuccess(await update({ status_text: 'before', emoji_name: 'car' }))
    const { status: code, body } = await update(params)
    expect([code, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', msg])
    expect(await status()).toMatchObject({ status_text: 'before', emoji_name: 'car' })
  })

  it('register has everybody’s status', async () => {
    expectSuccess(await update({ status_text: 'away now' }))
    const { snapshot } = await openQueue(ben)
    expect(snapshot.user_status[ann.id]).toMatchObject({ status_text: 'away now' })
  })
})
