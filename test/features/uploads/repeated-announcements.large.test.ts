import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { announce, seen } from '../../support/announcements.ts'
import { bytes, MIB } from '../../support/tus.ts'
import { fetchPath } from '../../support/uploads.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann } = useRealm({ ann: 'member' })

describe('an announcement that is repeated with its key', () => {
  it('stores nothing again of a file of several chunks', async () => {
    const key = crypto.randomUUID()
    const all = bytes(9 * MIB)
    const first = await announce(ann, key, all.length, all)
    expect(seen(await announce(ann, key, all.length, all))).toEqual(seen(first))
    const other = all.slice()
    other[all.length - 1]! ^= 1
    expect((await announce(ann, key, all.length, other)).status).toBe(422)
    const { url } = first.body
    const stored = new Uint8Array(await (await fetchPath(realm, url, ann)).arrayBuffer())
    expect(Buffer.compare(stored, all)).toBe(0)
  })
})
