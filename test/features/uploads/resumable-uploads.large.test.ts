import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { beginUpload, bytes, MIB, offsetOf, sendChunk } from '../../support/tus.ts'
import { fetchPath } from '../../support/uploads.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann } = useRealm({ ann: 'member' })

describe('a file that is uploaded in chunks', () => {
  it('is assembled from any number of chunks', async () => {
    const all = bytes(10 * MIB)
    const begun = await beginUpload(ann, all.length)
    let sent = 0
    for (const end of [100, 8 * MIB + 2, 9 * MIB + 3]) {
      expect((await sendChunk(ann, begun, sent, all.subarray(sent, end))).status).toBe(204)
      expect(await offsetOf(ann, begun)).toBe(end)
      sent = end
    }
    const { body } = await sendChunk(ann, begun, sent, all.subarray(sent))
    const stored = await (await fetchPath(realm, body.url, ann)).arrayBuffer()
    expect(stored.byteLength).toBe(all.length)
    // Megabytes are not printed when they differ.
    expect(Buffer.from(stored).equals(all)).toBe(true)
  })
})
