import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { pngOf } from '../../support/pictures.ts'
import { fetchPath, upload } from '../../support/uploads.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann } = useRealm({ ann: 'member' })

describe('instead of a thumbnail', () => {
  it('the image itself is sent when it is too large for memory', async () => {
    const content = new Uint8Array(21 * 1024 * 1024)
    content.set(pngOf(8, 8).content as Uint8Array)
    const path = await upload(ann, { ...pngOf(8, 8), content })
    const thumbnail = `${path.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`
    const response = await fetchPath(realm, thumbnail, ann)
    expect(response.status).toBe(200)
    expect((await response.arrayBuffer()).byteLength).toBe(content.length)
    const prefix = path.split('/').slice(1, 5).join('/')
    const { objects } = await env.UPLOADS.list({ prefix })
    expect(objects.map(({ key, size }) => [key, size])).toEqual([[prefix, content.length]])
  })
})
