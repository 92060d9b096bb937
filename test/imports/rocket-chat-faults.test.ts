import { describe, expect, it } from 'vitest'
import { bsonOf, RawValue } from './bson-builder.ts'
import { readArchive } from './read-archive.ts'
import { type Documents, dumpOf, message, rocketChat } from './rocket-chat-dump.ts'
import { tarOf } from './tar-builder.ts'
import { archiveOf } from './zip-builder.ts'

const read = (collections: Readonly<Record<string, Documents>>) =>
  readArchive(rocketChat, archiveOf(dumpOf(collections), 'dump.tar'))

const said = message('last', 999, 'still here')

function nested(levels: number): object {
  let value: object = {}
  for (let level = 0; level < levels; level += 1) value = { in: value }
  return value
}

describe('What is wrong in one document', () => {
  it.each<[string, object | Uint8Array, string]>([
    ['no time', { ...message('x', 1, 'a'), ts: undefined }, 'message without a time'],
    ['a time that is none', { ...message('x', 1, 'a'), ts: Number.NaN }, 'message without a time'],
    ['no id', { ...message('x', 1, 'a'), _id: undefined }, 'message without an id'],
    ['no sender', { ...message('x', 1, 'a'), u: null }, 'message without a sender'],
    ['no text', { ...message('x', 1, 'a'), msg: null }, 'empty message'],
    ['an unknown room', { ...message('x', 1, 'a'), rid: 'nowhere' }, 'message in an unknown channel'],
    [
      'an unknown type of value',
      { ...message('x', 1, 'a'), odd: new RawValue(0x55, new Uint8Array(3)) },
      'not readable',
    ],
    ['too many levels', { ...message('x', 1, 'a'), md: nested(500) }, 'not readable'],
    [
      'a text longer than the document',
      { a: new RawValue(0x02, Buffer.from([255, 255, 0, 0])) },
      'not readable',
    ],
    ['a list that ends outside', { a: new RawValue(0x04, Buffer.from([255, 0, 0, 0, 0])) }, 'not readable'],
  ])('is counted, and the rest goes on: %s', async (_, document, kind) => {
    const archive = await read({ rocketchat_message: [document, said] })
    expect(archive.problems()).toEqual({ [kind]: 1 })
    expect(archive.of('problem')[0]).toMatchObject({
      file: 'dump/rocketchat/rocketchat_message.bson',
      entry: 1,
    })
    expect(archive.contents()).toEqual(['still here'])
  })

  it('names the place at which a file is damaged, and keeps what precedes it', async () => {
    const archive = await read({ rocketchat_message: [said, Buffer.from([0, 0, 0, 255, 1, 2])] })
    expect(archive.contents()).toEqual(['still here'])
    expect(archive.of('problem')).toMatchObject([
      { detail: 'is damaged from here, or ends too early', entry: 2 },
    ])
  })

  it('leaves out notices, encrypted messages, earlier versions and live chat', async () => {
    const archive = await read({
      rocketchat_room: [{ _id: 'L', t: 'l' }],
      rocketchat_message: [
        message('a', 1, 'ben', { t: 'uj' }),
        message('b', 2, 'c3RyYW5nZQ', { t: 'e2e' }),
        message('c', 3, 'before', { _hidden: true }),
        message('d', 4, 'help', { rid: 'L' }),
        said,
      ],
    })
    expect(archive.contents()).toEqual(['still here'])
    expect(archive.problems()).toEqual({
      'left out: notice uj': 1,
      'left out: encrypted message': 1,
      'left out: earlier version': 1,
      'left out: live chat': 1,
      'left out: message of such a room': 1,
    })
  })

  it('makes closed accounts for senders whom no list has', async () => {
    const archive = await read({
      rocketchat_message: [message('a', 1, 'hi', { u: { _id: 'gone1', username: '__proto__' } })],
    })
    expect(archive.of('user').at(-1)).toMatchObject({ full_name: '__proto__', deactivated: true })
  })

  it('cuts a text of 40,000 characters, and keeps the whole of it', async () => {
    const archive = await read({ rocketchat_message: [message('a', 1, 'long '.repeat(8_000))] })
    expect(archive.message('a')!.content.length).toBeLessThanOrEqual(10_000)
    expect(Buffer.from(archive.of('file')[0]!.data!, 'base64').toString()).toBe('long '.repeat(8_000))
  })
})

describe('An archive that cannot be read', () => {
  const refusal = (files: Readonly<Record<string, Uint8Array>>) =>
    readArchive(rocketChat, archiveOf(tarOf(files), 'dump.tar'))

  it('says which collection it lacks', async () => {
    const room = bsonOf({ _id: 'GENERAL', t: 'c', name: 'general' })
    await expect(refusal({ 'dump/rocketchat_room.bson': room })).rejects.toThrow('no "users.bson"')
  })

  it('says how to dump what was packed file by file', async () => {
    const packed = { 'dump/rocketchat_room.bson.gz': new Uint8Array(9) }
    await expect(refusal(packed)).rejects.toThrow('without "--gzip"')
  })
})
