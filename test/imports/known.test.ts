import { describe, expect, it } from 'vitest'
import { Known } from '../../src/imports/known.ts'

const contextWith = (value: (key: string) => string | undefined) => ({
  store: { get: async (key: string) => value(key), put: async () => {} },
})

describe('What a reader knows', () => {
  it('is held in memory to a limit, and the last of it always', async () => {
    const known = new Known(contextWith((key) => `value of ${key}`))
    const count = 120_000
    let missing = 0
    for (let at = 0; at < count; at += 1) {
      await known.get('user', String(at))
      // Asked for by the message that is being read.
      if (at >= 50 && known.seen('user', String(at - 50)) === undefined) missing += 1
    }
    expect(missing).toBe(0)
    expect(known.seen('user', String(count - 50))).toBe(`value of user:${count - 50}`)
    const held = Array.from({ length: count }, (_, at) => known.seen('user', String(at)))
    expect(held.filter((value) => value !== undefined).length).toBeLessThanOrEqual(100_000)
  })

  it('is the last that was put, whatever was known before', async () => {
    const known = new Known(contextWith(() => 'stored'))
    await known.put('list', 'a', 'short')
    expect(known.seen('list', 'a')).toBe('short')
    await known.put('list', 'a', 'x'.repeat(2_000))
    expect(known.seen('list', 'a')).toBeUndefined()
    expect(await known.get('list', 'a')).toBe('stored')
  })

  it('is looked up for a text that names it, with one question for each name', async () => {
    const asked: string[] = []
    const known = new Known(
      contextWith((key) => {
        asked.push(key)
        return key === 'user:gone' ? undefined : 'Ada'
      }),
    )
    const read = () => `${known.seen('user', '1')} and ${known.seen('user', 'gone')}`
    expect(await known.lookingUp(read)).toBe('Ada and undefined')
    expect(await known.lookingUp(read)).toBe('Ada and undefined')
    expect(asked).toEqual(['user:1', 'user:gone'])
  })
})
