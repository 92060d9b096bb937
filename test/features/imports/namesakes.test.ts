import { beforeEach, expect, it } from 'vitest'
import { keepAlarmsAway } from '../../support/exports.ts'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { findingsIn } from '../../support/findings.ts'
import { headOf, importArchive, type Line, messagesOf, runUntil } from '../../support/imports.ts'
import type { NeutralType } from '../../support/inside-types.ts'
import type { Json } from '../../support/json.ts'
import { sendTo } from '../../support/messages.ts'
import { pngOf } from '../../support/pictures.ts'
import { postFiles } from '../../support/uploads.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'

const made = useRealmPerTest()
beforeEach(keepAlarmsAway)

const LATER = 1_900_000_000
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

interface Here {
  /** Records of an archive about a thing of the same name, which say otherwise. */
  readonly lines: readonly Line[]
  /** What there is of the kind, as its own people see it. */
  present(seen: Seen): unknown
}

/** The snapshots of Ann, whose things they are, and of the owner; and the messages of Ann. */
interface Seen {
  readonly ann: Json
  readonly owner: Json
  readonly messages: readonly Json[]
  readonly pins: readonly Json[]
}

const place = { channel: 'deck', topic: 'plan' }
const own = { user: 'ann' }

/** For each type of record what it is about here: nothing of it changes. */
const HERE: Readonly<Record<NeutralType, Here>> = {
  'parley-import': { lines: [], present: ({ owner }) => [owner.realm_name, owner.realm_invite_required] },
  problem: { lines: [], present: () => [] },
  organization: {
    lines: [{ name: 'Other', description: 'Other', icon: 'picture', logo: 'picture' }],
    present: ({ owner }) => [owner.realm_description, owner.realm_icon_url, owner.realm_logo_url],
  },
  user: {
    lines: [
      {
        ...{
          id: 'ann',
          full_name: 'Other',
          email: 'ann@boats.example.com',
          role: 'owner',
          deactivated: true,
        },
        ...{
          timezone: 'Europe/Rome',
          avatar: 'picture',
          status: 'other',
          profile: [{ field: 'f', value: 'x' }],
        },
      },
    ],
    present: ({ ann, owner }) => owner.realm_users.filter(({ user_id }: Json) => user_id === ann.user_id),
  },
  profile_field: {
    lines: [{ id: 'f', name: 'Boat', hint: 'other', required: true }],
    present: ({ owner }) => owner.custom_profile_fields,
  },
  group: {
    lines: [{ id: 'g', name: 'crew', description: 'other', members: ['me'], deactivated: true }],
    present: ({ owner }) => owner.realm_user_groups.filter(({ name }: Json) => name === 'crew'),
  },
  channel_folder: {
    lines: [{ id: 'o', name: 'Boats', description: 'other' }],
    present: ({ owner }) => owner.channel_folders.slice(0, 1),
  },
  channel: {
    lines: [
      {
        ...{
          id: 'deck',
          name: 'deck',
          description: 'other',
          privacy: 'public',
          archived: true,
          folder: 'o',
        },
        ...{
          retention_days: 9,
          members: [],
          permissions: { can_administer_channel_group: { users: ['me'] } },
        },
      },
    ],
    present: ({ ann }) => ann.subscriptions.filter(({ name }: Json) => name === 'deck').map(withoutTraffic),
  },
  emoji: {
    lines: [{ id: 'octo', name: 'octo', image: 'picture' }],
    present: ({ owner }) => Object.values(owner.realm_emoji),
  },
  file: {
    lines: [{ id: 'picture', name: 'a.png', data: PNG }],
    present: ({ owner }) => owner.realm_icon_url,
  },
  message: {
    lines: [{ id: 'm', sender: 'ann', time_ms: 1_600_000_000_000, content: 'other', ...place }],
    present: ({ messages }) => messages,
  },
  read_state: {
    lines: [{ user: 'ann', unread: [['m', 'm']] }],
    present: ({ messages }) => messages.map(({ flags }) => flags),
  },
  starred_messages: {
    lines: [{ user: 'ann', messages: ['m'] }],
    present: ({ messages }) => messages.map(({ flags }) => flags),
  },
  user_topic: {
    lines: [{ ...own, channel: 'deck', topic: 'plan', policy: 'muted' }],
    present: ({ ann }) => ann.user_topics,
  },
  pin: {
    lines: [{ channel: 'deck', topic: 'plan', user: 'ann' }],
    present: ({ pins }) => pins,
  },
  muted_user: { lines: [{ ...own, muted: 'new' }], present: ({ ann }) => ann.muted_users },
  alert_word: { lines: [{ ...own, word: 'other' }], present: ({ ann }) => ann.alert_words },
  saved_snippet: {
    lines: [{ ...own, id: 's', title: 'T', content: 'other' }],
    present: ({ ann }) => ann.saved_snippets,
  },
  draft: { lines: [{ ...own, id: 'd', content: 'other', ...place }], present: ({ ann }) => ann.drafts },
  scheduled_message: {
    lines: [{ ...own, id: 'l', content: 'other', due_ms: LATER * 1_000, ...place }],
    present: ({ ann }) => ann.scheduled_messages,
  },
  reminder: {
    lines: [{ ...own, id: 'r', message: 'm', due_ms: LATER * 1_000 }],
    present: ({ ann }) => ann.reminders,
  },
  navigation_view: {
    lines: [{ ...own, fragment: 'narrow/is/starred/topic/x', name: 'other' }],
    present: ({ ann }) => ann.navigation_views,
  },
  user_settings: {
    lines: [{ ...own, settings: { color_scheme: 3 } }],
    present: ({ ann }) => ann.user_settings,
  },
  linkifier: {
    lines: [{ pattern: '#(?P<id>[0-9]+)', url_template: 'https://other.example/{id}' }],
    present: ({ owner }) => owner.realm_linkifiers,
  },
  playground: {
    lines: [{ name: 'Play', language: 'Python', url_template: 'https://other.example/{code}' }],
    present: ({ owner }) => owner.realm_playgrounds,
  },
  domain: {
    lines: [{ domain: 'boats.example.com', subdomains: false }],
    present: ({ owner }) => owner.realm_domains,
  },
  default_channel_group: {
    lines: [{ name: 'Sailors', description: 'other', channels: [] }],
    present: ({ owner }) => owner.realm_default_stream_groups,
  },
  default_setting: {
    lines: [{ name: 'color_scheme', value: 3 }],
    present: ({ owner }) => owner.realm_user_settings_defaults,
  },
  realm_setting: {
    lines: [
      { name: 'inline_image_preview', value: true },
      { name: 'can_create_groups', value: { users: ['me'] } },
      { name: 'invite_required', value: false },
    ],
    present: ({ owner }) =>
      Object.entries(owner).filter(([name]) => /^realm_(?:can_|inline|invite)/.test(name)),
  },
}
const TYPES = Object.keys(HERE) as NeutralType[]

