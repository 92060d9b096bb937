import { runDurableObjectAlarm } from 'cloudflare:test'
import { expect } from 'vitest'
import { realmStub } from '../../support/api.ts'
import { expectSuccess, type TestUser } from '../../support/factories.ts'
import { archiveOf, headOf, type Line } from '../../support/imports.ts'
import { fromJson, type Json } from '../../support/json.ts'
import { upload } from '../../support/uploads.ts'
import type { Chances } from './chances.ts'
import { askAsX, type Fields, type Stage, type StageChannel } from './stage.ts'

/**
 * X, an owner, imports an archive that mentions all that X may not see, and perhaps undoes that. X hears every answer of the import, and nobody's
 * private view changes.
 */
export async function importArchive(stage: Stage, chances: Chances): Promise<void> {
  const { x, ann, ben, cid, sam } = stage
  const others = [ann, ben, cid, sam]
  const before = await Promise.all(others.map((other) => privateViewOf(stage, other)))

  const ask: Ask = async (method, path, fields = {}) => {
    const asked = `import: ${method} ${path.replaceAll(/\d+/g, '#')} ${Object.keys(fields).join()}`
    // A session would need a fresh proof.
    return fromJson(await askAsX(stage, asked, { method, path, fields, byKey: true }))
  }
  const archive = archiveFor(stage, chances)
  const file = { name: 'import.jsonl', type: 'application/jsonl', content: archive.padEnd(ARCHIVE_LENGTH) }
  const path = await upload(x, file)
  const { id } = await ask('POST', '/imports', { path_id: path.replace('/user_uploads/', '') })
  await goOn(stage)
  await decide(stage, ask, id)
  expect((await ask('PATCH', `/imports/${id}`, { action: 'run', known_source: true })).result).toBe('success')
  await goOn(stage)
  expect(await look(stage, ask, id)).toBe('finished')
  if (chances.onceIn(3)) {
    await ask('PATCH', `/imports/${id}`, { action: 'undo' })
    await goOn(stage)
    await look(stage, ask, id)
  }
  for (const [index, other] of others.entries()) {
    expect([other.fullName, await privateViewOf(stage, other)]).toEqual([other.fullName, before[index]])
  }
}

type Ask = (method: string, path: string, fields?: Fields) => Promise<Json>

/** So much more than an archive has that its length says nothing about hosts and ids. */
const ARCHIVE_LENGTH = 20_000

/** The clock stands still, so that no step of the import is the last one of a run. */
async function goOn({ realm }: Stage): Promise<void> {
  await runDurableObjectAlarm(realmStub(realm.id))
}

/** Maps channels of the archive on each channel that is here, as far as it is allowed, and people on people. */
async function decide({ channels, ann, cid, sam }: Stage, ask: Ask, id: number): Promise<void> {
  for (const type of ['user', 'channel', 'profile_field'])
    await ask('GET', `/imports/${id}/choices`, { type })
  const users = { ann: ann.id, cid: cid.id, sam: sam.id }
  await ask('PATCH', `/imports/${id}`, { mapping: { users } })
  let chosen = {}
  for (const [name, channel] of Object.entries(channels)) {
    const more = { ...chosen, [name]: channel.id }
    const { result } = await ask('PATCH', `/imports/${id}`, { mapping: { channels: more } })
    if (result === 'success') chosen = more
  }
}

/** Asks for all that the server says of an import, and reads where it may have written; returns its state. */
async function look({ channels }: Stage, ask: Ask, id: number): Promise<string> {
  for (const name of [...Object.keys(channels), 'news']) {
    const narrow = [{ operator: 'channel', operand: name }]
    await ask('GET', '/messages', { anchor: 'newest', num_before: 99, num_after: 0, narrow })
  }
  const { imports } = await ask('GET', '/imports')
  await ask('GET', `/imports/${id}/problems`)
  await ask('GET', '/audit_log')
  return imports.find((one: Json) => one.id === id).state
}

/** When things of the archive happened, in milliseconds. */
const AT = 1_600_000_000_000
const TOPICS = ['first', 'walls', 'secret plans', 'elsewhere', 'robots'] as const

