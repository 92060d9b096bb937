import { expect, it } from 'vitest'
import { bounceReason, parseMail } from '../../../src/http/mail/read-mail.ts'
import { deliveryReport } from '../../support/delivery-report.ts'

const reasonOf = async (fields: Parameters<typeof deliveryReport>[0]) =>
  bounceReason(await parseMail(new TextEncoder().encode(deliveryReport(fields))))

it('a bounce is recognized as final when the address does not exist', async () => {
  expect(await reasonOf({ status: '5.1.1' })).toBe('smtp; 550 5.1.1 No such user')
  expect(await reasonOf({ status: '5.2.1' })).toBe('smtp; 550 5.2.1 No such user')
})

it('a delay, a full mailbox or a spam refusal is not a final bounce', async () => {
  expect(await reasonOf({ action: 'delayed', status: '5.1.1' })).toBeUndefined()
  expect(await reasonOf({ status: '5.2.2' })).toBeUndefined()
  expect(await reasonOf({ status: '5.7.1' })).toBeUndefined()
  expect(
    bounceReason(await parseMail(new TextEncoder().encode('Subject: hi\n\nStatus: 5.1.1\nAction: failed'))),
  ).toBeUndefined()
})