function withoutTraffic({ stream_weekly_traffic: _, is_recently_active: __, ...rest }: Json): Json {
  return rest
}

async function seenBy(owner: TestUser, ann: TestUser, channelId: number): Promise<Seen> {
  const register = async ({ api }: TestUser) => expectSuccess(await api.post('/register', {}))
  const told = await messagesOf(ann, [{ operator: 'channel', operand: channelId }])
  return {
    ann: await register(ann),
    owner: await register(owner),
    pins: expectSuccess(await ann.api.get(`/streams/${channelId}/pins`)).pins,
    messages: told.filter(({ client }) => client !== 'Import'),
  }
}

it('An archive changes nothing of the same name that others have here', async () => {
  const { realm } = made
  const { owner } = realm
  const ann = await buildUser(realm)
  const deck = await buildChannel([ann, owner], { name: 'deck', description: 'of the deck' })
  const messageId = await sendTo(owner, deck.id, 'plan', 'here')
  const post = async ({ api }: TestUser, path: string, fields: Json) =>
    expectSuccess(await api.post(path, fields))
  await post(owner, '/realm/profile_fields', { name: 'Boat', field_type: 1, hint: 'Your boat' })
  await post(owner, '/user_groups/create', { name: 'crew', description: 'all', members: [ann.id] })
  await post(owner, '/channel_folders/create', { name: 'Boats', description: 'all' })
  await post(owner, '/realm/filters', { pattern: '#(?P<id>[0-9]+)', url_template: 'https://a.example/{id}' })
  await post(owner, '/realm/playgrounds', {
    ...{ name: 'Play', pygments_language: 'Python', url_template: 'https://a.example/{code}' },
  })
  await post(owner, '/realm/domains', { domain: 'boats.example.com', allow_subdomains: true })
  const group = { group_name: 'Sailors', description: 'all', stream_names: ['deck'] }
  await post(owner, '/default_stream_groups/create', group)
  expectSuccess(await postFiles(owner, '/realm/emoji/octo', [pngOf(8, 8)]))
  expectSuccess(await postFiles(owner, '/realm/icon', [pngOf(8, 8)]))
  expectSuccess(await postFiles(owner, '/realm/logo', [pngOf(8, 8)], { night: 'false' }))
  expectSuccess(await owner.api.patch('/realm', { inline_image_preview: false, description: 'Ours' }))
  expectSuccess(await owner.api.patch('/realm/user_settings_defaults', { color_scheme: 2 }))
  await post(ann, '/user_topics', { stream_id: deck.id, topic: 'plan', visibility_policy: 3 })
  await post(ann, '/users/me/alert_words', { alert_words: ['fog'] })
  await post(ann, '/saved_snippets', { title: 'T', content: 'mine' })
  await post(ann, '/scheduled_messages', {
    ...{ type: 'channel', to: deck.id, topic: 'plan', content: 'mine' },
    scheduled_delivery_timestamp: LATER,
  })
  await post(ann, '/reminders', { message_id: messageId, scheduled_delivery_timestamp: LATER })
  await post(ann, '/navigation_views', {
    fragment: 'narrow/is/starred/topic/x',
    is_pinned: true,
    name: 'mine',
  })

  const before = await seenBy(owner, ann, deck.id)
  const rest = TYPES.filter((type) => type !== 'parley-import' && type !== 'problem')
  const lines = rest.flatMap((type) => HERE[type].lines.map((line) => ({ type, ...line })))
  const people = ['me', 'new'].map((id) => ({ type: 'user', id, full_name: id }))
  const archive = [headOf('namesakes'), ...people, ...lines]
  const mapping = { users: { ann: ann.id, me: owner.id }, channels: { deck: deck.id } }
  const { id } = await importArchive(realm, archive, mapping)
  const written = await seenBy(owner, ann, deck.id)
  expectSuccess(await owner.api.patch(`/imports/${id}`, { action: 'undo' }))
  await runUntil(realm, id, 'undone')
  const undone = await seenBy(owner, ann, deck.id)
  for (const type of TYPES) {
    const { present } = HERE[type]
    expect([type, present(before)]).not.toEqual([type, undefined])
    expect([type, present(written)]).toEqual([type, present(before)])
    expect([type, 'undone', present(undone)]).toEqual([type, 'undone', present(before)])
  }
  expect(await findingsIn(realm)).toEqual([])
})