function archiveFor(stage: Stage, chances: Chances): string {
  const { channels, x, file, ben } = stage
  const version = chances.below(3)
  const names = Object.keys(channels)
  const user = (id: string, more: Line = {}): Line => ({ type: 'user', id, full_name: `Once ${id}`, ...more })
  let messages = 0
  const message = (sender: string, content: string, place: Line, more: Line = {}): Line => {
    messages += 1
    return { type: 'message', id: `m${messages}`, sender, content, time_ms: AT + messages, ...place, ...more }
  }
  // Everybody else may read what is hidden from X, and X reads what they say in the new channel.
  const told = [
    ...names.flatMap((name) => TOPICS.map((topic) => `#**${name}>${topic}**`)),
    ...names.map((name) => `#**${name}** [there](parley-import:channel/${name})`),
    `[plans.txt](${file})`,
    `version ${version}`,
  ]
  const own = (of: string): Line[] => [
    { type: 'user_topic', user: of, channel: 'den', topic: 'walls', policy: 'followed' },
    { type: 'user_topic', user: of, channel: 'vault', topic: 'walls', policy: 'muted' },
    { type: 'muted_user', user: of, muted: 'sam' },
    { type: 'alert_word', user: of, word: 'fog' },
    { type: 'saved_snippet', id: `s ${of}`, user: of, title: 'T', content: 'x' },
    { type: 'draft', id: `d ${of}`, user: of, content: 'x', channel: 'vault', topic: 'walls' },
    { type: 'reminder', id: `r ${of}`, user: of, message: 'm1', due_ms: AT * 2 },
    {
      ...{ type: 'scheduled_message', id: `l ${of}`, user: of, content: 'x', channel: 'vault' },
      ...{ topic: 'walls', due_ms: AT * 2 },
    },
    { type: 'navigation_view', user: of, fragment: 'narrow/channel/parley-import:channel/vault' },
    { type: 'user_settings', user: of, settings: { color_scheme: 3 } },
  ]
  const channel = (name: string, privacy: string): Line => ({
    ...{ type: 'channel', id: name, name, privacy },
    members: ['ann', 'cid', 'sam', 'x'].map((of) => ({ user: of, muted: true })),
  })
  return archiveOf([
    headOf('the tower'),
    user('x', { email: x.email }),
    user('ben', { email: ben.email }),
    ...['ann', 'cid', 'sam', 'new'].map((id) => user(id)),
    { type: 'group', id: 'g', name: 'crew', members: ['ann', 'cid', 'x'] },
    ...names.map((name) => channel(name, name === 'lobby' || name === 'square' ? 'public' : 'private')),
    channel('news', 'private'),
    ...told.map((text) => message('ann', text, { channel: 'news', topic: 'told' })),
    ...names.flatMap((name) =>
      TOPICS.map((topic) =>
        message('cid', `of ${name} ${version}`, { channel: name, topic }, { unread_by: ['ann'] }),
      ),
    ),
    message('ann', 'to Ben', { to: ['ben'] }, { reactions: [{ user: 'ben', emoji: 'tada' }] }),
    message('cid', 'to Ann and Ben', { to: ['ann', 'ben'] }),
    message('ann', 'to X', { to: ['x'] }, { starred_by: ['x'] }),
    ...['ann', 'cid', 'x'].flatMap(own),
  ])
}

/** What somebody else has for themselves and with others where X is not, but for what the import says in their name and notices of subscribing. */
async function privateViewOf({ channels, isInAttic }: Stage, other: TestUser): Promise<unknown> {
  const { api } = other
  const hidden = [channels.vault, channels.past, ...(isInAttic ? [] : [channels.attic])]
  const isHidden = ({ name }: StageChannel) => hidden.some((channel) => channel.name === name)
  const snapshot = expectSuccess(await api.post('/register', { fetch_event_types: PRIVATE }))
  const [conversations, ...inChannels] = await Promise.all(
    [
      { operator: 'is', operand: 'dm' },
      ...hidden.map(({ id }) => ({ operator: 'channel', operand: id })),
    ].map((term) => messagesIn(other, term)),
  )
  const { reminders } = expectSuccess(await api.get('/reminders'))
  return {
    // An import counts the traffic of all channels anew, which is done once a day otherwise.
    subscriptions: snapshot.subscriptions
      .filter(isHidden)
      .map(({ stream_weekly_traffic: _traffic, is_recently_active: _active, ...rest }: Json) => rest),
    user_topics: snapshot.user_topics,
    muted_users: snapshot.muted_users,
    alert_words: snapshot.alert_words,
    saved_snippets: snapshot.saved_snippets,
    drafts: snapshot.drafts,
    scheduled_messages: snapshot.scheduled_messages,
    navigation_views: snapshot.navigation_views,
    user_settings: snapshot.user_settings,
    reminders,
    conversations: conversations!.filter(({ client }) => client !== 'Import' && client !== 'Internal'),
    inChannels,
  }
}

const PRIVATE = [
  ...['subscription', 'user_topic', 'muted_users', 'alert_words', 'saved_snippets', 'drafts'],
  ...['scheduled_messages', 'navigation_views', 'user_settings'],
]

/** Messages of a narrow; none where the user may not read. */
async function messagesIn(user: TestUser, term: Json): Promise<Json[]> {
  const params = { anchor: 'oldest', num_before: 0, num_after: 1_000, narrow: [term] }
  return (await user.api.get('/messages', params)).body.messages ?? []
}
