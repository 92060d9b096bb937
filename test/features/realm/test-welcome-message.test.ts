import { expect, it } from 'vitest'
import { expectSuccess } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, member } = useRealm({ member: 'member' })

it('the welcome bot shows an administrator what new users would get', async () => {
  const path = '/realm/test_welcome_bot_custom_message'
  const text = { welcome_message_custom_text: 'Mind the **gap**.' }
  const queues = [await openQueue(realm.owner), await openQueue(member)]
  const { message_id } = expectSuccess(await realm.owner.api.post(path, text))
  expect(await queues[0]!.events()).toMatchObject([
    {
      type: 'message',
      message: {
        id: message_id,
        type: 'private',
        sender_full_name: 'Welcome Bot',
        content: '<p>Mind the <strong>gap</strong>.</p>',
      },
    },
  ])
  expect(await queues[1]!.events()).toEqual([])
  expectRefusal(await member.api.post(path, text), 'Must be an organization administrator', {
    code: 'UNAUTHORIZED_PRINCIPAL',
  })
  expectRefusal(
    await realm.owner.api.post(path, { welcome_message_custom_text: 'x'.repeat(8_001) }),
    'welcome_message_custom_text is too long (limit: 8000 characters)',
  )
  expectRefusal(
    await realm.owner.api.post(path, { welcome_message_custom_text: ' ' }),
    'Message must not be empty',
  )
  expectUnauthorized(await realm.anonymous.post(path, text))
})
