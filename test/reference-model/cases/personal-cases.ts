import type { Json } from '../../support/json.ts'
import { EVERYBODY, type EventCase, HUMANS, type Role } from '../case.ts'
import { until } from '../until.ts'
import { call, each, newName, post, write } from './acts.ts'

function alertWords(): EventCase {
  const words = ['harbour', 'lunch']
  return {
    steps: [
      {
        to: EVERYBODY,
        act: (cast) =>
          each(cast, EVERYBODY, (user) =>
            call(user, 'POST', '/users/me/alert_words', { alert_words: words }),
          ),
      },
      {
        to: EVERYBODY,
        act: (cast) =>
          each(cast, EVERYBODY, (user) =>
            call(user, 'DELETE', '/users/me/alert_words', { alert_words: words }),
          ),
      },
    ],
  }
}

function attachments(): EventCase {
  const urls = new Map<Role, string>()
  return {
    steps: [
      {
        op: 'add',
        to: EVERYBODY,
        act: (cast) =>
          each(cast, EVERYBODY, async (user, role) =>
            urls.set(role, (await user.postFile('/user_uploads', new File(['some notes'], 'notes.txt'))).url),
          ),
      },
      {
        op: 'update',
        to: EVERYBODY,
        act: (cast) =>
          each(cast, EVERYBODY, (user, role) =>
            post(user, cast.channel.id, 'files', `[notes](${urls.get(role)})`),
          ),
      },
      {
        op: 'remove',
        to: EVERYBODY,
        act: (cast) =>
          each(cast, EVERYBODY, async (user) => {
            const { attachments } = await call(user, 'GET', '/attachments')
            for (const { id } of attachments) await call(user, 'DELETE', `/attachments/${id}`)
          }),
      },
    ],
  }
}

function drafts(): EventCase {
  const ids = new Map<Role, number[]>()
  const draft = (to: number, topic: string) => ({ type: 'stream', to: [to], topic, content: 'not yet' })
  return {
    steps: [
      {
        op: 'add',
        to: HUMANS,
        act: (cast) =>
          each(cast, HUMANS, async (user, role) => {
            const given = [
              draft(cast.channel.id, ''),
              { type: 'private', to: [user.id], topic: '', content: 'x' },
            ]
            ids.set(role, (await call(user, 'POST', '/drafts', { drafts: given })).ids)
          }),
      },
      {
        op: 'update',
        to: HUMANS,
        act: (cast) =>
          each(cast, HUMANS, (user, role) =>
            call(user, 'PATCH', `/drafts/${ids.get(role)![0]}`, { draft: draft(cast.channel.id, 'now') }),
          ),
      },
      {
        op: 'remove',
        to: HUMANS,
        act: (cast) =>
          each(cast, HUMANS, (user, role) => call(user, 'DELETE', `/drafts/${ids.get(role)![1]}`)),
      },
    ],
  }
}

function savedSnippets(): EventCase {
  const ids = new Map<Role, number[]>()
  const create = (user: Parameters<typeof call>[0]) =>
    call(user, 'POST', '/saved_snippets', { title: newName('greeting'), content: 'Good morning' })
  return {
    steps: [
      {
        op: 'add',
        to: HUMANS,
        act: (cast) =>
          each(cast, HUMANS, async (user, role) => {
            const made = [await create(user), await create(user)]
            ids.set(
              role,
              made.map(({ saved_snippet_id }) => saved_snippet_id),
            )
          }),
      },
      {
        op: 'update',
        to: HUMANS,
        act: (cast) =>
          each(cast, HUMANS, (user, role) =>
            call(user, 'PATCH', `/saved_snippets/${ids.get(role)![0]}`, { content: 'Good evening' }),
          ),
      },
      {
        op: 'remove',
        to: HUMANS,
        act: (cast) =>
          each(cast, HUMANS, (user, role) => call(user, 'DELETE', `/saved_snippets/${ids.get(role)![1]}`)),
      },
    ],
  }
}

const inAnHour = () => Math.floor(Date.now() / 1_000) + 3_600

