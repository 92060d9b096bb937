import { type Cast, EVERYBODY, type EventCase, NON_GUESTS } from '../case.ts'
import { call, each, makeChannel, newName, post, watchersOf } from './acts.ts'

interface Channel {
  id: number
  name: string
}

function channels(): EventCase {
  let channel: Channel
  const change = (params: Parameters<typeof call>[3]): EventCase['steps'][number] => ({
    op: 'update',
    to: EVERYBODY,
    act: ({ boss }) => call(boss, 'PATCH', `/streams/${channel.id}`, params),
  })
  return {
    steps: [
      {
        op: 'create',
        to: EVERYBODY,
        act: async (cast) => {
          channel = await makeChannel([cast.boss, ...watchersOf(cast)])
        },
      },
      change({ new_name: newName('renamed') }),
      change({ description: '*about* this' }),
      change({ message_retention_days: 'unlimited', topics_policy: 'allow_empty_topic' }),
      {
        op: 'update',
        to: EVERYBODY,
        act: async ({ boss, watchers }) => {
          const new_value = { direct_members: [watchers.owner.id, boss.id], direct_subgroups: [] }
          await call(boss, 'PATCH', `/streams/${channel.id}`, { can_send_message_group: { new: new_value } })
        },
      },
      change({ is_private: true, history_public_to_subscribers: true }),
      change({ is_private: false }),
    ],
  }
}

/** Users outside a channel stop seeing it when it becomes private, and see it again when it becomes public. */
function closings(): EventCase {
  let channel: Channel
  return {
    // Emitted when the first message is deleted, not when it is sent.
    ignore: ['first_message_id'],
    steps: [
      {
        op: 'create',
        to: NON_GUESTS,
        act: async ({ boss, peer, watchers }) => {
          channel = await makeChannel([boss, peer, watchers.bot])
          await post(boss, channel.id, 'open')
        },
      },
      {
        op: 'delete',
        to: ['member'],
        act: ({ boss }) => call(boss, 'PATCH', `/streams/${channel.id}`, { is_private: true }),
      },
      {
        op: 'create',
        to: ['member'],
        act: ({ boss }) => call(boss, 'PATCH', `/streams/${channel.id}`, { is_private: false }),
      },
    ],
  }
}

function archivings(): EventCase {
  let channel: Channel
  return {
    steps: [
      {
        op: 'create',
        to: EVERYBODY,
        act: async (cast) => {
          channel = await makeChannel([cast.boss, ...watchersOf(cast)])
          await post(cast.boss, channel.id, 'before the end')
        },
      },
      { op: 'update', to: EVERYBODY, act: ({ boss }) => call(boss, 'DELETE', `/streams/${channel.id}`) },
      {
        op: 'update',
        to: EVERYBODY,
        act: ({ boss }) => call(boss, 'PATCH', `/streams/${channel.id}`, { is_archived: false }),
      },
    ],
  }
}

function firstMessages(): EventCase {
  let channel: Channel
  const ids: number[] = []
  return {
    steps: [
      {
        op: 'create',
        to: EVERYBODY,
        act: async (cast) => {
          channel = await makeChannel([cast.boss, ...watchersOf(cast)])
          const { messages } = await call(cast.boss, 'GET', '/messages', {
            anchor: 'oldest',
            num_before: 0,
            num_after: 5,
            narrow: [{ operator: 'channel', operand: channel.id }],
          })
          ids.push(...messages.map(({ id }: { id: number }) => id))
          await post(cast.boss, channel.id, 'second')
        },
      },
      { op: 'update', to: EVERYBODY, act: ({ boss }) => call(boss, 'DELETE', `/messages/${ids[0]}`) },
    ],
  }
}

function subscriptions(): EventCase {
  let open: Channel
  let closed: Channel
  const named = ({ name }: Channel) => ({ subscriptions: [{ name }] })
  return {
    // Emitted when the first message is deleted, not when it is sent.
    ignore: ['first_message_id'],
    steps: [
      {
        op: 'add',
        to: EVERYBODY,
        act: async (cast) => {
          const { boss, peer } = cast
          open = await makeChannel([boss, peer])
          closed = await makeChannel([boss, peer], { invite_only: true })
          await post(boss, open.id, 'before they came')
          await post(boss, closed.id, 'before they came')
          const principals = watchersOf(cast).map(({ id }) => id)
          await call(boss, 'POST', '/users/me/subscriptions', { ...named(open), principals })
          await call(boss, 'POST', '/users/me/subscriptions', { ...named(closed), principals })
          await post(boss, open.id, 'while they were there', '@**all** hear')
          await post(boss, closed.id, 'while they were there')
        },
      },
      {
        op: 'update',
        to: EVERYBODY,
        act: (cast) =>
          each(cast, EVERYBODY, async (user) => {
            const values = { is_muted: true, color: '#123456', pin_to_top: true, push_notifications: true }
            const subscription_data = Object.entries(values).map(([property, value]) => ({
              stream_id: open.id,
              property,
              value,
            }))
            await call(user, 'POST', '/users/me/subscriptions/properties', { subscription_data })
          }),
      },
      {
        op: 'peer_remove',
        to: EVERYBODY,
        act: async ({ peer }) => {
          await call(peer, 'DELETE', '/users/me/subscriptions', { subscriptions: [open.name] })
          await call(peer, 'DELETE', '/users/me/subscriptions', { subscriptions: [closed.name] })
        },
      },
      {
        op: 'peer_add',
        to: EVERYBODY,
        act: async ({ boss, peer }) => {
          const principals = [peer.id]
          await call(boss, 'POST', '/users/me/subscriptions', { ...named(open), principals })
          await call(boss, 'POST', '/users/me/subscriptions', { ...named(closed), principals })
        },
      },
      {
        op: 'remove',
        to: EVERYBODY,
        act: async (cast) => {
          const { boss } = cast
          // They leave one by one: users who leave together get no events about each other
          // (docs/interface/subscriptions.md#unsubscribe).
          for (const { id } of watchersOf(cast)) {
            const both = [open.name, closed.name]
            await call(boss, 'DELETE', '/users/me/subscriptions', { subscriptions: both, principals: [id] })
          }
          await post(boss, open.id, 'after they had gone')
        },
      },
      {
        // They have the messages again that they received in an earlier membership.
        op: 'add',
        to: EVERYBODY,
        act: (cast) => {
          const principals = watchersOf(cast).map(({ id }) => id)
          return call(cast.boss, 'POST', '/users/me/subscriptions', { ...named(open), principals })
        },
      },
    ],
  }
}

