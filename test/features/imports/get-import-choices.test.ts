import { beforeEach, describe, expect, it } from 'vitest'
import { keepAlarmsAway } from '../../support/exports.ts'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { findingsIn } from '../../support/findings.ts'
import {
  archiveOf,
  beginImport,
  countOf,
  headOf,
  importAgain,
  importArchive,
  importWithId,
  type Line,
  runImport,
  runUntil,
} from '../../support/imports.ts'
import type { Json } from '../../support/json.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm, useRealmPerTest } from '../../support/use-realm.ts'

const ADA: Line = { type: 'user', id: 'u1', full_name: 'Ada Amsel', email: 'ada@example.org' }
const BEN: Line = { type: 'user', id: 'u2', full_name: 'Ben Brandt', email: 'ADA@example.org' }
const BOATS: Line = { type: 'channel', id: 'c1', name: 'boats', members: [{ user: 'u1' }] }
const SECRETS: Line = {
  type: 'channel',
  id: 'c2',
  name: 'secrets',
  privacy: 'private',
  members: [{ user: 'u1' }],
}
const message = (id: string, more: Line): Line => ({
  type: 'message',
  id,
  sender: 'u1',
  time_ms: 1_600_000_000_000,
  content: `text of ${id}`,
  ...more,
})
const ARCHIVE = [headOf('test'), ADA, BEN, BOATS, SECRETS, message('m1', { channel: 'c1' })]

async function textsIn(user: TestUser, channelId: number): Promise<string[][]> {
  const { messages } = expectSuccess(
    await user.api.get('/messages', {
      narrow: [{ operator: 'channel', operand: channelId }],
      ...{ anchor: 'oldest', num_before: 0, num_after: 100, apply_markdown: false },
    }),
  )
  return messages
    .filter(({ sender_full_name }: Json) => !sender_full_name.endsWith('Bot'))
    .map(({ subject, content }: Json) => [subject, content])
}

async function makeChannel(user: TestUser, name: string, invite_only = false): Promise<number> {
  expectSuccess(await user.api.post('/users/me/subscriptions', { subscriptions: [{ name }], invite_only }))
  return expectSuccess(await user.api.get('/get_stream_id', { stream: name })).stream_id
}

describe('the mapping of an import', () => {
  const { realm } = useRealm({})
  let id: number
  beforeEach(async () => {
    keepAlarmsAway()
    id ??= await beginImport(realm.owner, archiveOf(ARCHIVE))
    await runUntil(realm, id, 'waiting')
  })

  it.each<[object, RegExp]>([
    [{ users: { nobody: 1 } }, /no person with the id "nobody"/],
    [{ channels: { u1: 1 } }, /no channel with the id "u1"/],
    [{ profile_fields: { f1: 'Team' } }, /no profile field with the id "f1"/],
    [{ channels: { c1: 99_999 } }, /Invalid channel ID/],
    [{ users: { u1: 99_999 } }, /^Invalid user ID: 99999$/],
    [{ users: { u1: '5' } }, /mapping/],
    [{ users: ['u1'] }, /mapping/],
    [{ topic: 't'.repeat(61) }, /mapping/],
    [{ private_channels: 'no' }, /mapping/],
    [{ colour: 'red' }, /mapping/],
  ])('is refused with what is not there, or not known: %j', async (mapping, text) => {
    const before = await importWithId(realm, id)
    const { body } = await realm.owner.api.patch(`/imports/${id}`, { mapping })
    expect(body).toMatchObject({ result: 'error', msg: expect.stringMatching(text) })
    expect((await importWithId(realm, id)).mapping).toEqual(before.mapping)
  })

  it('puts nothing private into a channel that others read', async () => {
    const open = await makeChannel(realm.owner, 'open')
    expectRefusal(
      await realm.owner.api.patch(`/imports/${id}`, { mapping: { channels: { c2: open } } }),
      'The channel "secrets" is private: it can only go into a private one',
    )
  })

  it('changes only what its keys name', async () => {
    expectSuccess(await realm.owner.api.patch(`/imports/${id}`, { mapping: { topic: ' old things ' } }))
    expectSuccess(await realm.owner.api.patch(`/imports/${id}`, { mapping: { direct_messages: false } }))
    expect((await importWithId(realm, id)).mapping).toMatchObject({
      topic: 'old things',
      direct_messages: false,
      private_channels: true,
    })
  })

  it('is about people and channels that are listed with what they become', async () => {
    const namesake = await makeChannel(realm.owner, 'Boats')
    const choices = async (type: string) =>
      expectSuccess(await realm.owner.api.get(`/imports/${id}/choices`, { type })).choices
    expect(await choices('user')).toEqual([
      {
        id: 'u1',
        name: 'Ada Amsel',
        email: 'ada@example.org',
        kind: 'member',
        target_id: null,
        is_imported: false,
        clash: 'address',
      },
      {
        id: 'u2',
        name: 'Ben Brandt',
        email: 'ADA@example.org',
        kind: 'member',
        target_id: null,
        is_imported: false,
        clash: 'address',
      },
    ])
    const [boats, secrets] = [BOATS, SECRETS].map(({ id, name }) => ({
      ...{ id, name, email: null, is_imported: false },
    }))
    expect(await choices('channel')).toEqual([
      { ...boats, kind: 'public', target_id: namesake, clash: 'name' },
      { ...secrets, kind: 'private', target_id: null, clash: null },
    ])
    expect(await choices('profile_field')).toEqual([])
    expectRefusal(await realm.owner.api.get('/imports/9999/choices', { type: 'user' }), 'Invalid import ID')
  })

  it('comes with what clashes, and with what the import will cost', async () => {
    const { report, estimate } = await importWithId(realm, id)
    expect(countOf(report.found, 'people who share an address')).toBe(1)
    expect(countOf(report.found, 'messages without a topic')).toBe(1)
    expect(estimate.object_rows).toBeGreaterThan(4)
    expect(estimate.d1_bytes).toBeGreaterThan('text of m1'.length)
    expect(estimate.seconds).toBe(1)
  })
})

