import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { readImageFacts } from '../../support/image-facts.ts'
import { HUGE_PNG, MOVING_GIF, NO_IMAGE, PNG, WEBP } from '../../support/images.ts'
import { changeRealm, inRealm } from '../../support/inside.ts'
import { heldAs, JPEGS } from '../../support/jpegs.ts'
import { loseAnswer } from '../../support/lost-answers.ts'
import { pngOf } from '../../support/pictures.ts'
import { cornersOf } from '../../support/pixels.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { fetchPath, postFiles, type TestFile } from '../../support/uploads.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, ann, ben, guest } = useRealm({ ann: 'member', ben: 'member', guest: 'guest' })

function post(user: TestUser, files: readonly TestFile[] = [PNG]) {
  return postFiles(user, '/users/me/avatar', files)
}

/** Returns the URL that apps derive from an avatar's URL. */
const mediumOf = (url: string) => url.replace('.png', '-medium.png')

async function bytesAt(path: string): Promise<Uint8Array> {
  const response = await fetchPath(realm, path)
  expect(response.status, path).toBe(200)
  return new Uint8Array(await response.arrayBuffer())
}

async function shown(user: TestUser, viewer: TestUser) {
  const view = { client_gravatar: true }
  return expectSuccess(await viewer.api.get(`/users/${user.id}`, view)).user
}

describe('uploading one’s avatar', () => {
  it('keeps the picture when it was stored but the answer was lost', async () => {
    const cara = await buildUser(realm)
    world.reach = (reservation) => {
      loseAnswer()
      return reservation()
    }
    expect((await post(cara)).status).toBe(503)
    const kept = await bytesAt((await shown(cara, ben)).avatar_url)
    expect(readImageFacts(kept)).toMatchObject({ type: 'png', width: 100, height: 100 })
  })

  it('shows it to everybody at once, under a new URL each time', async () => {
    const queues = [await openQueue(ben), await openQueue(guest)]
    const before = await shown(ann, ben)
    expect(before.avatar_url).toBeNull()
    const { avatar_url } = expectSuccess(await post(ann))
    expect(avatar_url).toMatch(new RegExp(`^/user_avatars/${realm.id}/[0-9a-f]{32}\\.png\\?version=2$`))
    for (const queue of queues) {
      expect(await queue.eventsOf('realm_user', 'update')).toMatchObject([
        {
          person: {
            user_id: ann.id,
            avatar_source: 'U',
            avatar_url,
            avatar_url_medium: mediumOf(avatar_url),
            avatar_version: 2,
          },
        },
      ])
    }
    expect(await shown(ann, ben)).toMatchObject({ avatar_url, avatar_version: 2 })
    const { snapshot } = await openQueue(ann)
    expect(snapshot).toMatchObject({
      avatar_url,
      avatar_url_medium: mediumOf(avatar_url),
      avatar_source: 'U',
    })
    const message = { type: 'direct', to: [ben.id], content: 'see me' }
    expectSuccess(await ann.api.post('/messages', message))
    expect((await queues[0]!.eventsOf('message'))[0]!.message.avatar_url).toBe(avatar_url)
  })

  it('removes the previous picture', async () => {
    const first = expectSuccess(await post(ann)).avatar_url
    const second = expectSuccess(await post(ann)).avatar_url
    world.clockOffset = 2
    await inRealm(realm, (object) => object.alarm())
    for (const path of [first, mediumOf(first)]) expect((await fetchPath(realm, path)).status).toBe(404)
    for (const path of [second, mediumOf(second)]) expect((await fetchPath(realm, path)).status).toBe(200)
  })

  it.each([
    ['a large one', pngOf(700, 300)],
    ['a tiny one', PNG],
    ['one that moves', MOVING_GIF],
    ['a WebP', WEBP],
  ])('%s becomes two squares in the sizes that clients expect', async (_, picture) => {
    const { avatar_url } = expectSuccess(await post(ann, [picture]))
    const square = { type: 'png', isAnimated: false }
    expect(readImageFacts(await bytesAt(avatar_url))).toEqual({ ...square, width: 100, height: 100 })
    expect(readImageFacts(await bytesAt(mediumOf(avatar_url)))).toEqual({
      ...square,
      width: 500,
      height: 500,
    })
  })

  it('rotates a photo upright by its orientation data', async () => {
    for (const jpeg of [JPEGS.baseline, JPEGS.progressive]) {
      const { avatar_url } = expectSuccess(await post(ann, [{ content: heldAs(6, jpeg) }]))
      for (const path of [avatar_url, mediumOf(avatar_url)]) {
        expect(cornersOf(await bytesAt(path))).toBe('blue red white green')
      }
    }
  })

  it('still shows pictures stored when there was only one size', async () => {
    const { avatar_url } = expectSuccess(await post(ann))
    const path = avatar_url.split('?')[0] as string
    const key = path.replace('/user_avatars', 'images').replace('.png', '')
    await env.UPLOADS.delete(`${key}-medium`)
    await env.UPLOADS.put(key, JPEGS.baseline)
    for (const address of [avatar_url, mediumOf(avatar_url)]) {
      expect(await bytesAt(address)).toEqual(JPEGS.baseline)
    }
    const avatarPath = path.replace('.png', '.jpg')
    await changeRealm(realm, ({ sql }) =>
      sql.run('UPDATE user SET avatar_path = ? WHERE id = ?', avatarPath, ann.id),
    )
    const { snapshot } = await openQueue(ann)
    for (const url of [snapshot.avatar_url, snapshot.avatar_url_medium]) {
      expect(url).toBe(avatar_url.replace('.png', '.jpg'))
      for (const address of [url, url.replace('?', '-medium.png?')]) {
        expect(await bytesAt(address)).toEqual(JPEGS.baseline)
        expect((await fetchPath(realm, address)).headers.get('Content-Type')).toBe('image/jpeg')
      }
    }
    expectSuccess(await ann.api.delete('/users/me/avatar'))
  })

  it('and deleting it returns to Gravatar', async () => {
    expectSuccess(await post(guest))
    const queue = await openQueue(ben)
    const { avatar_url } = expectSuccess(await guest.api.delete('/users/me/avatar'))
    expect(avatar_url).toMatch(
      /^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?d=identicon&version=3$/,
    )
    expect(await queue.eventsOf('realm_user', 'update')).toMatchObject([
      { person: { user_id: guest.id, avatar_source: 'G', avatar_url, avatar_version: 3 } },
    ])
  })

  it('takes exactly one image', async () => {
    const one = 'You must upload exactly one avatar.'
    expectRefusal(await post(ben, []), one)
    expectRefusal(await post(ben, [PNG, PNG]), one)
    const cutOff = { content: JPEGS.baseline.slice(0, 250) }
    for (const file of [NO_IMAGE, HUGE_PNG, cutOff, { content: '' }]) {
      expectRefusal(await post(ben, [file]), 'Could not decode image; did you upload an image file?', {
        code: 'BAD_IMAGE',
      })
    }
    expectRefusal(
      await post(ben, [{ ...PNG, content: new Uint8Array(5 * 1024 * 1024 + 1) }]),
      'Uploaded file is larger than the allowed limit of 5 MiB',
    )
    expect((await shown(ben, ann)).avatar_version).toBe(1)
  })

  it('is for administrators alone when the organization disables avatar changes', async () => {
    const { realm: strict, user } = await buildRealm({ user: 'member' })
    expectSuccess(await strict.owner.api.patch('/realm', { avatar_changes_disabled: true }))
    const text = 'Avatar changes are disabled in this organization.'
    expectRefusal(await post(user), text)
    expectRefusal(await user.api.delete('/users/me/avatar'), text)
    expectSuccess(await post(strict.owner))
  })

  it('needs credentials, and so does deleting it', async () => {
    expectUnauthorized(await realm.anonymous.post('/users/me/avatar'))
    expectUnauthorized(await realm.anonymous.delete('/users/me/avatar'))
  })
})

