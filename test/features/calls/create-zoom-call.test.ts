import { describe, expect, it } from 'vitest'
import { CALL_SETTINGS, useCallServices } from '../../support/call-services.ts'
import { buildUser, expectSuccess } from '../../support/factories.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, ann, guest } = useRealm({ ann: 'member', guest: 'guest' })
const services = useCallServices()
const PATH = '/calls/zoom/create'
const refusedUser = { code: 'UNKNOWN_ZOOM_USER' }

describe('POST /calls/zoom/create', () => {
  it('makes a meeting of the caller, with or without cameras', async () => {
    services.now.zoomUsers.add(ann.email).add(guest.email)
    expect(expectSuccess(await ann.api.post(PATH))).toMatchObject({ url: 'https://zoom.us/j/1?pwd=x' })
    expect(expectSuccess(await guest.api.post(PATH, { is_video_call: false })).url).toBe(
      'https://zoom.us/j/2?pwd=x',
    )
    expect(services.now.zoomMeetings).toEqual([meetingOf(ann.email, true), meetingOf(guest.email, false)])
  })

  it('is refused to people whom Zoom does not know, and to bots', async () => {
    services.now.zoomUsers.add(ann.email)
    expectRefusal(await guest.api.post(PATH), 'Unknown Zoom user email', refusedUser)
    expect(services.now.zoomMeetings).toEqual([])
  })

  it('is refused to visitors and closed accounts, without contacting Zoom', async () => {
    const gone = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    expectUnauthorized(await realm.anonymous.post(PATH))
    expect((await gone.api.post(PATH)).status).toBe(401)
    expect(services.now.requests).toBe(0)
  })

  it('says what failed, and nothing that Zoom or the settings say', async () => {
    services.now.zoomUsers.add(ann.email)
    const failures: [string, () => Response, string][] = [
      ['https://zoom.us/', () => new Response('{}', { status: 401 }), 'Invalid Zoom credentials'],
      ['https://zoom.us/', () => new Response('oops', { status: 500 }), 'Failed to create Zoom call'],
      ['https://zoom.us/', () => new Response('no JSON'), 'Failed to create Zoom call'],
      ['https://api.zoom.us/', () => new Response('{}', { status: 429 }), 'Failed to create Zoom call'],
      [
        'https://api.zoom.us/',
        () => Response.json({ join_url: 'javascript:alert(1)' }, { status: 201 }),
        'Failed to create Zoom call',
      ],
    ]
    for (const [start, answer, msg] of failures) {
      services.now.answers.clear()
      services.now.answers.set(start, answer)
      expectRefusal(await ann.api.post(PATH), msg)
    }
  })

  it('is refused where a setting is missing or no address', async () => {
    const { ZOOM_CLIENT_SECRET: _left, ...rest } = CALL_SETTINGS
    for (const settings of [rest, { ...CALL_SETTINGS, ZOOM_URL: 'ftp://zoom.us' }]) {
      world.settings = settings
      expectRefusal(await ann.api.post(PATH), 'Zoom is not configured on this server.')
    }
    expect(services.now.requests).toBe(0)
  })

  it('asks another Zoom where the deployment names one', async () => {
    world.settings = {
      ...CALL_SETTINGS,
      ZOOM_URL: 'https://zoomgov.com/',
      ZOOM_API_URL: 'https://api.zoomgov.com',
    }
    services.now.answers.set('https://zoomgov.com/oauth/token', () => Response.json({ access_token: 't' }))
    services.now.answers.set('https://api.zoomgov.com/v2/users/', () =>
      Response.json({ join_url: 'https://zoomgov.com/j/1' }, { status: 201 }),
    )
    expect(expectSuccess(await ann.api.post(PATH)).url).toBe('https://zoomgov.com/j/1')
  })

  it('makes at most thirty calls an hour of one account', async () => {
    world.limited = true
    // The object counts in memory.
    world.evictable = false
    services.now.zoomUsers.add(ann.email).add(guest.email)
    const limited = await buildUser(realm)
    services.now.zoomUsers.add(limited.email)
    for (let made = 0; made < 30; made += 1) expectSuccess(await limited.api.post(PATH))
    expect((await limited.api.post(PATH)).status).toBe(429)
    expectSuccess(await guest.api.post(PATH))
  })
})

function meetingOf(email: string, isVideo: boolean): object {
  return {
    email,
    type: 1,
    default_password: true,
    settings: { host_video: isVideo, participant_video: isVideo },
  }
}
