import { beforeEach, describe, expect, it } from 'vitest'
import { keepAlarmsAway } from '../../support/exports.ts'
import { buildChannel, buildUser, expectSuccess, type TestRealm } from '../../support/factories.ts'
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
  messagesOf,
  runImport,
  runUntil,
} from '../../support/imports.ts'
import type { Json } from '../../support/json.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { readStatus } from '../../support/uploads.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'

const made = useRealmPerTest()
beforeEach(keepAlarmsAway)

const T = 1_600_000_000_000
const BASE: readonly Line[] = [
  headOf('second'),
  { type: 'user', id: 'u', full_name: 'Ada' },
  { type: 'channel', id: 'c', name: 'open sea', members: [{ user: 'u' }] },
]
const said = (id: string, content: string, at = 0): Line => ({
  type: 'message',
  id,
  sender: 'u',
  time_ms: T + at,
  channel: 'c',
  topic: 't',
  content,
})
const file = (id: string): Line => ({ type: 'file', id, name: `${id}.txt`, data: btoa(`bytes of ${id}`) })
const SEA = [{ operator: 'channel', operand: 'open sea' }]
const textsIn = async ({ owner }: TestRealm) =>
  (await messagesOf(owner, SEA)).map(({ content }) => content as string)

describe('A second run of an import', () => {
  it('keeps the files that a changed text links to, and releases the others', async () => {
    const { realm } = made
    const { owner } = realm
    const ann = await buildUser(realm)
    const as = { users: { u: ann.id } }
    const files = [file('kept'), file('dropped')]
    const [kept, dropped] = ['[a](parley-import:file/kept)', '[b](parley-import:file/dropped)']
    await importArchive(realm, [...BASE, ...files, said('m', `${kept} ${dropped}`)], as)
    const [before] = await textsIn(realm)
    const paths = [...before!.matchAll(/\/user_uploads\/[^)\s]+/g)].map(([path]) => path)
    const id = await beginImport(owner, archiveOf([...BASE, ...files, said('m', `now ${kept}`)]))
    await runUntil(realm, id, 'waiting')
    await runImport(realm, id, as, { known_source: true })
    const { report } = await runUntil(realm, id, 'finished')
    expect(countOf(report.written, 'messages with a new text')).toBe(1)
    expect(await textsIn(realm)).toEqual([`now [a](${paths[0]})`])
    const { attachments } = expectSuccess(await ann.api.get('/attachments'))
    const linked = attachments.map(({ name, messages }: { name: string; messages: unknown[] }) => [
      name,
      messages.length,
    ])
    expect(Object.fromEntries(linked)).toEqual({ 'kept.txt': 1, 'dropped.txt': 0 })
    expect(await readStatus(realm, paths[0]!, owner)).toBe(200)
    expect(await readStatus(realm, paths[1]!, owner)).not.toBe(200)
    expect(await findingsIn(realm)).toEqual([])
  })

  it('writes a message once that an archive has twice, with its last text', async () => {
    const { realm } = made
    const lines = [...BASE, said('m', 'first'), said('m', 'last', 1)]
    const { report } = await importArchive(realm, lines)
    expect(countOf(report.written, 'messages')).toBe(1)
    expect(await textsIn(realm)).toEqual(['last'])
    const again = await importAgain(realm, [...BASE, said('m', 'last', 1)])
    expect(countOf(again.report.written, 'messages with a new text')).toBe(0)
    expect(await findingsIn(realm)).toEqual([])
  })

  it('of another place keeps apart, and a third run belongs to it', async () => {
    const { realm } = made
    await importArchive(realm, [...BASE, said('m', 'of one place')])
    const other = [...BASE, said('m', 'of another place')]
    const id = await beginImport(realm.owner, archiveOf(other))
    await runUntil(realm, id, 'waiting')
    await runImport(realm, id, {}, { known_source: false })
    await runUntil(realm, id, 'finished')
    const both = ['of one place', 'of another place']
    expect(await textsIn(realm)).toEqual(both)
    // The third is joined to the last one before it.
    const { report } = await importAgain(realm, [...other, said('n', 'newer', 1)])
    expect(countOf(report.written, 'messages')).toBe(1)
    expect(countOf(report.written, 'messages with a new text')).toBe(0)
    expect(await textsIn(realm)).toEqual([...both, 'newer'])
    expect(await findingsIn(realm)).toEqual([])
  })

  it('lists what the first one has brought as decided, and refuses another decision', async () => {
    const { realm } = made
    const { owner } = realm
    const [ann, bea] = [await buildUser(realm), await buildUser(realm)]
    const [sea, lake] = [await buildChannel([owner]), await buildChannel([owner])]
    const field: Line = { type: 'profile_field', id: 'f', name: 'Boat' }
    const as = { users: { u: ann.id }, channels: { c: sea.id } }
    await importArchive(realm, [...BASE, field, said('m', 'first')], as)
    const added: readonly Line[] = [
      { type: 'user', id: 'v', full_name: 'Ben' },
      { type: 'channel', id: 'd', name: 'river', members: [{ user: 'v' }] },
      { ...said('n', 'second', 1), sender: 'v', channel: 'd' },
    ]
    const id = await beginImport(owner, archiveOf([...BASE, field, said('m', 'first'), ...added]))
    await runUntil(realm, id, 'waiting')
    const choices = async (type: string) => {
      const listed = expectSuccess(await owner.api.get(`/imports/${id}/choices`, { type })).choices
      return listed.map((one: Json) => [one.id, one.target_id, one.is_imported, one.clash])
    }
    expect(await choices('user')).toEqual([
      ['u', ann.id, true, null],
      ['v', null, false, null],
    ])
    expect(await choices('channel')).toEqual([
      ['c', sea.id, true, null],
      ['d', null, false, null],
    ])
    expect(await choices('profile_field')).toEqual([['f', expect.any(Number), true, null]])

    const decide = (mapping: object, more: object = {}) =>
      owner.api.patch(`/imports/${id}`, { mapping, ...more })
    const refusalOf = (thing: string) =>
      `An earlier import has brought the ${thing}: leave this decision out, or say with known_source that the archive is from another place`
    for (const more of [{}, { action: 'run', known_source: true }]) {
      expectRefusal(await decide({ users: { v: ann.id, u: bea.id } }, more), refusalOf('person "Ada"'))
      expectRefusal(await decide({ channels: { c: lake.id } }, more), refusalOf('channel "open sea"'))
      expectRefusal(await decide({ profile_fields: { f: 'Ship' } }, more), refusalOf('profile field "Boat"'))
    }
    // What says the same is no contradiction.
    const chosen = { users: { u: ann.id, v: bea.id }, channels: { c: sea.id, d: lake.id } }
    await runImport(realm, id, { ...chosen, profile_fields: { f: 'Boat' } }, { known_source: true })
    await runUntil(realm, id, 'finished')
    const [last] = (await messagesOf(owner, [{ operator: 'channel', operand: lake.id }])).slice(-1)
    expect(last).toMatchObject({ sender_id: bea.id, content: 'second' })
    expect(await findingsIn(realm)).toEqual([])
  })

  it('of another place can be decided about as if it were the first', async () => {
    const { realm } = made
    const { owner } = realm
    const [ann, bea] = [await buildUser(realm), await buildUser(realm)]
    await importArchive(realm, [...BASE, said('m', 'first')], { users: { u: ann.id } })
    const id = await beginImport(owner, archiveOf([...BASE, said('m', 'other')]))
    await runUntil(realm, id, 'waiting')
    expectSuccess(await owner.api.patch(`/imports/${id}`, { known_source: false }))
    expect((await importWithId(realm, id)).earlier_import_id).toBe(null)
    const { choices } = expectSuccess(await owner.api.get(`/imports/${id}/choices`, { type: 'user' }))
    expect(choices).toMatchObject([{ id: 'u', target_id: null, is_imported: false }])
    await runImport(realm, id, { users: { u: bea.id } })
    await runUntil(realm, id, 'finished')
    const sent = (await messagesOf(owner, SEA)).map(({ sender_id, content }) => [sender_id, content])
    expect(sent).toEqual([
      [ann.id, 'first'],
      [bea.id, 'other'],
    ])
    expectRefusal(await owner.api.patch(`/imports/${id}`, { known_source: false }), 'This import has ended')
  })

  it('leaves out what the first one has left out, unless an owner decides so', async () => {
    const { realm } = made
    const lines = [
      ...BASE,
      { type: 'channel', id: 'p', name: 'cabin', privacy: 'private', members: [{ user: 'u' }] },
      { ...said('hidden', 'private'), channel: 'p' },
      { ...said('direct', 'direct'), channel: undefined, topic: undefined, to: ['u'] },
    ]
    const asked = { private_channels: false, direct_messages: false, topic: 'before' }
    await importArchive(realm, lines, asked)
    const id = await beginImport(realm.owner, archiveOf([...lines, said('new', 'new', 1)]))
    expect((await runUntil(realm, id, 'waiting')).mapping).toMatchObject(asked)
    await runImport(realm, id, {}, { known_source: true })
    const { report } = await runUntil(realm, id, 'finished')
    const written = (name: string) => countOf(report.written, name)
    expect([written('private channels'), written('messages'), written('direct messages')]).toEqual([0, 1, 0])
    const last = await importAgain(realm, lines, { private_channels: true, direct_messages: true })
    expect(countOf(last.report.written, 'private channels')).toBe(1)
    expect(countOf(last.report.written, 'direct messages')).toBe(1)
    expect(await findingsIn(realm)).toEqual([])
  })
})
