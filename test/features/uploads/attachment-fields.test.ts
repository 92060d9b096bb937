import { describe, expect, it } from 'vitest'
import { expectSuccess } from '../../support/factories.ts'
import { sendTo } from '../../support/messages.ts'
import { upload } from '../../support/uploads.ts'
import { useRealm } from '../../support/use-realm.ts'

const { ann, ben, channel } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { channel: ['ann', 'ben'] } },
)

async function read(id: number, params: Record<string, boolean> = {}, user = ben) {
  return expectSuccess(await user.api.get(`/messages/${id}`, params)).message
}

describe('an attachment in the list', () => {
  it('has its file, and the messages that link to it', async () => {
    const url = await upload(ann, { name: 'plan.txt', content: 'four' })
    const id = await sendTo(ann, channel.id, 'files', `[plan](${url})`)
    const { attachments } = expectSuccess(await ann.api.get('/attachments'))
    const { timestamp } = await read(id)
    const { create_time, ...rest } = attachments[0]
    expect(rest).toEqual({
      id: expect.any(Number),
      name: 'plan.txt',
      path_id: url.replace('/user_uploads/', ''),
      size: 4,
      messages: [{ id, date_sent: expect.any(Number) }],
    })
    expect(Math.floor(rest.messages[0].date_sent / 1_000)).toBe(timestamp)
    expect(Math.abs(create_time - Date.now())).toBeLessThan(60_000)
  })
})