describe('an import', () => {
  const { realm } = useRealmPerTest()
  beforeEach(keepAlarmsAway)

  it('has no clash with the account that a person has here', async () => {
    const { full_name } = expectSuccess(await realm.owner.api.get('/users/me'))
    const me = { type: 'user', id: 'me', full_name, email: realm.owner.email }
    const other = { type: 'user', id: 'other', full_name }
    const begun = await beginImport(realm.owner, archiveOf([headOf('namesakes'), me, other]))
    const { report } = await runUntil(realm, begun, 'waiting')
    expect(countOf(report.found, 'people whose name an account has')).toBe(1)
    const { choices } = expectSuccess(
      await realm.owner.api.get(`/imports/${begun}/choices`, { type: 'user' }),
    )
    expect(choices.map((one: Json) => [one.id, one.target_id, one.clash])).toEqual([
      ['me', realm.owner.id, null],
      ['other', null, 'name'],
    ])
  })

  it('goes into the channels and the topic that an owner has chosen', async () => {
    const ann = await buildUser(realm)
    const [open, closed] = [await makeChannel(ann, 'harbour'), await makeChannel(ann, 'closed', true)]
    const principals = [realm.owner.id]
    expectSuccess(
      await ann.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'closed' }], principals }),
    )
    const archive = [
      ...ARCHIVE,
      message('m2', { channel: 'c2', topic: 'plan' }),
      message('m3', { channel: 'c1', topic: 'engine' }),
    ]
    const mapping = { channels: { c1: open, c2: closed }, topic: 'before', users: { u1: ann.id } }
    const { report } = await importArchive(realm, archive, mapping)
    expect(countOf(report.written, 'channels joined to others')).toBe(2)
    expect(await textsIn(ann, open)).toEqual([
      ['before', 'text of m1'],
      ['engine', 'text of m3'],
    ])
    expect(await textsIn(ann, closed)).toEqual([['plan', 'text of m2']])
    // Later ones go on in the same topic.
    await importAgain(realm, [...archive, message('m4', { channel: 'c1' })])
    expect((await textsIn(ann, open)).at(-1)).toEqual(['before', 'text of m4'])
    expect(await findingsIn(realm)).toEqual([])
  })

  it('gives profile fields the names that an owner has chosen', async () => {
    const field: Line = { type: 'profile_field', id: 'Xf1', name: 'Xf1' }
    await importArchive(realm, [...ARCHIVE, field], { profile_fields: { Xf1: ' Boat ' } })
    const { custom_fields } = expectSuccess(await realm.owner.api.get('/realm/profile_fields'))
    expect(custom_fields.map(({ name }: Json) => name)).toContain('Boat')
  })

  it('of a source that is known asks whether it is the same place', async () => {
    await importArchive(realm, ARCHIVE)
    const id = await beginImport(realm.owner, archiveOf(ARCHIVE))
    expect((await runUntil(realm, id, 'waiting')).earlier_import_id).toBe(1)
    const { body } = await realm.owner.api.patch(`/imports/${id}`, { action: 'run' })
    expect(body).toMatchObject({ result: 'error', code: 'BAD_REQUEST' })
    expect(body.msg).toContain('Something was imported from "test" before')
    expect((await importWithId(realm, id)).state).toBe('waiting')
    await runImport(realm, id, {}, { known_source: false })
    const { report } = await runUntil(realm, id, 'finished')
    expect(countOf(report.written, 'messages')).toBe(1)
  })

  it('ends clients’ queues when cancelled, if it has written anything', async () => {
    // More than a job writes before it lets others go first.
    const many = Array.from({ length: 10_000 }, (_, at) =>
      message(`n${at}`, { channel: 'c1', topic: 'many' }),
    )
    const ended = async (cancelWhen: (imported: Json) => boolean) => {
      const { queue_id, last_event_id } = expectSuccess(
        await realm.owner.api.post('/register', { event_types: ['message'] }),
      )
      const id = await beginImport(realm.owner, archiveOf([headOf('many'), ADA, BOATS, ...many]))
      await runUntil(realm, id, 'waiting')
      if (!cancelWhen(await importWithId(realm, id))) await runImport(realm, id)
      for (let run = 0; run < 50 && !cancelWhen(await importWithId(realm, id)); run += 1) {
        await runUntil(realm, id, 'writing')
      }
      expectSuccess(await realm.owner.api.patch(`/imports/${id}`, { action: 'cancel' }))
      await runUntil(realm, id, 'cancelled')
      const { body } = await realm.owner.api.get('/events', { queue_id, last_event_id, dont_block: true })
      return body.code === 'BAD_EVENT_QUEUE_ID'
    }
    expect(await ended(() => true)).toBe(false)
    expect(await ended(({ report }) => report.written.length > 0)).toBe(true)
  })
})
