/** Pictures of more pixels than are decoded in the Worker. Miniflare makes them smaller as Cloudflare's Images does. */
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { dcJpeg } from '../../images/dc-jpeg.ts'
import { expectSuccess } from '../../support/factories.ts'
import { readImageFacts } from '../../support/image-facts.ts'
import { MOVING_GIF } from '../../support/images.ts'
import { heldAs, JPEGS } from '../../support/jpegs.ts'
import { pngOf } from '../../support/pictures.ts'
import { cornersOf } from '../../support/pixels.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { fetchPath, postFiles, type TestFile, upload } from '../../support/uploads.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, ann } = useRealm({ ann: 'member' })

const [WIDTH, HEIGHT] = [2_400, 1_000]
/** Red and green above blue and white: brightness, blue and red of each. */
const QUARTERS = [
  [76, 85, 255],
  [150, 44, 21],
  [29, 255, 107],
  [255, 128, 128],
] as const

const photo = dcJpeg({
  width: WIDTH,
  height: HEIGHT,
  components: [0, 1, 2].map((component) =>
    Array.from({ length: (WIDTH / 8) * (HEIGHT / 8) }, (_, block) => {
      const [x, y] = [block % (WIDTH / 8), Math.floor(block / (WIDTH / 8))]
      return QUARTERS[(y < HEIGHT / 16 ? 0 : 2) + (x < WIDTH / 16 ? 0 : 1)]![component]!
    }),
  ),
})
const jpeg = (content: Uint8Array): TestFile => ({
  name: 'photo.jpg',
  type: 'image/jpeg',
  content: new Uint8Array(content),
})
const LYING = jpeg(heldAs(6, photo))

const thumbnailOf = (path: string) =>
  `${path.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`

async function shownFor(path: string) {
  const response = await fetchPath(realm, thumbnailOf(path), ann)
  expect(response.status).toBe(200)
  return response.bytes()
}

/** The bytes that are stored next to an upload as its smaller form. */
async function storedSize(path: string): Promise<number | undefined> {
  const key = path.split('/').slice(1, 5).join('/')
  return (await env.UPLOADS.head(`${key}/840x560.webp`))?.size
}

/** Images whose every use throws an error of its own. */
const failing = (fail: () => never) => ({ IMAGES: new Proxy(env.IMAGES!, { get: () => fail }) })
const changeAvatar = (file: TestFile) => postFiles(ann, '/users/me/avatar', [file])

describe('a picture of more than 2.1 megapixels', () => {
  it('has a thumbnail, upright', async () => {
    expect(readImageFacts(await shownFor(await upload(ann, LYING)))).toMatchObject({
      type: 'webp',
      width: 233,
      height: 560,
    })
    const wide = await upload(ann, pngOf(2_200, 1_100))
    expect(readImageFacts(await shownFor(wide))).toMatchObject({ type: 'webp', width: 840, height: 420 })
  })

  it.each([
    [1, 'red green blue white'],
    [4, 'blue white red green'],
    [6, 'blue red white green'],
  ])('becomes an upright avatar, held as %i', async (orientation, corners) => {
    const { avatar_url } = expectSuccess(await changeAvatar(jpeg(heldAs(orientation, photo))))
    const medium = await (await fetchPath(realm, avatar_url.replace('.png', '-medium.png'))).bytes()
    expect(readImageFacts(medium)).toMatchObject({ type: 'png', width: 500, height: 500 })
    expect(cornersOf(medium)).toBe(corners)
  })

  it('may also be small and for print', async () => {
    const path = await upload(ann, jpeg(JPEGS.print))
    expect(readImageFacts(await shownFor(path))).toMatchObject({ type: 'webp', width: 32, height: 16 })
  })
})

describe('without Cloudflare’s Images', () => {
  it('a large picture is shown as it is, and is no avatar', async () => {
    world.bindings = { IMAGES: undefined }
    const path = await upload(ann, LYING)
    for (const _ of ['first', 'again']) expect(await shownFor(path)).toEqual(LYING.content)
    expect(await storedSize(path)).toBe(0)
    expectRefusal(await changeAvatar(LYING), 'Could not decode image; did you upload an image file?', {
      code: 'BAD_IMAGE',
    })
  })

  it('smaller ones have thumbnails, and animations become avatars', async () => {
    world.bindings = { IMAGES: undefined }
    const path = await upload(ann, pngOf(1_920, 1_080))
    expect(readImageFacts(await shownFor(path))).toMatchObject({ type: 'webp', width: 840 })
    expectSuccess(await changeAvatar(MOVING_GIF))
  })
})

describe('while Images does not work', () => {
  it('a large picture is shown as it is, and has a thumbnail later', async () => {
    const path = await upload(ann, LYING)
    world.bindings = failing(() => {
      throw Object.assign(new Error('The limit is reached'), { code: 9422 })
    })
    expect(await shownFor(path)).toEqual(LYING.content)
    expect(await storedSize(path)).toBeUndefined()
    expect((await changeAvatar(LYING)).status).toBe(503)
    world.bindings = {}
    expect(readImageFacts(await shownFor(path))).toMatchObject({ type: 'webp', width: 233 })
  })

  it('a picture that it cannot decode is not sent again', async () => {
    let asked = 0
    world.bindings = failing(() => {
      asked += 1
      throw Object.assign(new Error('No picture'), { code: 9412 })
    })
    const path = await upload(ann, LYING)
    for (const _ of ['first', 'again']) expect(await shownFor(path)).toEqual(LYING.content)
    expect([asked, await storedSize(path)]).toEqual([1, 0])
    expectRefusal(await changeAvatar(LYING), 'Could not decode image; did you upload an image file?', {
      code: 'BAD_IMAGE',
    })
  })
})
