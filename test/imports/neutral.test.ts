import { describe, expect, it } from 'vitest'
import { parseJson } from '../../src/core/json.ts'
import { takeRecord } from '../../src/imports/neutral.ts'
import {
  channelMentionOf,
  groupMentionOf,
  mentionOf,
  referenceTo,
  replaceReferences,
} from '../../src/imports/references.ts'

describe('a record of an import', () => {
  const message = { type: 'message', id: '1', sender: 'u1', time_ms: 1.5, content: 'Hi', to: ['u2'] }

  it('is taken with the fields that its type has', () => {
    expect(takeRecord(message)).toEqual({ record: message, passedOver: [] })
  })

  it('names fields that nobody knows, and leaves them out', () => {
    expect(takeRecord({ ...message, colour: 'red', ['__proto__x']: 1 })).toEqual({
      record: message,
      passedOver: ['message.colour', 'message.__proto__x'],
    })
    const hostile = takeRecord(
      parseJson('{"type":"user","id":"1","full_name":"A","__proto__":{"role":"owner"}}'),
    )
    expect(hostile).toEqual({
      record: { type: 'user', id: '1', full_name: 'A' },
      passedOver: ['user.__proto__'],
    })
    expect('record' in hostile && 'role' in hostile.record).toBe(false)
  })

  it('leaves out optional fields and items of another form', () => {
    const reactions = [{ user: 'u1', emoji: '+1' }, { user: 5, emoji: '+1' }, null]
    expect(takeRecord({ ...message, edited_ms: 'yesterday', reactions })).toEqual({
      record: { ...message, reactions: [reactions[0]] },
      passedOver: ['message.edited_ms', 'message.reactions[]'],
    })
  })

  it.each([
    [{ type: 'channel', id: '1', name: 'plans', privacy: 'Private' }, 'bad channel'],
    [{ type: 'channel', id: '1', name: 'plans', privacy: 'private', history_public: 'no' }, 'bad channel'],
    [{ ...message, to: ['7', 8] }, 'bad message'],
    [{ ...message, to: '7' }, 'bad message'],
    [{ ...message, channel: 7 }, 'bad message'],
    [{ type: 'user', id: '1', full_name: 'A', role: 'Guest' }, 'bad user'],
    [{ type: 'user', id: '1', full_name: 'A', deactivated: 1 }, 'bad user'],
    [{ type: 'user', id: '1', full_name: 'A', is_bot: 'yes' }, 'bad user'],
  ])('is refused where what decides who reads it has another form: %j', (value, problem) => {
    expect(takeRecord(value)).toMatchObject({ problem })
  })

  it('loses a list that has too many items, and is no end of the import', () => {
    const starred_by = Array.from({ length: 100_002 }, (_, at) => (at === 0 ? 5 : `u${at}`))
    expect(takeRecord({ ...message, starred_by })).toEqual({
      record: message,
      passedOver: ['message.starred_by[]'],
    })
    expect(takeRecord({ ...message, to: starred_by })).toMatchObject({ problem: 'bad message' })
  })

  it('is accepted even if each of a million items has another form', () => {
    const many = Array.from({ length: 1_000_000 }, () => [])
    expect(takeRecord({ ...message, starred_by: many, edits: many, reactions: many })).toEqual({
      record: { ...message, starred_by: [], edits: [], reactions: [] },
      passedOver: ['message.edits[]', 'message.reactions[]', 'message.starred_by[]'],
    })
  })

  it('is taken or refused, and never throws, whatever its fields have', () => {
    const odd = [
      null,
      '',
      'x'.repeat(5_000),
      -1,
      Number.POSITIVE_INFINITY,
      {},
      [],
      [[]],
      [{}],
      [null, 5, 'a'],
      { length: 3 },
      true,
    ]
    const types =
      'parley-import user group channel emoji file message read_state user_topic problem realm_setting'
    const names =
      'id name full_name members profile image content time_ms to unread reactions edits __proto__ value'
    for (const type of types.split(' ')) {
      for (const [at, value] of odd.entries()) {
        const fields = names
          .split(' ')
          .map((name, of) => [name, odd[(at * 7 + of * 5) % odd.length]] as const)
        const taken = takeRecord({ type, ...Object.fromEntries(fields), privacy: value, version: value })
        expect('record' in taken || taken.problem.length > 0).toBe(true)
      }
    }
  })

  it.each([
    [{ ...message, time_ms: Number.NaN }, 'bad message'],
    [{ ...message, time_ms: undefined }, 'bad message'],
    [{ ...message, content: null }, 'bad message'],
    [{ ...message, id: 'x'.repeat(201) }, 'bad message'],
    [{ type: '__proto__', id: '1' }, 'unknown type'],
    [{ type: { toString: 1 } }, 'unknown type'],
    [{}, 'unknown type'],
    [[], 'no record'],
    [null, 'no record'],
    ['text', 'no record'],
  ])('is a problem without what it must have: %j', (value, problem) => {
    expect(takeRecord(value)).toMatchObject({ problem })
  })
})

describe('references in the text of an import', () => {
  it('are replaced in all their forms, whatever the id has', () => {
    const id = "a b)*]('!~/%_>ü"
    const seen: unknown[] = []
    const text = `${mentionOf(id)} [the **plan**](${referenceTo('message', id)}) ![cat](${referenceTo('file', 'f1')}) ${referenceTo('channel', id)} ${channelMentionOf(id)} ${groupMentionOf(id)}.`
    const replaced = replaceReferences(text, ({ kind, id, form, label, isPicture }) => {
      seen.push([kind, id, form, label, isPicture])
      return `<${seen.length}>`
    })
    expect(replaced).toBe('<1> <2> <3> <4> <5> <6>.')
    expect(seen).toEqual([
      ['user', id, 'mention', '', false],
      ['message', id, 'link', 'the **plan**', false],
      ['file', 'f1', 'link', 'cat', true],
      ['channel', id, 'bare', '', false],
      ['channel', id, 'mention', '', false],
      ['group', id, 'mention', '', false],
    ])
  })

  it('that nobody can read stay as they are', () => {
    const text = 'parley-import:user/%E0%A4%A and parley-import:thing/1'
    expect(replaceReferences(text, () => 'x')).toBe(text)
  })
})
