import { describe, expect, it } from 'vitest'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { fromJson } from '../../support/json.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, author, voter, channel } = useRealm(
  { author: 'member', voter: 'member' },
  { channels: { channel: ['author', 'voter'] } },
)

async function send(content: string, more: Record<string, string> = {}): Promise<number> {
  const to = { type: 'channel', to: channel.name, topic: 'lunch' }
  return expectSuccess(await author.api.post('/messages', { ...to, content, ...more })).id
}

const say = (user: TestUser, message_id: number, content: unknown, msg_type = 'widget') =>
  user.api.post('/submessage', {
    message_id,
    msg_type,
    content: typeof content === 'string' ? content : JSON.stringify(content),
  })

async function submessagesOf(user: TestUser, id: number) {
  return expectSuccess(await user.api.get(`/messages/${id}`)).message.submessages
}

const vote = { type: 'vote', key: 'canned,0', vote: 1 }

describe('a poll', () => {
  it('is a widget in the message event, and in the message later', async () => {
    const queue = await openQueue(voter)
    const id = await send('/poll Where?\nharbour\n- market')
    const [event] = await queue.eventsOf('message')
    const [first] = event!.message.submessages
    expect(first).toMatchObject({ message_id: id, sender_id: author.id, msg_type: 'widget' })
    expect(fromJson(first.content)).toEqual({
      widget_type: 'poll',
      extra_data: { question: 'Where?', options: ['harbour', 'market'] },
    })
    expect(await submessagesOf(voter, id)).toEqual([first])
    expect((await submessagesOf(voter, await send('/polling stations are closed'))).length).toBe(0)
  })

  it('has an option once that is written twice', async () => {
    const [first] = await submessagesOf(voter, await send('/poll Where?\nharbour\n- harbour\nmarket'))
    expect(fromJson(first.content)).toMatchObject({ extra_data: { options: ['harbour', 'market'] } })
  })

  it('notifies those who have the message of each vote, and keeps them in order', async () => {
    const id = await send('/poll Again?\nyes')
    const outsider = await buildUser(realm)
    const queues = [await openQueue(author), await openQueue(outsider)]
    expectSuccess(await say(voter, id, vote))
    expectSuccess(await say(author, id, { type: 'new_option', option: 'no', idx: 1 }))
    const events = await queues[0]!.eventsOf('submessage')
    expect(events).toMatchObject([
      { message_id: id, sender_id: voter.id, msg_type: 'widget', content: JSON.stringify(vote) },
      { message_id: id, sender_id: author.id },
    ])
    expect(await queues[1]!.eventsOf('submessage')).toEqual([])
    const kept = await submessagesOf(author, id)
    expect(kept.map((one: { id: number }) => one.id).slice(1)).toEqual(
      events.map(({ submessage_id }) => submessage_id),
    )
  })

  it('counts a vote as participation in the topic', async () => {
    const follower = await buildUser(realm)
    expectSuccess(await follower.api.patch('/settings', { automatically_follow_topics_policy: 1 }))
    const id = await send('/poll Following?\nyes')
    const queue = await openQueue(follower)
    expectSuccess(await say(follower, id, vote))
    expect(await queue.eventsOf('user_topic')).toMatchObject([
      { stream_id: channel.id, topic_name: 'lunch', visibility_policy: 3 },
    ])
  })

  it('cannot be edited, and is deleted with its message', async () => {
    const id = await send('/poll Gone?\nyes')
    expectRefusal(await author.api.patch(`/messages/${id}`, { content: 'x' }), 'Widgets cannot be edited.')
    expectSuccess(await author.api.delete(`/messages/${id}`))
    expectRefusal(await say(author, id, vote), 'Invalid message(s)')
  })

  it('refuses invalid submessages', async () => {
    const id = await send('/poll Checked?\nyes')
    for (const [content, msg] of [
      ['{', 'Invalid json for submessage'],
      [[1], 'poll data is not a dict'],
      [{ key: 'x' }, 'type key is missing from poll data'],
      [{ type: 'dance' }, 'Unknown type for poll data: dance'],
      [{ type: 'vote', key: 'a' }, 'vote key is missing from poll data'],
      [{ type: 'vote', key: 'a', vote: 2 }, 'Invalid poll data["vote"]'],
      [{ type: 'vote', key: 1, vote: 1 }, 'poll data["key"] is not a string'],
      [{ ...vote, more: 1 }, 'Unexpected arguments: more'],
      [{ type: 'new_option', option: 'x', idx: 1001 }, 'poll data["idx"] is too large'],
      [{ type: 'question', question: 'Mine?' }, "You can't edit a question unless you are the author."],
    ] as const) {
      expectRefusal(await say(voter, id, content), msg)
    }
    expectSuccess(await say(author, id, { type: 'question', question: 'Where to?' }))
    expect(await submessagesOf(author, id)).toHaveLength(2)
  })
})