function scheduledMessages(): EventCase {
  const ids = new Map<Role, number>()
  return {
    steps: [
      {
        op: 'add',
        to: EVERYBODY,
        act: (cast) =>
          each(cast, EVERYBODY, async (user, role) => {
            const when = { content: 'later', scheduled_delivery_timestamp: inAnHour() }
            const at = { type: 'channel', to: cast.channel.id, topic: '', ...when }
            const made = await call(user, 'POST', '/scheduled_messages', at)
            ids.set(role, made.scheduled_message_id)
            await call(user, 'POST', '/scheduled_messages', { type: 'direct', to: [user.id], ...when })
          }),
      },
      {
        op: 'update',
        to: EVERYBODY,
        act: (cast) =>
          each(cast, EVERYBODY, (user, role) =>
            call(user, 'PATCH', `/scheduled_messages/${ids.get(role)}`, { content: 'even later' }),
          ),
      },
      {
        op: 'remove',
        to: EVERYBODY,
        act: (cast) =>
          each(cast, EVERYBODY, (user, role) => call(user, 'DELETE', `/scheduled_messages/${ids.get(role)}`)),
      },
    ],
  }
}

function deliveries(): EventCase {
  return {
    steps: [
      {
        op: 'add',
        to: EVERYBODY,
        act: (cast) =>
          each(cast, EVERYBODY, (user) =>
            call(user, 'POST', '/scheduled_messages', {
              type: 'direct',
              to: [user.id],
              content: 'in time',
              scheduled_delivery_timestamp: Math.ceil(Date.now() / 1_000) + 1,
            }),
          ),
      },
      {
        op: 'remove',
        to: EVERYBODY,
        // The organization's own clock delivers them.
        act: (cast) =>
          each(cast, EVERYBODY, (user) =>
            until(async () => {
              const { scheduled_messages } = await call(user, 'GET', '/scheduled_messages')
              return !scheduled_messages.some(({ content }: Json) => content === 'in time')
            }),
          ),
      },
    ],
  }
}

function reminders(): EventCase {
  const ids = new Map<Role, number>()
  return {
    steps: [
      {
        op: 'add',
        to: HUMANS,
        act: (cast) =>
          each(cast, HUMANS, async (user, role) => {
            const message_id = await post(cast.boss, cast.channel.id, 'remember')
            const made = await call(user, 'POST', '/reminders', {
              message_id,
              scheduled_delivery_timestamp: inAnHour(),
            })
            ids.set(role, made.reminder_id)
          }),
      },
      {
        op: 'remove',
        to: HUMANS,
        act: (cast) =>
          each(cast, HUMANS, (user, role) => call(user, 'DELETE', `/reminders/${ids.get(role)}`)),
      },
    ],
  }
}

function zoomTokens(): EventCase {
  return {
    steps: [
      {
        to: HUMANS,
        act: (cast) =>
          each(cast, HUMANS, (user) =>
            cast.organization.run(user, 'connect-zoom-account', {
              tokens: 'sealed by nobody',
              expires_in: 3_600,
            }),
          ),
      },
      {
        to: HUMANS,
        // Tokens that cannot be opened are forgotten.
        act: (cast) => each(cast, HUMANS, (user) => user.request('POST', '/calls/zoom/create')),
      },
    ],
  }
}

function navigationViews(): EventCase {
  const fragment = 'narrow/is/starred/has/link'
  const path = `/navigation_views/${encodeURIComponent(fragment)}`
  return {
    steps: [
      {
        op: 'add',
        to: HUMANS,
        act: (cast) =>
          each(cast, HUMANS, (user) =>
            call(user, 'POST', '/navigation_views', { fragment, is_pinned: true, name: 'Stars only' }),
          ),
      },
      {
        op: 'update',
        to: HUMANS,
        act: (cast) => each(cast, HUMANS, (user) => call(user, 'PATCH', path, { is_pinned: false })),
      },
      { op: 'remove', to: HUMANS, act: (cast) => each(cast, HUMANS, (user) => call(user, 'DELETE', path)) },
    ],
  }
}

function onboardingSteps(): EventCase {
  return {
    steps: [
      {
        to: HUMANS,
        act: (cast) =>
          each(cast, HUMANS, (user) =>
            call(user, 'POST', '/users/me/onboarding_steps', { onboarding_step: 'intro_resolve_topic' }),
          ),
      },
    ],
  }
}

function mutedUsers(): EventCase {
  return {
    steps: [
      {
        to: HUMANS,
        act: (cast) =>
          each(cast, HUMANS, async (user) => {
            await call(user, 'POST', `/users/me/muted_users/${cast.peer.id}`)
            await call(user, 'POST', `/users/me/muted_users/${cast.boss.id}`)
            await write(cast.peer, [user], 'unheard')
          }),
      },
      {
        to: HUMANS,
        act: (cast) =>
          each(cast, HUMANS, async (user) => {
            await call(user, 'DELETE', `/users/me/muted_users/${cast.peer.id}`)
            await call(user, 'DELETE', `/users/me/muted_users/${cast.boss.id}`)
          }),
      },
    ],
  }
}

