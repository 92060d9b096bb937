import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Browser } from '../../support/browsing.ts'
import { CALL_SETTINGS, useCallServices } from '../../support/call-services.ts'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, ann, guest } = useRealm({ ann: 'member', guest: 'guest' })
const { zoe: stranger, realm: elsewhere } = useRealm({ zoe: 'member' })
const services = useCallServices()
const PATH = '/calls/bigbluebutton/create'
const PLANS = { meeting_name: 'plans' }

describe('GET /calls/bigbluebutton/create', () => {
  it('gives a link here, and contacts no server before it is opened', async () => {
    for (const { api } of [ann, guest]) {
      expect(expectSuccess(await api.get(PATH, PLANS)).url).toMatch(/^\/calls\/bigbluebutton\/join\?/)
    }
    expect(services.now.requests).toBe(0)
  })

  it('is refused to visitors and closed accounts', async () => {
    const gone = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    expectUnauthorized(await realm.anonymous.get(PATH, PLANS))
    expect((await gone.api.get(PATH, PLANS)).status).toBe(401)
  })

  it('is refused, with its links, where the deployment is not connected', async () => {
    const link = await linkOf(ann)
    world.settings = {}
    expectRefusal(await ann.api.get(PATH, PLANS), 'BigBlueButton is not configured on this server.')
    const opened = await open(ann, link)
    expect([opened.status, await opened.text()]).toEqual([
      400,
      expect.stringContaining('BigBlueButton isn’t set up on this server.'),
    ])
  })
})

describe('the link of a call by BigBlueButton', () => {
  it('leads its maker in as the moderator, and others as viewers', async () => {
    const link = await linkOf(ann)
    const own = await entered(ann, link)
    const others = await entered(guest, link)
    expect(own).toMatchObject({ fullName: ann.fullName, userID: String(ann.id), role: 'MODERATOR' })
    expect(others).toMatchObject({ fullName: guest.fullName, userID: String(guest.id), role: 'VIEWER' })
    expect(own.meetingID).toBe(others.meetingID)
    expect([...services.now.meetings]).toEqual([[own.meetingID, { name: 'plans', hasCamerasLocked: false }]])
  })

  it('locks the cameras of a voice call', async () => {
    const link = await linkOf(ann, { voice_only: true })
    await entered(ann, link)
    expect([...services.now.meetings.values()]).toEqual([{ name: 'plans', hasCamerasLocked: true }])
  })

  it('asks browsers without a session to log in first', async () => {
    const link = await linkOf(ann)
    const answer = await new Browser(realm.host).ask('GET', link)
    expect(answer.status).toBe(302)
    const to = new URL(answer.headers.get('Location')!, `http://${realm.host}`)
    expect([to.pathname, to.searchParams.get('next')]).toEqual(['/accounts/login/', link])
    expect(services.now.requests).toBe(0)
  })

  it('holds in its own organization alone, and as it was made', async () => {
    const link = await linkOf(ann)
    const changed = [
      link.replace(`moderator=${ann.id}`, `moderator=${guest.id}`),
      link.replace('name=plans', 'name=other'),
      link.replace('voice_only=false', 'voice_only=true'),
      link.replace('meeting_id=parley-', 'meeting_id=parley_'),
      link.replace(/checksum=.*/, 'checksum='),
      '/calls/bigbluebutton/join',
    ]
    for (const other of changed) {
      const answer = await open(guest, other)
      expect([answer.status, await answer.text()]).toEqual([
        400,
        expect.stringContaining('This link isn’t for a call in this organization.'),
      ])
    }
    expect((await open(stranger, link, elsewhere.host)).status).toBe(400)
    expect(services.now.requests).toBe(0)
  })

  it('says why a call cannot begin', async () => {
    const link = await linkOf(ann)
    const failures: [() => Response | Promise<Response>, string][] = [
      [() => Promise.reject(new TypeError('no such host')), 'The BigBlueButton server isn’t responding.'],
      [() => new Response('', { status: 502 }), 'The BigBlueButton server isn’t responding.'],
      [() => new Response('<response/>'), 'The BigBlueButton server reported an error.'],
    ]
    for (const [answer, msg] of failures) {
      services.now.answers.set('https://bbb.example.test/', answer)
      const opened = await open(ann, link)
      expect([opened.status, await opened.text()]).toEqual([400, expect.stringContaining(msg)])
    }
  })

  it('says that the secret is wrong', async () => {
    world.settings = { ...CALL_SETTINGS, BIG_BLUE_BUTTON_SECRET: 'another' }
    const opened = await open(ann, await linkOf(ann))
    expect(await opened.text()).toContain('The BigBlueButton server rejected this server’s secret.')
  })
})

async function linkOf(maker: TestUser, more: { voice_only?: boolean } = {}): Promise<string> {
  return expectSuccess(await maker.api.get(PATH, { ...PLANS, ...more })).url
}

const browsers = new Map<string, Browser>()

async function open(user: TestUser, link: string, host = realm.host): Promise<Response> {
  const browser = browsers.get(user.email) ?? new Browser(host)
  if (!browsers.has(user.email)) await browser.logIn(user.email, 'a fine password')
  browsers.set(user.email, browser)
  return browser.ask('GET', link)
}

/** Opens a link, and returns what the address at BigBlueButton says, whose checksum is right. */
async function entered(user: TestUser, link: string): Promise<Record<string, string>> {
  const answer = await open(user, link)
  expect(answer.status).toBe(302)
  const location = answer.headers.get('Location')!
  const start = 'https://bbb.example.test/bigbluebutton/api/join?'
  expect(location.startsWith(start)).toBe(true)
  const [query, checksum] = location.slice(start.length).split('&checksum=')
  expect(checksum).toBe(createHash('sha256').update(`join${query}bbb secret`).digest('hex'))
  return Object.fromEntries(new URLSearchParams(query))
}
