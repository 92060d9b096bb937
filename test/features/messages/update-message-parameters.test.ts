import { describe, expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { buildChannel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { sendTo } from '../../support/messages.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { upload } from '../../support/uploads.ts'
import { useRealm } from '../../support/use-realm.ts'

const { ann, ben, channel, other } = useRealm(
  { ann: 'member', ben: 'member', guest: 'guest' },
  { channels: { channel: ['ann', 'ben', 'guest'], other: ['ann', 'ben'] } },
)

function edit(user: TestUser, id: number, params: Record<string, ParameterValue | undefined>) {
  return user.api.patch(`/messages/${id}`, params)
}

async function read(id: number, user = ben) {
  return expectSuccess(
    await user.api.get(`/messages/${id}`, { apply_markdown: false, allow_empty_topic_name: true }),
  ).message
}

let topics = 0
/** Sends messages from Ann in a topic of their own. */
async function topicOf(count: number, to = channel): Promise<{ topic: string; ids: number[] }> {
  topics += 1
  const topic = `topic ${topics}`
  const ids: number[] = []
  for (let n = 0; n < count; n += 1) ids.push(await sendTo(ann, to.id, topic, `message ${n}`))
  return { topic, ids }
}

describe('editing a message', () => {
  it.each(['topic', 'subject'])('takes the new topic as %s', async (name) => {
    const { ids } = await topicOf(1)
    expectSuccess(await edit(ann, ids[0]!, { [name]: `named by ${name}` }))
    expect(await read(ids[0]!)).toMatchObject({ subject: `named by ${name}` })
  })

  it('reads the display name of the empty topic as the empty string', async () => {
    const { ids } = await topicOf(1)
    expectSuccess(await edit(ann, ids[0]!, { topic: 'general chat' }))
    expect(await read(ids[0]!)).toMatchObject({ subject: '' })
  })

  it('is refused into a channel that is missing, unreadable or archived', async () => {
    const { ids } = await topicOf(1)
    const secret = await buildChannel([ben], { invite_only: true })
    const archived = await buildChannel([ann])
    expectSuccess(await ann.api.delete(`/streams/${archived.id}`))
    for (const id of [987_654, secret.id, archived.id]) {
      expectRefusal(await edit(ann, ids[0]!, { stream_id: id }), 'Invalid channel ID')
    }
  })

  it('is refused with both content and channel, even the present one', async () => {
    const { ids } = await topicOf(1)
    for (const { id } of [channel, other]) {
      expectRefusal(
        await edit(ann, ids[0]!, { content: 'x', stream_id: id }),
        'Cannot change message content while changing channel',
      )
    }
  })

  it('is refused in an archived channel', async () => {
    const archived = await buildChannel([ann])
    const id = await sendTo(ann, archived.id, 'x')
    expectSuccess(await ann.api.delete(`/streams/${archived.id}`))
    expectRefusal(await edit(ann, id, { content: 'y' }), 'Invalid message(s)')
  })

  it('returns the files whose only reference it removes', async () => {
    const [kept, gone] = [await upload(ann, { name: 'kept.txt' }), await upload(ann, { name: 'gone.txt' })]
    const id = await sendTo(ann, channel.id, 'files', `[kept](${kept}) [gone](${gone})`)
    const { detached_uploads } = expectSuccess(await edit(ann, id, { content: `[kept](${kept})` }))
    expect(detached_uploads).toEqual([
      {
        id: expect.any(Number),
        name: 'gone.txt',
        path_id: gone.replace('/user_uploads/', ''),
        size: 'some notes'.length,
        create_time: expect.any(Number),
        messages: [],
      },
    ])
  })

  it('returns no files where none loses its only reference', async () => {
    const file = await upload(ann)
    const id = await sendTo(ann, channel.id, 'files', `[file](${file})`)
    await sendTo(ann, channel.id, 'files', `again [file](${file})`)
    expect(expectSuccess(await edit(ann, id, { content: 'without' })).detached_uploads).toEqual([])
    const { ids } = await topicOf(1)
    expect(expectSuccess(await edit(ben, ids[0]!, { topic: 'x' })).detached_uploads).toEqual([])
  })

  it('is refused with a mention of a group that the sender may not make', async () => {
    expectSuccess(
      await ben.api.post('/user_groups/create', {
        name: 'quiet',
        description: '',
        members: [],
        can_mention_group: 1,
      }),
    )
    const id = await sendTo(ann, channel.id, 'groups')
    expectRefusal(
      await edit(ann, id, { content: '@*quiet*' }),
      "You are not allowed to mention user group 'quiet'.",
    )
  })
})
