import { EVERYBODY, type EventCase } from '../case.ts'
import { call, each, makeChannel, newName, post, watchersOf, write } from './acts.ts'

function messages(): EventCase {
  return {
    steps: [
      {
        to: EVERYBODY,
        act: async (cast) => {
          const { boss, peer, channel } = cast
          await post(boss, channel.name, 'one', '@**all** look')
          await post(boss, channel.name, '', 'without a topic')
          await post(peer, channel.id, 'ONE', 'the same topic')
          await each(cast, EVERYBODY, (user) =>
            post(boss, channel.id, 'names', `@**${user.fullName}|${user.id}**`),
          )
          await each(cast, EVERYBODY, (user) => write(peer, [user]))
          await each(cast, EVERYBODY, (user) => write(user, [user], 'a note'))
          await write(boss, watchersOf(cast), 'all of you')
        },
      },
      {
        // Muted messages are kept among the unread ones, and not counted.
        to: EVERYBODY,
        act: async (cast) => {
          const { boss, channel } = cast
          await each(cast, EVERYBODY, (user) =>
            call(user, 'POST', '/user_topics', {
              stream_id: channel.id,
              topic: 'loud',
              visibility_policy: 1,
            }),
          )
          await post(boss, channel.id, 'loud', '@**all** again')
        },
      },
      { to: [], act: ({ boss, secret }) => post(boss, secret.id, 'hidden') },
    ],
  }
}

function edits(): EventCase {
  let id = 0
  return {
    steps: [
      {
        to: EVERYBODY,
        act: async (cast) => {
          const { boss, channel } = cast
          id = await post(boss, channel.id, newName('edited'), 'before')
          const mentions = watchersOf(cast).map((user) => `@**${user.fullName}|${user.id}**`)
          await call(boss, 'PATCH', `/messages/${id}`, { content: `after ${mentions.join(' ')}` })
        },
      },
      {
        to: EVERYBODY,
        act: ({ boss }) => call(boss, 'PATCH', `/messages/${id}`, { content: 'nobody is named' }),
      },
    ],
  }
}

function topicMoves(): EventCase {
  let id = 0
  const topic = newName('topic')
  return {
    // An event about the channel's first message comes only when that is deleted.
    steps: [
      {
        to: EVERYBODY,
        act: async (cast) => {
          const { boss, peer, channel } = cast
          id = await post(boss, channel.id, topic)
          await post(peer, channel.id, topic, '@**all** second')
          await each(cast, EVERYBODY, (user) =>
            call(user, 'POST', '/user_topics', { stream_id: channel.id, topic, visibility_policy: 3 }),
          )
          await call(boss, 'PATCH', `/messages/${id}`, {
            topic: `${topic} moved`,
            propagate_mode: 'change_all',
          })
        },
      },
      {
        to: EVERYBODY,
        act: ({ boss }) =>
          call(boss, 'PATCH', `/messages/${id}`, {
            topic: `✔ ${topic} moved`,
            propagate_mode: 'change_all',
          }),
      },
      {
        to: EVERYBODY,
        act: ({ boss }) =>
          call(boss, 'PATCH', `/messages/${id}`, { topic: '', propagate_mode: 'change_one' }),
      },
    ],
  }
}

