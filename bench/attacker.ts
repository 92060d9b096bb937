/**
 * The attacks of a hostile account: the largest request that each operation takes, and requests known to hurt servers.
 */
import { type ApiClient, encodeFields } from '../scripts/api-client.ts'
import { again } from './hostile-chat.ts'
import { flatPng, noisyGif, noisyJpeg } from './made-pictures.ts'
import { openSocket } from './open-socket.ts'
import { keyOfBot, type PostOfService, postsAtLimits } from './posts-of-services.ts'
import { type LargeRequest, type OpenApi, requestsAtLimits } from './values-at-limits.ts'

/** The number of rounds in which each request at its limits is sent, several at once as the attack says. */
const ROUNDS = 2

/**
 * Skipped operations, which would end the attacker's account or queue, wait by design, or are absent from a deployed Worker.
 */
const LEFT_OUT = new Set([
  'deactivate-own-user',
  'regenerate-own-api-key',
  'log-out-elsewhere',
  'get-events',
  'dev-list-users',
  'dev-fetch-api-key',
])

/** In the form of a key. */
const INVENTED_KEY = '0'.repeat(32)

/** Pictures just below the 2.1 megapixels that the Worker decodes; the one in one colour has a few kilobytes. */
const LARGE_PICTURE = flatPng(2_090, 1_000)
const LARGE_JPEG = noisyJpeg(2_080, 1_000)
/** About as large as an avatar may be (5 MiB). Cloudflare's Images scales it down. */
const LARGE_GIF = noisyGif(2_500, 2_000)
const NO_PICTURE = new Uint8Array(LARGE_GIF.length)
/** A few bytes less than the platform delivers, 32 MiB. */
const LONGEST_FRAME = 'x'.repeat(33_500_000)
const FILE = new Uint8Array(8_000_000)
const SMALL_PICTURE = flatPng(1, 1)
/** The number of files that one message links to: as many as fit into its text. */
const FILES = 100

export interface HostileCase {
  readonly name: string
  readonly isBare?: boolean
  /** Prepares the attack, before anything is measured. */
  prepare?(): Promise<unknown>
  /** Runs directly before the attack, while the others write. */
  begin?(): Promise<unknown>
  /** @param atOnce number of requests that are sent together. */
  attack(atOnce: number): Promise<Record<number, number>>
}

/** A plain member who has a few things to attack. */
export class Attacker {
  readonly #client: ApiClient
  readonly #own: Readonly<Record<string, number>>
  /** The addresses of small files. */
  readonly #files: readonly string[]
  /** The address of the bare Worker that stores files. */
  readonly #store: string

  constructor(client: ApiClient, own: Record<string, number>, files: readonly string[], store: string) {
    this.#client = client
    this.#own = own
    this.#files = files
    this.#store = store
  }

