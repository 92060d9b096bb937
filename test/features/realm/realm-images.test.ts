import { describe, expect, it } from 'vitest'
import { expectSuccess } from '../../support/factories.ts'
import { readImageFacts } from '../../support/image-facts.ts'
import { HUGE_PNG, NO_IMAGE, PNG } from '../../support/images.ts'
import { pngOf } from '../../support/pictures.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { fetchPath, postFiles } from '../../support/uploads.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, guest } = useRealm({ ann: 'member', guest: 'guest' })

/** Returns the size of the picture at an absolute address. */
async function sizeAt(url: string): Promise<number[]> {
  const { pathname, search } = new URL(url)
  const picture = await fetchPath(realm, pathname + search)
  const { width, height } = readImageFacts(new Uint8Array(await picture.arrayBuffer()))!
  return [width, height]
}

describe('the icon of an organization', () => {
  it('is public, also before login, at an absolute URL', async () => {
    const queue = await openQueue(guest)
    const { icon_url } = expectSuccess(await postFiles(realm.owner, '/realm/icon', [PNG]))
    expect(icon_url).toMatch(
      new RegExp(`^http://${realm.host}/user_avatars/${realm.id}/[0-9a-f]{32}\\.png\\?version=2$`),
    )
    expect(await queue.eventsOf('realm', 'update_dict')).toMatchObject([
      { property: 'icon', data: { icon_url, icon_source: 'U' } },
    ])
    const { snapshot } = await openQueue(ann)
    expect([snapshot.realm_icon_url, snapshot.realm_icon_source]).toEqual([icon_url, 'U'])
    expect((await realm.anonymous.get('/server_settings')).body.realm_icon).toBe(icon_url)
    expect((await ann.api.get('/realm/icon')).body.icon_url).toBe(icon_url)
    expect(await sizeAt(icon_url)).toEqual([100, 100])
  })

  it('can be deleted', async () => {
    expectSuccess(await postFiles(realm.owner, '/realm/icon', [PNG]))
    const queue = await openQueue(ann)
    const { icon_url } = expectSuccess(await realm.owner.api.delete('/realm/icon'))
    expect(icon_url).toMatch(/^https:\/\/secure\.gravatar\.com\//)
    expect(await queue.eventsOf('realm', 'update_dict')).toMatchObject([
      { property: 'icon', data: { icon_url, icon_source: 'G' } },
    ])
  })
})

describe('the logos of an organization', () => {
  it('are two: for light and for dark themes', async () => {
    const queue = await openQueue(ann)
    const day = expectSuccess(await postFiles(realm.owner, '/realm/logo', [PNG], { night: 'false' })).logo_url
    const night = expectSuccess(
      await postFiles(realm.owner, '/realm/logo', [pngOf(900, 300)], { night: 'true' }),
    ).logo_url
    expect(await queue.eventsOf('realm', 'update_dict')).toMatchObject([
      { property: 'logo', data: { logo_url: day, logo_source: 'U' } },
      { property: 'night_logo', data: { night_logo_url: night, night_logo_source: 'U' } },
    ])
    expect(await sizeAt(day)).toEqual([1, 1])
    expect(await sizeAt(night)).toEqual([300, 100])
    expectSuccess(await realm.owner.api.delete('/realm/logo', { night: false }))
    const { snapshot } = await openQueue(guest)
    expect([snapshot.realm_logo_source, snapshot.realm_night_logo_url]).toEqual(['D', night])
    expect((await guest.api.get('/realm/logo', { night: true })).body.logo_url).toBe(night)
  })
})

describe('pictures of an organization', () => {
  it('must be one image each', async () => {
    const { owner } = realm
    expectRefusal(await postFiles(owner, '/realm/icon', []), 'You must upload exactly one icon.')
    expectRefusal(
      await postFiles(owner, '/realm/logo', [PNG, PNG], { night: 'true' }),
      'You must upload exactly one logo.',
    )
    for (const file of [NO_IMAGE, HUGE_PNG]) {
      expectRefusal(
        await postFiles(owner, '/realm/icon', [file]),
        'Could not decode image; did you upload an image file?',
        { code: 'BAD_IMAGE' },
      )
    }
    expectRefusal(await postFiles(owner, '/realm/logo', [PNG]), "Missing 'night' argument", {
      code: 'REQUEST_VARIABLE_MISSING',
    })
  })

  it('can be changed by administrators alone', async () => {
    const role = { code: 'UNAUTHORIZED_PRINCIPAL' }
    const text = 'Must be an organization administrator'
    for (const user of [ann, guest]) {
      expectRefusal(await postFiles(user, '/realm/icon', [PNG]), text, role)
      expectRefusal(await postFiles(user, '/realm/logo', [PNG], { night: 'true' }), text, role)
      expectRefusal(await user.api.delete('/realm/icon'), text, role)
      expectRefusal(await user.api.delete('/realm/logo', { night: true }), text, role)
    }
    expectUnauthorized(await realm.anonymous.post('/realm/icon'))
    expectUnauthorized(await realm.anonymous.get('/realm/icon'))
  })
})
