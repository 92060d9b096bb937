import type { Json } from '../../support/json.ts'
import { EVERYBODY, type EventCase } from '../case.ts'
import { call, newName, picture, systemGroup } from './acts.ts'

const change = (op: string, params: Json): EventCase['steps'][number] => ({
  op,
  to: EVERYBODY,
  act: ({ boss }) => call(boss, 'PATCH', '/realm', params),
})

function realm(): EventCase {
  return {
    steps: [
      change('update', { name: 'Renamed', description: '*about* us' }),
      change('update', { message_retention_days: 30 }),
      change('update', { waiting_period_threshold: 3 }),
      change('update', { waiting_period_threshold: 0 }),
      change('update_dict', { message_content_edit_limit_seconds: 1_200 }),
      change('update_dict', { topics_policy: 'disable_empty_topic' }),
      change('update_dict', { topics_policy: 'allow_empty_topic' }),
      {
        op: 'update_dict',
        to: EVERYBODY,
        act: async ({ boss }) => {
          const moderators = await systemGroup(boss, 'role:moderators')
          await call(boss, 'PATCH', '/realm', { can_create_public_channel_group: { new: moderators } })
          await call(boss, 'PATCH', '/realm', { can_mention_many_users_group: { new: moderators } })
        },
      },
      {
        op: 'update_dict',
        to: EVERYBODY,
        act: ({ boss, channel }) =>
          call(boss, 'PATCH', '/realm', { new_stream_announcements_stream_id: channel.id }),
      },
    ],
    restore: async ({ boss }) => {
      const [members, everyone] = [
        await systemGroup(boss, 'role:members'),
        await systemGroup(boss, 'role:everyone'),
      ]
      await call(boss, 'PATCH', '/realm', {
        message_retention_days: 'unlimited',
        new_stream_announcements_stream_id: -1,
        can_create_public_channel_group: { new: members },
        can_mention_many_users_group: { new: everyone },
      })
    },
  }
}

function settingsDefaults(): EventCase {
  const set = (params: Json): EventCase['steps'][number] => ({
    op: 'update',
    to: EVERYBODY,
    act: ({ boss }) => call(boss, 'PATCH', '/realm/user_settings_defaults', params),
  })
  return {
    steps: [set({ color_scheme: 2, enable_sounds: false }), set({ color_scheme: 1, enable_sounds: true })],
  }
}

function domains(): EventCase {
  const domain = 'example.test'
  const step = (op: string, act: EventCase['steps'][number]['act']) => ({ op, to: EVERYBODY, act })
  return {
    steps: [
      step('add', ({ boss }) => call(boss, 'POST', '/realm/domains', { domain, allow_subdomains: false })),
      step('change', ({ boss }) =>
        call(boss, 'PATCH', `/realm/domains/${domain}`, { allow_subdomains: true }),
      ),
      step('remove', ({ boss }) => call(boss, 'DELETE', `/realm/domains/${domain}`)),
    ],
  }
}

/** `added`, `removed`: the ops by which clients of one form learn of it. */
function emoji(added: string, removed: string): EventCase {
  const name = newName('party').replace(' ', '_')
  return {
    steps: [
      {
        op: added,
        to: EVERYBODY,
        act: ({ boss }) => boss.postFile(`/realm/emoji/${name}`, picture('party.png')),
      },
      { op: removed, to: EVERYBODY, act: ({ boss }) => call(boss, 'DELETE', `/realm/emoji/${name}`) },
    ],
  }
}

function linkifiers(): EventCase {
  let id = 0
  const one = (letter: string) => ({
    pattern: `${letter}(?P<id>[0-9]+)`,
    url_template: `https://example.test/${letter}/{id}`,
  })
  const step = (act: EventCase['steps'][number]['act']) => ({ to: EVERYBODY, act })
  return {
    steps: [
      step(async ({ boss }) => {
        id = (await call(boss, 'POST', '/realm/filters', one('a'))).id
        const other = (await call(boss, 'POST', '/realm/filters', one('b'))).id
        await call(boss, 'PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [other, id] })
      }),
      step(({ boss }) => call(boss, 'PATCH', `/realm/filters/${id}`, one('c'))),
      step(({ boss }) => call(boss, 'DELETE', `/realm/filters/${id}`)),
    ],
  }
}

function playgrounds(): EventCase {
  let id = 0
  return {
    steps: [
      {
        to: EVERYBODY,
        act: async ({ boss }) => {
          const playground = {
            name: 'Try it',
            pygments_language: 'Python',
            url_template: 'https://x.test/{code}',
          }
          id = (await call(boss, 'POST', '/realm/playgrounds', playground)).id
        },
      },
      { to: EVERYBODY, act: ({ boss }) => call(boss, 'DELETE', `/realm/playgrounds/${id}`) },
    ],
  }
}

function profileFields(): EventCase {
  const ids: number[] = []
  const step = (act: EventCase['steps'][number]['act']) => ({ to: EVERYBODY, act })
  return {
    steps: [
      step(async ({ boss, watchers }) => {
        for (const field_type of [1, 5, 8]) {
          const field = { name: newName('Field'), hint: 'yours', field_type }
          ids.push((await call(boss, 'POST', '/realm/profile_fields', field)).id)
        }
        const data = [{ id: ids[0], value: '*fine*' }]
        for (const user of [boss, watchers.member, watchers.guest]) {
          await call(user, 'PATCH', '/users/me/profile_data', { data })
        }
      }),
      step(({ boss }) => call(boss, 'PATCH', `/realm/profile_fields/${ids[1]}`, { name: newName('Field') })),
      step(({ boss }) => call(boss, 'PATCH', '/realm/profile_fields', { order: ids.toReversed() })),
      step(async ({ boss }) => {
        await call(boss, 'DELETE', '/users/me/profile_data', { data: [ids[0]] })
        await call(boss, 'DELETE', `/realm/profile_fields/${ids[1]}`)
      }),
    ],
  }
}

function invites(): EventCase {
  let id = 0
  return {
    steps: [
      {
        to: ['owner', 'member'],
        act: async ({ watchers }) => {
          await call(watchers.member, 'POST', '/invites', {
            invitee_emails: `${newName('someone').replace(' ', '-')}@example.com`,
            stream_ids: [],
          })
          id = (await call(watchers.member, 'GET', '/invites')).invites.at(-1).id
        },
      },
      { to: ['owner', 'member'], act: ({ boss }) => call(boss, 'DELETE', `/invites/${id}`) },
    ],
  }
}

function exports(): EventCase {
  return { steps: [{ to: ['owner'], act: ({ boss }) => call(boss, 'POST', '/export/realm') }] }
}

function exportConsent(): EventCase {
  const set = (allow_private_data_export: boolean): EventCase['steps'][number] => ({
    to: ['owner'],
    act: ({ peer }) => call(peer, 'PATCH', '/settings', { allow_private_data_export }),
  })
  return { steps: [set(true), set(false)] }
}

export const ORGANIZATION_CASES: Readonly<Record<string, readonly EventCase[]>> = {
  custom_profile_fields: [profileFields()],
  realm: [realm()],
  realm_user_settings_defaults: [settingsDefaults()],
  realm_domains: [domains()],
  realm_emoji: [emoji('update', 'update'), emoji('add', 'update_one')],
  realm_linkifiers: [linkifiers()],
  realm_playgrounds: [playgrounds()],
  invites_changed: [invites()],
  realm_export: [exports()],
  realm_export_consent: [exportConsent()],
}
