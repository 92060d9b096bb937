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

/** Settings of a deployment at whose app of Zoom each person logs in. */
export const ZOOM_LOGIN_SETTINGS = {
  ZOOM_CLIENT_ID: 'client-1',
  ZOOM_CLIENT_SECRET: 'zoom secret',
  ZOOM_SECRET_TOKEN: 'zoom token',
}

interface Meeting {
  readonly name: string
  readonly hasCamerasLocked: boolean
}

type Answer = () => Response | Promise<Response>

/** Stands for Zoom, BigBlueButton and Nextcloud in place of the network, with the calls as their documentation describes them. */
class CallServices {
  /** Addresses of the users of Zoom's account. */
  readonly zoomUsers = new Set<string>()
  readonly zoomMeetings: unknown[] = []
  /** Ids of users of Zoom by the access tokens that are good, and by the refresh tokens, each of which is good once. */
  readonly zoomAccess = new Map<string, string>()
  readonly zoomRefresh = new Map<string, string>()
  /** Number of refresh tokens that were exchanged. */
  zoomRenewals = 0
  /** Milliseconds that Zoom takes to exchange one. */
  zoomRenewalMs = 0
  readonly #zoomCodes = new Map<string, { user: string; challenge: string; redirectUri: string }>()
  #made = 0
  readonly rooms: unknown[] = []
  /** Meetings of BigBlueButton, by id. */
  readonly meetings = new Map<string, Meeting>()
  /** The answer to requests whose address begins with this text, in place of the right one. */
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

  /** Allows at Zoom what the page asks for to which the browser was sent. Returns the query with which it is sent back. */
  allowAtZoom(location: string, user: string): string {
    const { origin, pathname, searchParams } = new URL(location)
    const asked = Object.fromEntries(searchParams)
    if (
      `${origin}${pathname}` !== 'https://zoom.us/oauth/authorize' ||
      asked.response_type !== 'code' ||
      asked.client_id !== 'client-1' ||
      asked.code_challenge_method !== 'S256'
    ) {
      throw new Error('Zoom shows an error')
    }
    this.#made += 1
    const code = `code-${this.#made}`
    this.#zoomCodes.set(code, { user, challenge: asked.code_challenge!, redirectUri: asked.redirect_uri! })
    return `${new URLSearchParams({ code, state: asked.state! })}`
  }

  async #giveZoomToken(request: Request): Promise<Response> {
    const form = Object.fromEntries(new URLSearchParams(await request.text()))
    if (request.headers.get('Authorization') !== `Basic ${btoa('client-1:zoom secret')}`) {
      const said = { reason: 'Invalid client_id or client_secret', error: 'invalid_client' }
      return Response.json(said, { status: 400 })
    }
    switch (form.grant_type) {
      case 'account_credentials':
        if (form.account_id !== 'account-1') break
        return Response.json({ access_token: 'token-1', token_type: 'bearer', expires_in: 3599 })
      case 'authorization_code':
        return this.#tokensFor(this.#userOfCode(form))
      case 'refresh_token': {
        const user = this.zoomRefresh.get(form.refresh_token!)
        this.zoomRefresh.delete(form.refresh_token!)
        this.zoomRenewals += 1
        await new Promise((resolve) => setTimeout(resolve, this.zoomRenewalMs))
        return this.#tokensFor(user)
      }
    }
    return Response.json({ reason: 'Bad request', error: 'invalid_request' }, { status: 400 })
  }

  #userOfCode({ code = '', code_verifier = '', redirect_uri }: Record<string, string>): string | undefined {
    const allowed = this.#zoomCodes.get(code)
    this.#zoomCodes.delete(code)
    const challenge = createHash('sha256').update(code_verifier).digest('base64url')
    return allowed?.challenge === challenge && allowed.redirectUri === redirect_uri ? allowed.user : undefined
  }

  #tokensFor(user: string | undefined): Response {
    if (user === undefined) {
      return Response.json({ reason: 'Invalid Token!', error: 'invalid_grant' }, { status: 400 })
    }
    this.#made += 1
    const [access_token, refresh_token] = [`access-${this.#made}`, `refresh-${this.#made}`]
    this.zoomAccess.set(access_token, user)
    this.zoomRefresh.set(refresh_token, user)
    return Response.json({ access_token, refresh_token, token_type: 'bearer', expires_in: 3599 })
  }

  async #makeZoomMeeting(request: Request): Promise<Response> {
    const email = decodeURIComponent(new URL(request.url).pathname.split('/')[3] ?? '')
    const token = (request.headers.get('Authorization') ?? '').replace('Bearer ', '')
    const host = this.zoomAccess.get(token)
    if (email === 'me' ? host === undefined : token !== 'token-1') {
      return Response.json({ code: 124, message: 'Invalid access token.' }, { status: 401 })
    }
    if (host !== undefined) return this.#meetingMade({ host, ...fromJson(await request.text()) }, host)
    if (!this.zoomUsers.has(email)) {
      return Response.json({ code: 1001, message: `User does not exist: ${email}.` }, { status: 404 })
    }
    return this.#meetingMade({ email, ...fromJson(await request.text()) }, email)
  }

  #meetingMade(meeting: object, host_id: string): Response {
    this.zoomMeetings.push(meeting)
    const id = this.zoomMeetings.length
    return Response.json({ id, host_id, join_url: `https://zoom.us/j/${id}?pwd=x` }, { status: 201 })
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

/** Connects the deployment with the services before each test of a file. */
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
