import { describe, expect, it } from 'vitest'
import { buildUser, expectSuccess } from '../../support/factories.ts'
import { PNG } from '../../support/images.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { postFiles } from '../../support/uploads.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben } = useRealm({ ann: 'member', ben: 'member' })

function update(params: Record<string, unknown>) {
  return ann.api.post('/users/me/status', params as Record<string, string>)
}

async function status() {
  return expectSuccess(await ben.api.get(`/users/${ann.id}/status`)).status
}

describe('a status', () => {
  it('may be an emoji of the organization alone', async () => {
    expectSuccess(await postFiles(realm.owner, '/realm/emoji/harbour', [PNG]))
    const [emoji_code] = Object.keys(expectSuccess(await ann.api.get('/realm/emoji')).emoji)
    const harbour = { emoji_name: 'harbour', emoji_code: emoji_code!, reaction_type: 'realm_emoji' }
    const queue = await openQueue(ben)
    expectSuccess(await update(harbour))
    expect(await queue.eventsOf('user_status')).toMatchObject([{ user_id: ann.id, ...harbour }])
    expect(await status()).toEqual(harbour)
    expectSuccess(await update({ emoji_name: '' }))
  })

  it('has a text of at most 60 characters, however many bytes', async () => {
    expectSuccess(await ann.api.post('/users/me/status', { status_text: '🌱'.repeat(60) }))
    expectRefusal(
      await ann.api.post('/users/me/status', { status_text: '🌱'.repeat(61) }),
      'status_text is too long (limit: 60 characters)',
    )
  })

  it('has text, emoji and being away beside each other', async () => {
    const carl = await buildUser(realm)
    expectSuccess(
      await carl.api.post('/users/me/status', { status_text: 'out', emoji_name: 'car', away: true }),
    )
    expect(expectSuccess(await ann.api.get(`/users/${carl.id}/status`)).status).toEqual({
      status_text: 'out',
      emoji_name: 'car',
      emoji_code: '1f697',
      reaction_type: 'unicode_emoji',
      away: true,
    })
  })
})

describe('a status that is refused', () => {
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
  ])('changes nothing: %j', async (params, msg) => {
    expectSuccess(await update({ status_text: 'before', emoji_name: 'car' }))
    const { status: code, body } = await update(params)
    expect([code, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', msg])
    expect(await status()).toMatchObject({ status_text: 'before', emoji_name: 'car' })
  })
})