describe('a to-do list', () => {
  it('has tasks that anyone can change, and a title that only its author can', async () => {
    const id = await send('/todo Packing\nmap: the old one')
    const [first] = await submessagesOf(voter, id)
    expect(fromJson(first.content)).toEqual({
      widget_type: 'todo',
      extra_data: { task_list_title: 'Packing', tasks: [{ task: 'map', desc: 'the old one' }] },
    })
    expectSuccess(
      await say(voter, id, { type: 'new_task', key: 2, task: 'rope', desc: '', completed: false }),
    )
    expectSuccess(await say(voter, id, { type: 'strike', key: '2,1' }))
    const title = { type: 'new_task_list_title', title: 'Mine' }
    expectRefusal(
      await say(voter, id, title),
      "You can't edit the task list title unless you are the author.",
    )
    expectSuccess(await say(author, id, title))
    expectRefusal(await say(voter, id, { type: 'vote' }), 'Unknown type for todo data: vote')
  })
})

describe('a submessage', () => {
  it('must first come from the message’s sender', async () => {
    const id = await send('plain')
    expectRefusal(await say(voter, id, {}), 'You cannot attach a submessage to this message.')
    expectSuccess(await say(author, id, { widget_type: 'of my own' }))
    expectSuccess(await say(voter, id, { anything: 'goes' }))
    expect(await submessagesOf(voter, id)).toHaveLength(2)
  })

  it('needs a message that the caller may read', async () => {
    const secret = await buildChannel([author], { invite_only: true })
    const { id } = expectSuccess(
      await author.api.post('/messages', { type: 'channel', to: secret.id, topic: 't', content: '/poll ?' }),
    )
    const guest = await buildUser(realm, { role: 600 })
    for (const [user, messageId] of [
      [voter, id],
      [realm.owner, id],
      [guest, await send('/poll ?')],
      [voter, 99_999],
    ] as const) {
      expectRefusal(await say(user, messageId, vote), 'Invalid message(s)')
    }
    expectUnauthorized(
      await realm.anonymous.post('/submessage', { message_id: id, msg_type: 'widget', content: '{}' }),
    )
    expectRefusal(await author.api.post('/submessage', {}), "Missing 'message_id' argument", {
      code: 'REQUEST_VARIABLE_MISSING',
    })
  })
})

describe('widget_content', () => {
  const choices = [{ short_name: 'A', long_name: 'alpha', reply: 'a' }]
  it('turns a message into a form with choices', async () => {
    const form = { widget_type: 'zform', extra_data: { type: 'choices', heading: 'Pick', choices } }
    const id = await send('Pick one', { widget_content: JSON.stringify(form) })
    const [first] = await submessagesOf(voter, id)
    expect(fromJson(first.content)).toEqual(form)
  })

  it('is refused when it is not such a form', async () => {
    const to = { type: 'channel', to: channel.name, topic: 'lunch', content: 'x' }
    for (const [widget_content, error] of [
      ['{', 'API programmer sent invalid JSON content'],
      ['[]', 'widget_content is not a dict'],
      ['{}', 'widget_type is not in widget_content'],
      ['{"widget_type":"zform"}', 'extra_data is not in widget_content'],
      ['{"widget_type":"zform","extra_data":1}', 'extra_data is not a dict'],
      ['{"widget_type":"poll","extra_data":{}}', 'unknown widget type: poll'],
      ['{"widget_type":"zform","extra_data":{}}', 'zform is missing type field'],
      ['{"widget_type":"zform","extra_data":{"type":"x"}}', 'unknown zform type: x'],
      [
        '{"widget_type":"zform","extra_data":{"type":"choices","heading":"h","choices":[{}]}}',
        'short_name key is missing from extra_data["choices"][0]',
      ],
    ] as const) {
      expectRefusal(await author.api.post('/messages', { ...to, widget_content }), `Widgets: ${error}`)
    }
  })
})