  static async prepare(client: ApiClient, store: string): Promise<Attacker> {
    const { user_id } = await client.call<{ user_id: number }>('GET', '/users/me')
    await client.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'the attacker’s own' }] })
    const channel = { stream: 'the attacker’s own' }
    const { stream_id } = await client.call<{ stream_id: number }>('GET', '/get_stream_id', channel)
    const message = { type: 'channel', to: stream_id, topic: 'mine', content: '/poll What?' }
    const { id } = await client.call<{ id: number }>('POST', '/messages', message)
    const own = { user_id, stream_id, channel_id: stream_id, message_id: id, to: stream_id }
    const files: string[] = []
    for (let at = 0; at < FILES; at += 1) {
      const { url } = await client.upload<{ url: string }>('POST', '/user_uploads', SMALL_PICTURE)
      files.push(url)
    }
    return new Attacker(client, own, files, store)
  }

  /** Every operation, with the largest request that it takes: with the attacker's key, and with an invented one. */
  async requestsAtLimits(): Promise<HostileCase[]> {
    const openApi = (await (await fetch(`${this.#client.url}/api/v1/openapi.json`)).json()) as OpenApi
    const known = { ...this.#own, dont_block: 'true', anchor: 'newest', type: 'channel', msg_type: 'widget' }
    const requests = requestsAtLimits(openApi, known).filter(({ operation }) => operation !== undefined)
    return [
      ...requests
        .filter(({ operation }) => !LEFT_OUT.has(operation))
        .map((request) => ({
          name: request.operation,
          attack: (atOnce: number) => this.#inRounds(ROUNDS, () => this.#send(request), atOnce),
        })),
      ...requests.map((request) => ({
        name: `${request.operation}, with an invented key`,
        attack: (atOnce: number) => this.#inRounds(ROUNDS, () => this.#send(request, this.#invented), atOnce),
      })),
    ]
  }

  /** Posts to every service at their limits, with every option: with the key of a bot, and with an invented one. */
  async postsOfServices(): Promise<HostileCase[]> {
    const key = await keyOfBot(this.#client)
    return postsAtLimits().flatMap((post) => [
      {
        name: post.name,
        attack: (atOnce) => this.#inRounds(ROUNDS, () => this.#postAs(post, key), atOnce),
      },
      {
        name: `${post.name}, with an invented key`,
        attack: (atOnce) => this.#inRounds(ROUNDS, () => this.#postAs(post, INVENTED_KEY), atOnce),
      },
    ])
  }

  /** Requests that have hurt servers of this API, including this one. */
  knownHarm(): HostileCase[] {
    const { stream_id, message_id } = this.#own
    const post = (path: string, params: object) => () =>
      this.#send({
        operation: '',
        method: 'POST',
        path,
        form: encodeFields(params as Record<string, object>),
      })
    const get = (path: string, params: object) => () => {
      const query = encodeFields(params as Record<string, object>)
      return this.#send({ operation: '', method: 'GET', path: `${path}?${query}`, form: undefined })
    }
    const many = (count: number, make: (index: number) => unknown) =>
      Array.from({ length: count }, (_, i) => make(i))
    const harm = (name: string, rounds: number, send: () => Promise<number>) => ({
      name,
      attack: (atOnce: number) => this.#inRounds(rounds, send, atOnce),
    })
    const bare = (...args: Parameters<typeof harm>) => ({ ...harm(...args), isBare: true })
    const votes = {
      message_id,
      msg_type: 'widget',
      content: `{"type":"new_option","idx":1,"option":"${'v'.repeat(9_000)}"}`,
    }
    const group = () => ({
      name: crypto.randomUUID(),
      description: 'd'.repeat(1_000),
      members: [],
      subgroups: [],
    })
    const words = () => ({ alert_words: many(1_000, () => crypto.randomUUID().repeat(2)) })
    const excluded = { operator: 'search', negated: true }
    // The limit of one request.
    const without = many(30, (index) => ({ ...excluded, operand: `w${index}` }))
    const narrow = { narrow: without, anchor: 'newest', num_before: 1_000, num_after: 0 }
    const draft = { type: 'stream', to: [stream_id], topic: 'mine', content: 'd'.repeat(9_000) }
    const drafts = { drafts: many(100, () => draft) }
    const toFiles = this.#files.map((file) => `[](${file})`).join(' ')
    const linking = { type: 'channel', to: stream_id, topic: 'files', content: toFiles }
    const colors = many(10_000, (at) => ({ stream_id, property: 'color', value: `#${100_000 + at}` }))
    const everything = { client_gravatar: false, include_subscribers: true }
    let length = 0
    const queue = () => ({ event_types: many(100, () => crypto.randomUUID()), fetch_event_types: [] })
    return [
      harm(
        'spaces without end, rendered',
        4,
        post('/messages/render', { content: `x${' '.repeat(1_000_000)}x` }),
      ),
      ...['c', 'csharp', 'http'].map((language) =>
        harm(
          `code of letters, rendered: ${language}`,
          4,
          post('/messages/render', {
            content: `\`\`\`${language}\n${`${'ab '.repeat(330)}\n`.repeat(10)}\`\`\``,
          }),
        ),
      ),
      harm('votes without end', 20, post('/submessage', votes)),
      harm(
        'the poll with all its votes',
        2,
        get('/messages', {
          anchor: message_id,
          num_before: 0,
          num_after: 0,
          narrow: [{ operator: 'channel', operand: stream_id }],
        }),
      ),
      harm('groups with long descriptions', 10, () => post('/user_groups/create', group())()),
      harm('alert words without end', 4, () => post('/users/me/alert_words', words())()),
      harm(
        'a long message for all alert words',
        4,
        post('/messages', { type: 'channel', to: stream_id, topic: 'mine', content: 'ab0 '.repeat(2_500) }),
      ),
      harm('words that are not to be found', 4, get('/messages', narrow)),
      harm('queues without end', 20, () => post('/register', queue())()),
      harm('everything, again and again', 10, post('/register', everything)),
      {
        ...bare('everything, again and again, bare', 10, () => this.#bytesBare(length)),
        prepare: async () => {
          const snapshot = await this.#client.call<object>('POST', '/register', everything)
          length = JSON.stringify(snapshot).length
        },
      },
      harm('messages that link to the same files', 10, post('/messages', linking)),
      harm('all files', 4, get('/attachments', {})),
      harm(
        'settings of channels without end',
        1,
        post('/users/me/subscriptions/properties', { subscription_data: colors }),
      ),
      harm('drafts without end', 10, post('/drafts', drafts)),
      bare('drafts without end, bare', 10, () => this.#refusedBare(encodeFields(drafts))),
      harm('all drafts', 4, get('/drafts', {})),
      harm('uploads at once', 4, () => this.#upload()),
      bare('uploads at once, bare', 4, () => this.#putBare(FILE)),
      harm('large pictures, stored and sent', 1, () => this.#askForThumbnail(LARGE_GIF)),
      bare('large pictures, stored and sent, bare', 1, () => this.#putAndGetBare(LARGE_GIF)),
      harm('avatars that are large when decoded', 1, () => this.#setAvatar(LARGE_PICTURE)),
      harm('avatars of large GIFs', 1, () => this.#setAvatar(LARGE_GIF)),
      // Nothing is decoded, so only the transfer of bytes is left.
      harm('avatars as large that are no pictures', 1, () => this.#setAvatar(NO_PICTURE)),
      bare('avatars of large GIFs, bare', 1, () => this.#putBare(LARGE_GIF)),
      harm('thumbnails of pictures that are large when decoded', 1, () =>
        this.#askForThumbnail(LARGE_PICTURE),
      ),
      harm('thumbnails of large JPEGs', 1, () => this.#askForThumbnail(LARGE_JPEG)),
      harm('longest frames over event streams', 1, () => this.#sendLongFrame()),
      bare('longest frames, bare', 1, () => this.#sendFrame(this.#store)),
      harm('wrong keys', 20, () => this.#wrongKey()),
    ]
  }

  async #inRounds(
    rounds: number,
    send: () => Promise<number>,
    atOnce: number,
  ): Promise<Record<number, number>> {
    const statuses: Record<number, number> = {}
    for (let round = 0; round < rounds; round += 1) {
      for (const status of await Promise.all(Array.from({ length: atOnce }, send))) {
        statuses[status] = (statuses[status] ?? 0) + 1
      }
    }
    return statuses
  }

  #send({ method, path, form }: LargeRequest, headers?: Readonly<Record<string, string>>): Promise<number> {
    return this.#ask(`/api/v1${path.replace(/^\/api\/v1/, '')}`, {
      method,
      body: method === 'GET' ? undefined : form,
      ...(headers ? { headers } : {}),
    })
  }

  #postAs({ service, headers, query, body }: PostOfService, key: string): Promise<number> {
    const at = new URLSearchParams([...query, ['api_key', key]])
    return this.#ask(`/api/v1/external/${service}?${at}`, { method: 'POST', headers, body })
  }

  #upload(): Promise<number> {
    const body = new FormData()
    body.append('file', new File([FILE], 'zeros.bin'))
    return this.#ask('/api/v1/user_uploads', { method: 'POST', body })
  }

  async #putBare(body: Uint8Array<ArrayBuffer>, url = `${this.#store}/${crypto.randomUUID()}`) {
    const stored = await again(() => fetch(url, { method: 'PUT', body }))
    return stored.status
  }

  async #refusedBare(body: URLSearchParams): Promise<number> {
    const refused = await again(() => fetch(this.#store, { method: 'POST', body }))
    return refused.status
  }

  async #bytesBare(bytes: number): Promise<number> {
    const sent = await again(() => fetch(`${this.#store}/?${encodeFields({ bytes })}`))
    await passOver(sent)
    return sent.status
  }

  async #putAndGetBare(body: Uint8Array<ArrayBuffer>): Promise<number> {
    const url = `${this.#store}/${crypto.randomUUID()}`
    await this.#putBare(body, url)
    const sent = await again(() => fetch(url))
    await passOver(sent)
    return sent.status
  }

  #setAvatar(picture: Uint8Array<ArrayBuffer>): Promise<number> {
    const body = new FormData()
    body.append('file', new File([picture], 'picture'))
    return this.#ask('/api/v1/users/me/avatar', { method: 'POST', body })
  }

  /** Each request names another upload, since a thumbnail is stored once it is made. A GIF is sent as it is. */
  async #askForThumbnail(picture: Uint8Array<ArrayBuffer>): Promise<number> {
    const { url } = await again(() => this.#client.upload<{ url: string }>('POST', '/user_uploads', picture))
    return this.#ask(`/user_uploads/thumbnail${url.replace('/user_uploads', '')}/840x560.webp`, {})
  }

  /** Sends a frame of the largest length that the platform accepts over a new event stream. */
  async #sendLongFrame(): Promise<number> {
    const client = this.#client
    const { queue_id } = await client.call<{ queue_id: string }>('POST', '/register', {
      event_types: ['message'],
      fetch_event_types: [],
    })
    const address = `${client.url}/api/v1/events?${encodeFields({ queue_id, last_event_id: -1 })}`
    const code = await this.#sendFrame(address, client.authorization())
    await client.call('DELETE', '/events', { queue_id })
    return code
  }

  /** Returns the server's close code. */
  async #sendFrame(address: string, headers?: Readonly<Record<string, string>>): Promise<number> {
    const socket = openSocket(address, headers)
    const closed = new Promise<number>((resolve) => {
      socket.addEventListener('close', ({ code }) => resolve(code))
    })
    socket.addEventListener('open', () => socket.send(LONGEST_FRAME))
    return closed
  }

  #wrongKey(): Promise<number> {
    return this.#ask('/api/v1/users/me', { headers: this.#invented })
  }

  get #invented(): Record<string, string> {
    return { Authorization: `Basic ${btoa(`${this.#client.email}:${INVENTED_KEY}`)}` }
  }

  #ask(path: string, init: RequestInit): Promise<number> {
    const headers = this.#client.authorization()
    return statusOf(() => fetch(`${this.#client.url}${path}`, { headers, ...init }))
  }
}

/** Resolves with the status when the whole answer has arrived, or with 0 if the connection broke. */
export async function statusOf(ask: () => Promise<Response>): Promise<number> {
  try {
    const response = await ask()
    await passOver(response)
    return response.status
  } catch {
    return 0
  }
}

/** Reads an answer to its end and discards it. */
async function passOver({ body }: Response): Promise<void> {
  await body?.pipeTo(new WritableStream())
}