describe('/avatar', () => {
  const locationOf = async (path: string, user?: TestUser) => {
    const response = await fetchPath(realm, path, user)
    return [response.status, response.headers.get('location')]
  }

  it('redirects to a user’s picture, by id or address, inside and outside the API', async () => {
    const { avatar_url } = expectSuccess(await post(ann))
    for (const path of [`/avatar/${ann.id}`, `/avatar/${ann.email}`, `/api/v1/avatar/${ann.id}`]) {
      expect(await locationOf(path, guest)).toEqual([302, avatar_url])
      expect(await locationOf(`${path}/medium`, guest)).toEqual([302, mediumOf(avatar_url)])
    }
    const [status, location] = await locationOf(`/avatar/${ben.id}/medium`, ann)
    expect(status).toBe(302)
    expect(location).toMatch(/^https:\/\/secure\.gravatar\.com\/.*s=500/)
  })

  it('hides pictures of people whom the guest cannot see', async () => {
    const { realm: strict, user, outsider } = await buildRealm({ user: 'member', outsider: 'guest' })
    const { avatar_url } = expectSuccess(await post(user))
    const joined = { subscriptions: ['general', 'sandbox', 'Parley'] }
    expectSuccess(await outsider.api.delete('/users/me/subscriptions', joined))
    const members = expectSuccess(await strict.owner.api.get('/user_groups')).user_groups.find(
      ({ name }: { name: string }) => name === 'role:members',
    )
    expectSuccess(await strict.owner.api.patch('/realm', { can_access_all_users_group: { new: members.id } }))
    const seen = await fetchPath(strict, `/avatar/${user.id}`, strict.owner)
    expect(seen.headers.get('location')).toBe(avatar_url)
    const hidden = await fetchPath(strict, `/avatar/${user.id}`, outsider)
    expect(hidden.headers.get('location')).toMatch(/^https:\/\/secure\.gravatar\.com\//)
    const nobody = await fetchPath(strict, '/avatar/nobody@example.com', outsider)
    expect(nobody.headers.get('location')).toMatch(/^https:\/\/secure\.gravatar\.com\//)
  })

  it('needs credentials', async () => {
    expect((await fetchPath(realm, `/avatar/${ann.id}`)).status).toBe(401)
    expect((await fetchPath(realm, `/avatar/${ann.id}`, { ...ben, apiKey: 'x'.repeat(32) })).status).toBe(401)
  })
})