function defaultStreams(): EventCase {
  const call_ = (method: 'POST' | 'DELETE'): EventCase['steps'][number] => ({
    to: NON_GUESTS,
    act: ({ boss, channel }) => call(boss, method, '/default_streams', { stream_id: channel.id }),
  })
  return { steps: [call_('POST'), call_('DELETE')] }
}

/** Guests have no such lists: the member becomes one for a while, and takes the bot along. */
function listsOfGuests(): EventCase {
  const giveBoth = async ({ boss, watchers }: Cast, role: number) => {
    await call(boss, 'PATCH', `/users/${watchers.member.id}`, { role })
    await call(boss, 'PATCH', `/users/${watchers.bot.id}`, { role })
  }
  const give = (role: number): EventCase['steps'][number] => ({
    to: ['member', 'bot'],
    act: (cast) => giveBoth(cast, role),
  })
  return {
    // Emitted when the first message is deleted, not when it is sent.
    ignore: ['first_message_id'],
    steps: [
      {
        to: NON_GUESTS,
        act: async ({ boss, channel }) => {
          const group = { group_name: newName('set'), description: 'some', stream_names: [channel.name] }
          await call(boss, 'POST', '/default_stream_groups/create', group)
          await call(boss, 'POST', '/default_streams', { stream_id: channel.id })
        },
      },
      give(600),
      give(400),
      give(600),
    ],
    restore: async (cast) => {
      await giveBoth(cast, 400)
      await call(cast.boss, 'DELETE', '/default_streams', { stream_id: cast.channel.id })
    },
  }
}

function defaultStreamGroups(): EventCase {
  let id = 0
  return {
    steps: [
      {
        to: NON_GUESTS,
        act: async ({ boss, channel }) => {
          const group = { group_name: newName('set'), description: 'some', stream_names: [channel.name] }
          await call(boss, 'POST', '/default_stream_groups/create', group)
          const { realm_default_stream_groups } = await call(boss, 'POST', '/register', {
            fetch_event_types: ['default_stream_groups'],
          })
          id = realm_default_stream_groups.at(-1).id
        },
      },
      {
        to: NON_GUESTS,
        act: ({ boss }) => call(boss, 'PATCH', `/default_stream_groups/${id}`, { new_description: 'others' }),
      },
      { to: NON_GUESTS, act: ({ boss }) => call(boss, 'DELETE', `/default_stream_groups/${id}`) },
    ],
  }
}

function channelFolders(): EventCase {
  const ids: number[] = []
  const create = async ({ boss }: { boss: Parameters<typeof call>[0] }) => {
    const folder = { name: newName('folder'), description: '*some* channels' }
    ids.push((await call(boss, 'POST', '/channel_folders/create', folder)).channel_folder_id)
  }
  const change = (params: Parameters<typeof call>[3]): EventCase['steps'][number] => ({
    op: 'update',
    to: EVERYBODY,
    act: ({ boss }) => call(boss, 'PATCH', `/channel_folders/${ids[0]}`, params),
  })
  return {
    steps: [
      { op: 'add', to: EVERYBODY, act: create },
      { op: 'add', to: EVERYBODY, act: create },
      change({ name: newName('folder'), description: 'other channels' }),
      {
        op: 'reorder',
        to: EVERYBODY,
        act: ({ boss }) => call(boss, 'PATCH', '/channel_folders', { order: [...ids].reverse() }),
      },
      change({ is_archived: true }),
    ],
  }
}

function pins(): EventCase {
  let channel: Channel
  let pin: number
  return {
    ignore: ['first_message_id'],
    steps: [
      {
        to: EVERYBODY,
        act: async (cast) => {
          channel = await makeChannel([cast.boss, ...watchersOf(cast)])
          await post(cast.boss, channel.id, 'plan')
          pin = (await call(cast.boss, 'POST', `/streams/${channel.id}/pins`, { topic: 'plan' })).id
        },
      },
      { to: EVERYBODY, act: ({ boss }) => call(boss, 'DELETE', `/streams/${channel.id}/pins/${pin}`) },
    ],
  }
}

export const CHANNEL_CASES: Readonly<Record<string, readonly EventCase[]>> = {
  stream: [channels(), closings(), archivings(), firstMessages()],
  subscription: [subscriptions()],
  default_streams: [defaultStreams(), listsOfGuests()],
  default_stream_groups: [defaultStreamGroups(), listsOfGuests()],
  channel_folder: [channelFolders()],
  channel_pins: [pins()],
}
