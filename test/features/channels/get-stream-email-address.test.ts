import { expect, it } from 'vitest'
import { expectSuccess, type TestUser } from '../../support/factories.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

/** What mail to a channel does is in test/features/emails/incoming-mail.test.ts. */
const { realm, ben, open, secret } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { open: ['ann'], secret: { subscribers: ['ann'], invite_only: true } } },
)

it('without incoming mail, those who may post to a channel get an empty address', async () => {
  const address = (user: TestUser, id: number) => user.api.get(`/streams/${id}/email_address`)
  expect(expectSuccess(await address(ben, open.id)).email).toBe('')
  expectRefusal(await address(ben, secret.id), 'Invalid channel ID')
  expectUnauthorized(await realm.anonymous.get(`/streams/${open.id}/email_address`))
})
