import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { ParameterValue } from '../support/api.ts'
import { buildChannel, expectSuccess, type TestUser } from '../support/factories.ts'
import { sendDirect, sendTo } from '../support/messages.ts'
import { openQueue } from '../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../support/refusals.ts'
import { upload } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'
import { whileSettings } from './while-settings.ts'

const { realm, ann, ben, guest, channel, other } = useRealm(
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

async function topicsOf(ids: readonly number[]): Promise<string[]> {
  return Promise.all(ids.map(async (id) => (await read(id)).subject))
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

describe('4.2 Edit a message', () => {
  it('content: the new text is what everybody reads', async () => {
    const id = await sendTo(ann, channel.id, 'content', 'before')
    const queue = await openQueue(ben)
    expectSuccess(await edit(ann, id, { content: 'after *all*' }))
    expect(await read(id)).toMatchObject({ content: 'after *all*' })
    expect(await queue.eventsOf('update_message')).toMatchObject([
      {
        user_id: ann.id,
        message_id: id,
        message_ids: [id],
        orig_content: 'before',
        content: 'after *all*',
        rendered_content: '<p>after <em>all</em></p>',
        rendering_only: false,
        edit_timestamp: expect.any(Number),
      },
    ])
  })

  it('content over the limit is cut', async () => {
    const id = await sendTo(ann, channel.id, 'long')
    expectSuccess(await edit(ann, id, { content: 'x'.repeat(10_001) }))
    const { content } = await read(id)
    expect(content).toHaveLength(10_000)
    expect(content.endsWith('\n[message truncated]')).toBe(true)
  })

  it('content of nothing but white space is kept as "(deleted)"', async () => {
    const id = await sendTo(ann, channel.id, 'emptied')
    expectSuccess(await edit(ann, id, { content: ' \n ' }))
    expect(await read(id)).toMatchObject({ content: '(deleted)' })
  })

  it.each(['topic', 'subject'])('%s: the new topic', async (name) => {
    const { ids } = await topicOf(1)
    expectSuccess(await edit(ann, ids[0]!, { [name]: `named by ${name}` }))
    expect(await read(ids[0]!)).toMatchObject({ subject: `named by ${name}` })
  })

  it('topic and its legacy alias together are refused', async () => {
    const { ids } = await topicOf(1)
    expectRefusal(
      await edit(ann, ids[0]!, { topic: 'a', subject: 'b' }),
      "Can't decide between 'topic' and 'subject' arguments",
      { code: 'REQUEST_CONFUSING_VAR' },
    )
  })

  it('topic over the limit is cut', async () => {
    const { ids } = await topicOf(1)
    expectSuccess(await edit(ann, ids[0]!, { topic: 't'.repeat(61) }))
    expect(await read(ids[0]!)).toMatchObject({ subject: `${'t'.repeat(57)}...` })
  })

  it('topic: only for channel messages', async () => {
    const id = await sendDirect(ann, [ben])
    expectRefusal(await edit(ann, id, { topic: 'x' }), 'Direct messages cannot have topics.')
  })

  it('topic: the display name of the empty topic is the empty string', async () => {
    const { ids } = await topicOf(1)
    expectSuccess(await edit(ann, ids[0]!, { topic: 'general chat' }))
    expect(await read(ids[0]!)).toMatchObject({ subject: '' })
  })

  it.each(['', '(no topic)', 'general chat'])(
    'topic: %j is refused where a topic is required',
    async (topic) => {
      const strict = await buildChannel([ann], { topics_policy: 'disable_empty_topic' })
      const id = await sendTo(ann, strict.id, 'named')
      expectRefusal(
        await edit(ann, id, { topic }),
        'Sending messages to the general chat is not allowed in this channel.',
      )
    },
  )

  it('propagate_mode change_one, the default: this message alone', async () => {
    for (const params of [{}, { propagate_mode: 'change_one' }]) {
      const { topic, ids } = await topicOf(3)
      expectSuccess(await edit(ann, ids[1]!, { topic: `${topic} moved`, ...params }))
      expect(await topicsOf(ids)).toEqual([topic, `${topic} moved`, topic])
    }
  })

  it('propagate_mode change_later: this message and those after it', async () => {
    const { topic, ids } = await topicOf(3)
    expectSuccess(await edit(ann, ids[1]!, { topic: `${topic} moved`, propagate_mode: 'change_later' }))
    expect(await topicsOf(ids)).toEqual([topic, `${topic} moved`, `${topic} moved`])
  })

  it('propagate_mode change_all: earlier messages move too', async () => {
    const { topic, ids } = await topicOf(3)
    expectSuccess(await edit(ann, ids[1]!, { topic: `${topic} moved`, propagate_mode: 'change_all' }))
    expect(new Set(await topicsOf(ids))).toEqual(new Set([`${topic} moved`]))
  })

  it('propagate_mode: any other is refused', async () => {
    const { ids } = await topicOf(1)
    const params = { topic: 'x', propagate_mode: 'change_some' }
    expectRefusal(await edit(ann, ids[0]!, params), 'Invalid propagate_mode')
  })

  it.each(['change_later', 'change_all'])(
    'propagate_mode %s is not valid when only content is edited',
    async (propagate_mode) => {
      const { ids } = await topicOf(1)
      expectRefusal(
        await edit(ann, ids[0]!, { content: 'x', propagate_mode }),
        'Invalid propagate_mode without topic edit',
      )
    },
  )

  it('stream_id: the target channel', async () => {
    const { topic, ids } = await topicOf(2)
    const queue = await openQueue(ben)
    expectSuccess(await edit(ann, ids[0]!, { stream_id: other.id, propagate_mode: 'change_all' }))
    for (const id of ids) expect(await read(id)).toMatchObject({ stream_id: other.id, subject: topic })
    expect((await queue.eventsOf('update_message'))[0]).toMatchObject({
      stream_id: channel.id,
      new_stream_id: other.id,
      orig_subject: topic,
      message_ids: ids,
    })
  })

  it('stream_id: only for channel messages', async () => {
    const id = await sendDirect(ann, [ben])
    expectRefusal(
      await edit(ann, id, { stream_id: channel.id }),
      'Direct messages cannot be moved to channels.',
    )
  })

  it('stream_id: a channel that is not there, or not readable, or archived', async () => {
    const { ids } = await topicOf(1)
    const secret = await buildChannel([ben], { invite_only: true })
    const archived = await buildChannel([ann])
    expectSuccess(await ann.api.delete(`/streams/${archived.id}`))
    for (const id of [987_654, secret.id, archived.id]) {
      expectRefusal(await edit(ann, ids[0]!, { stream_id: id }), 'Invalid channel ID')
    }
  })

  it('prev_content_sha256: a digest of another text is refused', async () => {
    const id = await sendTo(ann, channel.id, 'hash', 'as known')
    const known = sha256('as known')
    expectSuccess(await edit(ann, id, { content: 'as it is now', prev_content_sha256: known }))
    expectRefusal(
      await edit(ann, id, { content: 'a lost update', prev_content_sha256: known }),
      "'prev_content_sha256' value does not match the expected value.",
      { code: 'EXPECTATION_MISMATCH' },
    )
    expect(await read(id)).toMatchObject({ content: 'as it is now' })
  })

  it('rule 1: both content and stream_id are an error, even of the present channel', async () => {
    const { ids } = await topicOf(1)
    for (const { id } of [channel, other]) {
      expectRefusal(
        await edit(ann, ids[0]!, { content: 'x', stream_id: id }),
        'Cannot change message content while changing channel',
      )
    }
  })

  it('content and topic go together, in one event', async () => {
    const { topic, ids } = await topicOf(1)
    const queue = await openQueue(ben)
    expectSuccess(await edit(ann, ids[0]!, { content: 'both', topic: `${topic} too` }))
    expect(await queue.eventsOf('update_message')).toMatchObject([
      { content: 'both', orig_subject: topic, subject: `${topic} too` },
    ])
  })

  it('rule 3: without edit permission BAD_REQUEST: nobody edits another’s content', async () => {
    const id = await sendTo(ann, channel.id, 'foreign')
    for (const user of [ben, guest, realm.owner]) {
      expectRefusal(await edit(user, id, { content: 'x' }), "You don't have permission to edit this message")
    }
  })

  it('a message that is not there, or not visible: BAD_REQUEST', async () => {
    const secret = await buildChannel([ann], { invite_only: true })
    const hidden = await sendTo(ann, secret.id, 'x')
    for (const id of [987_654, hidden, await sendDirect(ann, [realm.owner])]) {
      expectRefusal(await edit(ben, id, { topic: 'y' }), 'Invalid message(s)')
    }
  })

  it('a message of an archived channel: BAD_REQUEST', async () => {
    const archived = await buildChannel([ann])
    const id = await sendTo(ann, archived.id, 'x')
    expectSuccess(await ann.api.delete(`/streams/${archived.id}`))
    expectRefusal(await edit(ann, id, { content: 'y' }), 'Invalid message(s)')
  })

  it('rule 4: in a protected history only accessible messages are counted and moved', async () => {
    const secret = await buildChannel([ann], { invite_only: true })
    const before = await sendTo(ann, secret.id, 'shared')
    expectSuccess(
      await ann.api.post('/users/me/subscriptions', {
        subscriptions: [{ name: secret.name }],
        principals: [ben.id],
      }),
    )
    const after = [await sendTo(ann, secret.id, 'shared'), await sendTo(ann, secret.id, 'shared')]
    const queue = await openQueue(ben)
    expectSuccess(await edit(ben, after[1]!, { topic: 'mine', propagate_mode: 'change_all' }))
    expect((await queue.eventsOf('update_message'))[0]?.message_ids).toEqual(after)
    expect(await read(before, ann)).toMatchObject({ subject: 'shared' })
    expect(await topicsOf(after)).toEqual(['mine', 'mine'])
  })

  it('response: detached_uploads, the files whose only reference the edit removed', async () => {
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

  it('response: detached_uploads is empty when none is', async () => {
    const file = await upload(ann)
    const id = await sendTo(ann, channel.id, 'files', `[file](${file})`)
    await sendTo(ann, channel.id, 'files', `again [file](${file})`)
    expect(expectSuccess(await edit(ann, id, { content: 'without' })).detached_uploads).toEqual([])
    const { ids } = await topicOf(1)
    expect(expectSuccess(await edit(ben, ids[0]!, { topic: 'x' })).detached_uploads).toEqual([])
  })

  it('a group that the sender may not mention: BAD_REQUEST', async () => {
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

  it('rule 2: allow_message_editing false stops edits of content, not moves', async () => {
    const id = await sendTo(ann, channel.id, 'switched off')
    await whileSettings(realm, { allow_message_editing: false }, async () => {
      expectRefusal(await edit(ann, id, { content: 'x' }), 'Your organization has turned off message editing')
      expectSuccess(await edit(ann, id, { topic: 'moved still' }))
    })
  })

  it('refuses callers without credentials', async () => {
    const id = await sendTo(ann, channel.id, 'closed')
    expectUnauthorized(await realm.anonymous.patch(`/messages/${id}`, { content: 'x' }))
  })
})