function channelMoves(): EventCase {
  return {
    // No event is emitted about either channel's first message (docs/interface/events.md#events-about-channels-and-groups).
    ignore: ['first_message_id'],
    steps: [
      {
        // The guest no longer sees the message; the others keep it, although it has left their channel.
        to: ['owner', 'member', 'bot'],
        act: async (cast) => {
          const { boss, channel } = cast
          const target = await makeChannel([boss, cast.watchers.owner])
          const id = await post(boss, channel.id, newName('leaving'), '@**all** hear')
          await call(boss, 'POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
          await call(boss, 'PATCH', `/messages/${id}`, { stream_id: target.id, propagate_mode: 'change_all' })
        },
      },
      {
        // No watcher may read the private channel.
        to: [],
        act: async ({ boss, channel, secret }) => {
          const id = await post(boss, channel.id, newName('hiding'))
          await call(boss, 'PATCH', `/messages/${id}`, { stream_id: secret.id, propagate_mode: 'change_all' })
        },
      },
    ],
  }
}

function deletions(): EventCase {
  return {
    steps: [
      {
        to: EVERYBODY,
        act: async (cast) => {
          const { boss, channel } = cast
          const ids = [
            await post(boss, channel.id, '', 'to be deleted'),
            await post(boss, channel.id, 'names', '@**all** to be deleted'),
            await write(boss, watchersOf(cast), 'to be deleted'),
          ]
          await each(cast, EVERYBODY, (user) =>
            call(user, 'POST', '/messages/flags', { messages: ids, op: 'add', flag: 'starred' }),
          )
          for (const id of ids) await call(boss, 'DELETE', `/messages/${id}`)
        },
      },
      {
        to: EVERYBODY,
        act: async ({ boss, channel }) => {
          const topic_name = newName('doomed')
          for (let n = 0; n < 3; n += 1) await post(boss, channel.id, topic_name)
          await call(boss, 'POST', `/streams/${channel.id}/delete_topic`, { topic_name })
        },
      },
      {
        to: EVERYBODY,
        act: async ({ boss, channel, secret }) => {
          const id = await post(boss, channel.id, newName('hiding'))
          await call(boss, 'PATCH', `/messages/${id}`, { stream_id: secret.id, propagate_mode: 'change_all' })
        },
      },
    ],
  }
}

function reactions(): EventCase {
  let ids: number[] = []
  const react = (
    method: 'POST' | 'DELETE',
    user: Parameters<typeof call>[0],
    id: number,
    emoji_name: string,
  ) => call(user, method, `/messages/${id}/reactions`, { emoji_name })
  return {
    steps: [
      {
        op: 'add',
        to: EVERYBODY,
        act: async (cast) => {
          const { boss, peer, channel } = cast
          ids = [await post(boss, channel.id, 'reacted'), await write(boss, watchersOf(cast), 'reacted')]
          await react('POST', peer, ids[0]!, 'tada')
          await react('POST', boss, ids[1]!, 'boat')
          // This emoji is neither Unicode nor uploaded: how its type is spelled depends on the client.
          await react('POST', boss, ids[0]!, 'zulip')
          await each(cast, EVERYBODY, (user) => react('POST', user, ids[0]!, 'heart'))
        },
      },
      {
        op: 'remove',
        to: EVERYBODY,
        act: async ({ boss, peer }) => {
          await react('DELETE', peer, ids[0]!, 'tada')
          await react('DELETE', boss, ids[1]!, 'boat')
        },
      },
    ],
  }
}

function submessages(): EventCase {
  return {
    steps: [
      {
        to: EVERYBODY,
        act: async ({ boss, peer, channel }) => {
          const message_id = await post(boss, channel.id, 'poll', '/poll Where?\nharbour')
          const content = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 })
          await call(peer, 'POST', '/submessage', { message_id, msg_type: 'widget', content })
        },
      },
    ],
  }
}

function flags(): EventCase {
  let ids: number[] = []
  const flag = (op: string, name: string) => (user: Parameters<typeof call>[0]) =>
    call(user, 'POST', '/messages/flags', { messages: ids, op, flag: name })
  return {
    steps: [
      {
        op: 'add',
        to: EVERYBODY,
        act: async (cast) => {
          const { boss, channel } = cast
          ids = [
            await post(boss, channel.id, '', '@**all** to be read'),
            await post(boss, channel.id, 'reading'),
            await write(boss, watchersOf(cast), 'all of you, once more'),
          ]
          for (const name of ['read', 'starred', 'collapsed', 'hide_link_previews'])
            await each(cast, EVERYBODY, flag('add', name))
          for (const user of watchersOf(cast))
            ids.push(await write(cast.peer, [user]), await write(user, [user]))
        },
      },
      {
        op: 'remove',
        to: EVERYBODY,
        act: async (cast) => {
          ids = ids.slice(0, 3)
          for (const name of ['read', 'starred', 'collapsed', 'hide_link_previews'])
            await each(cast, EVERYBODY, flag('remove', name))
        },
      },
      {
        op: 'add',
        to: EVERYBODY,
        act: (cast) => each(cast, EVERYBODY, (user) => call(user, 'POST', '/mark_all_as_read')),
      },
      { op: 'remove', to: EVERYBODY, act: (cast) => each(cast, EVERYBODY, flag('remove', 'read')) },
    ],
  }
}

function typing(): EventCase {
  const type = (op: 'start' | 'stop'): EventCase['steps'][number] => ({
    op,
    to: EVERYBODY,
    act: async (cast) => {
      const to = watchersOf(cast).map(({ id }) => id)
      await call(cast.boss, 'POST', '/typing', { type: 'direct', op, to })
      await call(cast.boss, 'POST', '/typing', { type: 'stream', op, stream_id: cast.channel.id, topic: '' })
    },
  })
  return { ephemeral: true, steps: [type('start'), type('stop')] }
}

function editTyping(): EventCase {
  let id = 0
  return {
    ephemeral: true,
    steps: [
      {
        op: 'start',
        to: EVERYBODY,
        act: async ({ boss, channel }) => {
          id = await post(boss, channel.id, '')
          await call(boss, 'POST', `/messages/${id}/typing`, { op: 'start' })
        },
      },
      {
        op: 'stop',
        to: EVERYBODY,
        act: ({ boss }) => call(boss, 'POST', `/messages/${id}/typing`, { op: 'stop' }),
      },
    ],
  }
}

export const MESSAGE_CASES: Readonly<Record<string, readonly EventCase[]>> = {
  message: [messages()],
  update_message: [edits(), topicMoves(), channelMoves()],
  delete_message: [deletions()],
  reaction: [reactions()],
  submessage: [submessages()],
  update_message_flags: [flags()],
  typing: [typing()],
  typing_edit_message: [editTyping()],
}