function userTopics(): EventCase {
  const set = (topic: string, visibility_policy: number): EventCase['steps'][number] => ({
    to: EVERYBODY,
    act: (cast) =>
      each(cast, EVERYBODY, (user) =>
        call(user, 'POST', '/user_topics', { stream_id: cast.channel.id, topic, visibility_policy }),
      ),
  })
  return { steps: [set('minded', 1), set('', 3), set('minded', 2), set('Minded', 3), set('', 0)] }
}

function mutedTopics(): EventCase {
  const topic = newName('quiet')
  return {
    steps: [
      {
        to: EVERYBODY,
        act: (cast) =>
          each(cast, EVERYBODY, (user) =>
            call(user, 'POST', '/user_topics', { stream_id: cast.channel.id, topic, visibility_policy: 1 }),
          ),
      },
      {
        to: EVERYBODY,
        act: (cast) =>
          each(cast, EVERYBODY, (user) =>
            call(user, 'POST', '/user_topics', {
              stream_id: cast.channel.id,
              topic: '',
              visibility_policy: 1,
            }),
          ),
      },
    ],
  }
}

const change = (settings: Json): EventCase['steps'][number]['act'] => {
  return (cast) => each(cast, HUMANS, (user) => call(user, 'PATCH', '/settings', settings))
}

function userSettings(): EventCase {
  return {
    steps: [
      { op: 'update', to: HUMANS, act: change({ color_scheme: 2, web_font_size_px: 18 }) },
      { op: 'update', to: HUMANS, act: change({ enable_sounds: false, notification_sound: 'none' }) },
      { op: 'update', to: HUMANS, act: change({ default_language: 'de' }) },
      {
        op: 'update',
        to: HUMANS,
        act: change({ color_scheme: 1, enable_sounds: true, default_language: 'en' }),
      },
    ],
  }
}

function displaySettings(): EventCase {
  return {
    steps: [
      { to: HUMANS, act: change({ twenty_four_hour_time: true, default_language: 'de' }) },
      { to: HUMANS, act: change({ twenty_four_hour_time: false, default_language: 'en' }) },
    ],
  }
}

function globalNotifications(): EventCase {
  return {
    steps: [
      { to: HUMANS, act: change({ enable_stream_desktop_notifications: true }) },
      { to: HUMANS, act: change({ enable_stream_desktop_notifications: false }) },
    ],
  }
}

let devices = 5_000

function pushDevices(): EventCase {
  const register = (user: Parameters<typeof call>[0], registration: string) => {
    devices += 1
    return call(user, 'POST', '/mobile_push/register', {
      token_kind: 'fcm',
      push_account_id: devices,
      push_public_key: btoa('a key that has thirty-two bytes.'),
      bouncer_public_key: btoa('bouncer key'),
      encrypted_push_registration: btoa(registration),
    })
  }
  return {
    // The registration itself has only an answer; the event follows when it is settled.
    steps: [
      {
        to: HUMANS,
        act: async (cast) => {
          await each(cast, HUMANS, async (user) => {
            await register(user, newName('registration'))
            await register(user, 'expired')
          })
          await each(cast, HUMANS, (user) =>
            until(async () => {
              const fetch_event_types = ['push_device']
              const { push_devices } = await call(user, 'POST', '/register', { fetch_event_types })
              return !Object.values<Json>(push_devices).some(({ status }) => status === 'pending')
            }),
          )
        },
      },
    ],
  }
}

export const PERSONAL_CASES: Readonly<Record<string, readonly EventCase[]>> = {
  alert_words: [alertWords()],
  attachment: [attachments()],
  drafts: [drafts()],
  has_zoom_token: [zoomTokens()],
  muted_topics: [mutedTopics()],
  navigation_view: [navigationViews()],
  onboarding_steps: [onboardingSteps()],
  muted_users: [mutedUsers()],
  push_device: [pushDevices()],
  reminders: [reminders()],
  saved_snippets: [savedSnippets()],
  scheduled_messages: [scheduledMessages(), deliveries()],
  update_display_settings: [displaySettings()],
  update_global_notifications: [globalNotifications()],
  user_settings: [userSettings()],
  user_topic: [userTopics()],
}
