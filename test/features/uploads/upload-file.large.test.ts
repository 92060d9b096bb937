import { describe, expect, it } from 'vitest'
import { fetchPath, upload } from '../../support/uploads.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann } = useRealm({ ann: 'member' })

describe('uploading a file', () => {
  it('stores a file larger than memory byte for byte', async () => {
    const content = new Uint8Array(20 * 1024 * 1024 + 17)
    for (let at = 0; at < content.length; at += 1) content[at] = (at * 7 + (at >> 13)) & 0xff
    const path = await upload(ann, { name: 'big.bin', type: 'application/x-big', content })
    const stored = await (await fetchPath(realm, path, ann)).arrayBuffer()
    expect(stored.byteLength).toBe(content.length)
    const digests = await Promise.all(
      [content, stored].map((bytes) => crypto.subtle.digest('SHA-256', bytes)),
    )
    expect(new Uint8Array(digests[0]!)).toEqual(new Uint8Array(digests[1]!))
  })
})
