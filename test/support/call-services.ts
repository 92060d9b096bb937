import { createHash } from 'node:crypto'
import { afterEach, beforeEach, vi } from 'vitest'
import { fromJson } from './json.ts'
import { world } from './world.ts'

/** Settings of a deployment that is connected with all services for calls. */
export const CALL_SETTINGS = {
  ZOOM_ACCOUNT_ID: 'account-1',
  ZOOM_CLIENT_ID: 'client-1',
  ZOOM_CLIENT_SECRET: 'zoom secret',
  BIG_BLUE_BUTTON_URL: 'https://bbb.example.test/bigbluebutton/',
  BIG_BLUE_BUTTON_SECRET: 'bbb secret',
  NEXTCLOUD_URL: 'https://cloud.example.test',
  NEXTCLOUD_USER: 'parley',
  NEXTCLOUD_PASSWORD: 'app password',
}

interface Meeting {
  readonly name: string
  readonly hasCamerasLocked: boolean
}

type Answer = () => Response | Promise<Response>

/** Zoom, BigBlueButton and Nextcloud in place of the network, as their documentation describes the calls that are made here. */
class CallServices {
  /** Addresses of the users of Zoom's account. */
  readonly zoomUsers = new Set<string>()
  readonly zoomMeetings: unknown[] = []
  readonly rooms: unknown[] = []
  /** Meetings of BigBlueButton, by id. */
  readonly meetings = new Map<string, Meeting>()
  /** An answer in place of the right one, to requests whose address begins so. */
  readonly answers = new Map<string, Answer>()
  requests = 0

  async answer(request: Request): Promise<Response> {
    this.requests += 1
    const { url, method } = request
    const other = [...this.answers].find(([start]) => url.startsWith(start))?.[1]
    if (other) return other()
    if (`${method} ${url}` === 'POST https://zoom.us/oauth/token') return this.#giveZoomToken(request)
    if (url.startsWith('https://api.zoom.us/v2/users/')) return this.#makeZoomMeeting(request)
    if (url.startsWith('https://bbb.example.test/bigbluebutton/api/')) return this.#begin(new URL(url))
    if (`${method} ${url}` === 'POST https://cloud.example.test/ocs/v2.php/apps/spreed/api/v4/room') {
      return this.#makeRoom(request)
    }
    throw new TypeError('no such host')
  }

  async #giveZoomToken(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text())
    const isKnown =
      request.headers.get('Authorization') === `Basic ${btoa('client-1:zoom secret')}` &&
      form.get('grant_type') === 'account_credentials' &&
      form.get('account_id') === 'account-1'
    if (!isKnown) return Response.json({ reason: 'Invalid client_id or client_secret' }, { status: 400 })
    return Response.json({ access_token: 'token-1', token_type: 'bearer', expires_in: 3599 })
  }

  async #makeZoomMeeting(request: Request): Promise<Response> {
    if (request.headers.get('Authorization') !== 'Bearer token-1') {
      return Response.json({ code: 124, message: 'Invalid access token.' }, { status: 401 })
    }
    const email = decodeURIComponent(new URL(request.url).pathname.split('/')[3] ?? '')
    if (!this.zoomUsers.has(email)) {
      return Response.json({ code: 1001, message: `User does not exist: ${email}.` }, { status: 404 })
    }
    this.zoomMeetings.push({ email, ...fromJson(await request.text()) })
    const number = this.zoomMeetings.length
    return Response.json({ id: number, join_url: `https://zoom.us/j/${number}?pwd=x` }, { status: 201 })
  }

  async #makeRoom(request: Request): Promise<Response> {
    const isKnown =
      request.headers.get('Authorization') === `Basic ${btoa('parley:app password')}` &&
      request.headers.get('OCS-APIRequest') === 'true'
    if (!isKnown) return Response.json({ ocs: { meta: { statuscode: 997 }, data: [] } }, { status: 401 })
    this.rooms.push(fromJson(await request.text()))
    return Response.json({ ocs: { meta: { statuscode: 201 }, data: { token: `room${this.rooms.length}` } } })
  }

  #begin({ pathname, search, searchParams }: URL): Response {
    const call = pathname.split('/').at(-1)
    const [query, checksum] = search.slice(1).split('&checksum=')
    const expected = createHash('sha256').update(`${call}${query}bbb secret`).digest('hex')
    const id = searchParams.get('meetingID')
    if (call !== 'create' || checksum !== expected || id === null) {
      return xml('<returncode>FAILED</returncode><messageKey>checksumError</messageKey>')
    }
    const name = searchParams.get('name')!
    this.meetings.set(id, {
      name,
      hasCamerasLocked: searchParams.get('lockSettingsDisableCam') === 'true',
    })
    return xml(`<returncode>SUCCESS</returncode><meetingID>${id}</meetingID><createTime>1</createTime>`)
  }
}

function xml(inside: string): Response {
  return new Response(`<response>${inside}</response>`, { headers: { 'Content-Type': 'text/xml' } })
}

/** Connects the deployment with the services, in each test of a file anew. */
export function useCallServices(settings: Readonly<Record<string, string>> = CALL_SETTINGS): {
  readonly now: CallServices
} {
  const services = { now: new CallServices() }
  beforeEach(() => {
    services.now = new CallServices()
    world.settings = settings
    vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) =>
      services.now.answer(new Request(input, init)),
    )
  })
  afterEach(() => vi.restoreAllMocks())
  return services
}
