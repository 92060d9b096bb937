import { describe, expect, it } from 'vitest'
import { expectSuccess } from '../../support/factories.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann } = useRealm({ ann: 'member', guest: 'guest' })

describe('an invitation in the list', () => {
  it('has no welcome text where the bare word null was sent', async () => {
    const email = 'null@example.com'
    const params = { invitee_emails: email, stream_ids: [], welcome_message_custom_text: 'null' }
    expectSuccess(await realm.owner.api.post('/invites', params))
    const { invites } = expectSuccess(await realm.owner.api.get('/invites'))
    expect(invites.find((one: { email: string }) => one.email === email)).toMatchObject({
      welcome_message_custom_text: null,
    })
  })

  it('has the welcome text that an administrator chose', async () => {
    const text = 'welcome to level 416'
    const email = 'level-416@example.com'
    expectSuccess(
      await realm.owner.api.post('/invites', {
        invitee_emails: email,
        stream_ids: [],
        welcome_message_custom_text: text,
      }),
    )
    const { invites } = expectSuccess(await realm.owner.api.get('/invites'))
    expect(invites.find((one: { email: string }) => one.email === email)).toMatchObject({
      welcome_message_custom_text: text,
    })
  })

  it('has these fields', async () => {
    expectSuccess(await ann.api.post('/invites', { invitee_emails: 'in@example.com', stream_ids: [] }))
    const { invites } = expectSuccess(await ann.api.get('/invites'))
    expect(invites).toEqual([
      {
        id: expect.any(Number),
        invited_by_user_id: ann.id,
        invited: expect.any(Number),
        expiry_date: expect.any(Number),
        invited_as: 400,
        email: 'in@example.com',
        notify_referrer_on_join: true,
        is_multiuse: false,
        welcome_message_custom_text: null,
      },
    ])
  })
})
