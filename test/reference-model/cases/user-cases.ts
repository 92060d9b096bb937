import { forEachShownSetting, SHOWN_SETTINGS } from '../../../src/core/shown-settings.ts'
import { type Cast, EVERYBODY, type EventCase, ROLES } from '../case.ts'
import type { Person } from '../person.ts'
import { call, each, newName, picture, systemGroup, watchersOf } from './acts.ts'

/** A value of each setting that others see; any text does, but for those named here. */
const SAID = { ...forEachShownSetting((name) => `my ${name}`), timezone: 'Asia/Tokyo' }

function accounts(): EventCase {
  let user: Person
  const change = (params: Parameters<typeof call>[3]): EventCase['steps'][number] => ({
    op: 'update',
    to: EVERYBODY,
    act: ({ boss }) => call(boss, 'PATCH', `/users/${user.id}`, params),
  })
  return {
    steps: [
      {
        op: 'add',
        to: EVERYBODY,
        act: async ({ organization }) => {
          user = await organization.addPerson(newName('Person'))
        },
      },
      change({ full_name: newName('Renamed') }),
      change({ role: 300 }),
      change({ role: 600 }),
      change({ role: 200 }),
      ...SHOWN_SETTINGS.map((name) => ({
        op: 'update',
        to: EVERYBODY,
        act: () => call(user, 'PATCH', '/settings', { [name]: SAID[name] }),
      })),
      { op: 'update', to: EVERYBODY, act: ({ boss }) => call(boss, 'DELETE', `/users/${user.id}`) },
      { op: 'update', to: EVERYBODY, act: ({ boss }) => call(boss, 'POST', `/users/${user.id}/reactivate`) },
      {
        op: 'update',
        to: EVERYBODY,
        act: ({ boss }) => call(boss, 'DELETE', `/users/${user.id}`, { actions: { delete_profile: true } }),
      },
    ],
  }
}

/** The watchers' own name, changed and restored, and what they say of themselves. */
function ownAccounts(): EventCase {
  return {
    steps: [
      {
        op: 'update',
        to: EVERYBODY,
        act: (cast) =>
          each(cast, ROLES, async (user, role) => {
            await call(cast.boss, 'PATCH', `/users/${user.id}`, {
              full_name: `${role} ${newName('watcher')}`,
            })
            if (role !== 'bot') await call(user, 'PATCH', '/settings', SAID)
          }),
      },
      {
        op: 'update',
        to: EVERYBODY,
        act: (cast) =>
          each(cast, ROLES, (user) =>
            call(cast.boss, 'PATCH', `/users/${user.id}`, { full_name: user.fullName }),
          ),
      },
      {
        op: 'update',
        to: EVERYBODY,
        act: (cast) =>
          each(cast, ROLES, (user) => user.postFile('/users/me/avatar', picture('portrait.png'))),
      },
      {
        op: 'update',
        to: EVERYBODY,
        act: (cast) => each(cast, ['owner', 'bot'], (user) => call(user, 'DELETE', '/users/me/avatar')),
      },
    ],
  }
}

async function letGuestsSee({ boss }: Cast, who: 'role:members' | 'role:everyone') {
  const group = await systemGroup(boss, who)
  await call(boss, 'PATCH', '/realm', { can_access_all_users_group: { new: group } })
}

async function leaveAllChannels(user: Person): Promise<void> {
  const { subscriptions } = await call(user, 'GET', '/users/me/subscriptions')
  await call(user, 'DELETE', '/users/me/subscriptions', {
    subscriptions: subscriptions.map(({ name }: { name: string }) => name),
  })
}

/** Cases in which guests see only users with whom they share a channel or a conversation. */
function limitedVisibility(): EventCase {
  let stranger: Person
  let channelName = ''
  return {
    // Emitted when the first message is deleted, not when it is sent.
    ignore: ['first_message_id'],
    steps: [
      {
        op: 'add',
        to: EVERYBODY,
        act: async (cast) => {
          stranger = await cast.organization.addPerson(newName('Person'))
          channelName = newName('channel')
          await call(cast.boss, 'POST', '/users/me/subscriptions', {
            subscriptions: [{ name: channelName }],
            principals: [stranger.id, cast.watchers.guest.id],
          })
        },
      },
      {
        op: 'remove',
        to: ['guest'],
        act: async (cast) => {
          await letGuestsSee(cast, 'role:members')
          await leaveAllChannels(stranger)
        },
      },
      {
        op: 'add',
        to: ['guest'],
        act: (cast) =>
          call(cast.boss, 'POST', '/users/me/subscriptions', {
            subscriptions: [{ name: channelName }],
            principals: [stranger.id],
          }),
      },
    ],
    restore: (cast) => letGuestsSee(cast, 'role:everyone'),
  }
}

function bots(): EventCase {
  let id = 0
  const change = (params: Parameters<typeof call>[3]): EventCase['steps'][number] => ({
    op: 'update',
    to: ['owner', 'member'],
    act: ({ watchers }) => call(watchers.member, 'PATCH', `/bots/${id}`, params),
  })
  return {
    steps: [
      {
        op: 'add',
        to: ['owner', 'member'],
        act: async ({ watchers }) => {
          const bot = {
            full_name: newName('Robot'),
            short_name: newName('robot').replace(' ', '-'),
            bot_type: 1,
          }
          id = (await call(watchers.member, 'POST', '/bots', bot)).user_id
        },
      },
      change({ full_name: newName('Robot') }),
      change({ short_name: newName('robot').replace(' ', '-') }),
      change({ default_all_public_streams: true }),
      {
        op: 'add',
        to: ['owner', 'member'],
        act: ({ watchers }) =>
          watchers.member.postFile('/bots', picture('robot.png'), {
            full_name: newName('Robot'),
            short_name: newName('robot').replace(' ', '-'),
          }),
      },
      {
        op: 'update',
        to: ['owner', 'member'],
        act: ({ watchers }) =>
          watchers.member.postFile(`/bots/${id}`, picture('robot.png'), { method: 'PATCH' }),
      },
      {
        op: 'update',
        // Administrators get no key of another's bot, so nothing changes for them.
        to: ['member'],
        act: ({ watchers }) => call(watchers.member, 'POST', `/bots/${id}/api_key/regenerate`),
      },
      {
        op: 'delete',
        to: ['member'],
        act: ({ boss, peer }) => call(boss, 'PATCH', `/bots/${id}`, { bot_owner_id: peer.id }),
      },
      { op: 'update', to: ['owner'], act: ({ boss }) => call(boss, 'DELETE', `/bots/${id}`) },
    ],
  }
}

function groups(): EventCase {
  let id = 0
  let inner = 0
  const create = (cast: Cast, members: readonly Person[]) =>
    call(cast.boss, 'POST', '/user_groups/create', {
      name: newName('group'),
      description: 'some people',
      members: members.map((user) => user.id),
    }).then(({ group_id }) => group_id as number)
  const step = (
    op: string,
    method: 'POST' | 'PATCH',
    path: string,
    params: (cast: Cast) => Parameters<typeof call>[3],
  ): EventCase['steps'][number] => ({
    op,
    to: EVERYBODY,
    act: (cast) => call(cast.boss, method, `/user_groups/${id}${path}`, params(cast)),
  })
  return {
    steps: [
      {
        op: 'add',
        to: EVERYBODY,
        act: async (cast) => {
          id = await create(cast, watchersOf(cast))
          inner = await create(cast, [cast.peer])
        },
      },
      step('update', 'PATCH', '', () => ({ name: newName('group'), description: 'other people' })),
      step('update', 'PATCH', '', ({ peer }) => ({
        can_mention_group: { new: { direct_members: [peer.id], direct_subgroups: [] } },
      })),
      step('add_members', 'POST', '/members', ({ peer }) => ({ add: [peer.id] })),
      step('remove_members', 'POST', '/members', ({ watchers }) => ({ delete: [watchers.guest.id] })),
      step('add_subgroups', 'POST', '/subgroups', () => ({ add: [inner] })),
      step('remove_subgroups', 'POST', '/subgroups', () => ({ delete: [inner] })),
      { ...step('remove', 'POST', '/deactivate', () => ({})) },
      step('update', 'PATCH', '', () => ({ deactivated: false })),
      step('update', 'POST', '/deactivate', () => ({})),
    ],
  }
}

/** A user with permissions of their own appears and disappears; the guest does not know those permissions. */
function permissionsOfClosedAccounts(): EventCase {
  let holder: Person
  const close: EventCase['steps'][number]['act'] = ({ boss }) => call(boss, 'DELETE', `/users/${holder.id}`)
  const open: EventCase['steps'][number]['act'] = ({ boss }) =>
    call(boss, 'POST', `/users/${holder.id}/reactivate`)
  return {
    steps: [
      {
        op: 'add',
        to: EVERYBODY,
        act: async (cast) => {
          const { boss, channel } = cast
          holder = await cast.organization.addPerson(newName('Person'))
          await leaveAllChannels(holder)
          await letGuestsSee(cast, 'role:members')
          const named = { direct_members: [boss.id, holder.id], direct_subgroups: [] }
          await call(boss, 'POST', '/user_groups/create', {
            name: newName('group'),
            description: 'some people',
            members: [holder.id],
            can_mention_group: named,
          })
          await call(boss, 'PATCH', `/streams/${channel.id}`, { can_resolve_topics_group: { new: named } })
          await call(boss, 'PATCH', '/realm', { can_mention_many_users_group: { new: named } })
        },
      },
      { op: 'remove_members', to: ['guest'], act: close },
      { op: 'add_members', to: EVERYBODY, act: open },
      { op: 'update', to: ['guest'], act: close },
      { op: 'update', to: EVERYBODY, act: open },
    ],
    restore: async (cast) => {
      const { boss, channel } = cast
      const [administrators, nobody] = [
        await systemGroup(boss, 'role:administrators'),
        await systemGroup(boss, 'role:nobody'),
      ]
      await letGuestsSee(cast, 'role:everyone')
      await call(boss, 'PATCH', `/streams/${channel.id}`, { can_resolve_topics_group: { new: nobody } })
      await call(boss, 'PATCH', '/realm', { can_mention_many_users_group: { new: administrators } })
    },
  }
}

function presences(): EventCase {
  return {
    ephemeral: true,
    steps: [
      {
        to: EVERYBODY,
        act: ({ peer }) => call(peer, 'POST', '/users/me/presence', { status: 'active' }),
      },
    ],
  }
}

function statuses(): EventCase {
  const set = (params: Parameters<typeof call>[3]): EventCase['steps'][number] => ({
    to: EVERYBODY,
    act: ({ peer }) => call(peer, 'POST', '/users/me/status', params),
  })
  return {
    steps: [
      set({ status_text: 'at the harbour' }),
      set({ emoji_name: 'tada' }),
      set({ status_text: '' }),
      set({ emoji_name: 'heart', status_text: 'back' }),
      set({ emoji_name: '' }),
    ],
  }
}

export const USER_CASES: Readonly<Record<string, readonly EventCase[]>> = {
  realm_user: [accounts(), ownAccounts(), limitedVisibility()],
  realm_bot: [bots()],
  user_group: [groups(), permissionsOfClosedAccounts()],
  presence: [presences()],
  user_status: [statuses()],
}
