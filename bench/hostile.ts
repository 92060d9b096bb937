/**
 * `npm run bench -- --hostile`: one account does its worst while two others chat. It sends the largest request that each operation
 * takes, several at once, and then tries some known ways to hurt a server. The result is how long the others wait for a message to be
 * sent and to arrive, and by how much the memory grows. As on the platform, the account's Worker, that of the others, the objects, and the
 * stores have a process each. The account's client and Worker, which elsewhere have processors of their own, get what the others leave of
 * this machine's: what all share is the object, and the stores.
 *
 * With `--users`, `--channels` and `--messages` all of it happens in an organization of that size, in whose channels the attacker is; and
 * every operation is also asked for what is the most that can be had of it there, once as things are, and once after the object was evicted.
 */
import { ApiClient, encodeFields } from '../scripts/api-client.ts'
import { type SeedSize, seededEmail } from '../scripts/seed-organization.ts'
import { SeedPlan } from '../src/dev/seed/seed-plan.ts'
import { giveWay, threadsOf } from './give-way.ts'
import { accountOf, again, type Chat, openChat } from './hostile-chat.ts'
import { type Heaps, startHeaps } from './isolate-heap.ts'
import { buildLarge, type LargeOrganization } from './large.ts'
import { flatPng, noisyGif, noisyJpeg } from './made-pictures.ts'
import { openSocket } from './open-socket.ts'
import { buildBenchOrganization } from './organization.ts'
import type { ServerInParts } from './parts.ts'
import { type LongestTurns, turnsWithin, watchTurns } from './turns.ts'
import { validRequests } from './valid-requests.ts'
import { type LargeRequest, type OpenApi, requestsAtLimits } from './values-at-limits.ts'

/** Goals: how long others may wait, how long one turn of the object may take, and by how much the heap may grow. */
export const HOSTILE_GOALS = { waitMs: 250, turnMs: 50, heapBytes: 64 * 2 ** 20 }

export interface HostileRow {
  readonly name: string
  /** Whether a bare Worker did the same beside Parley, for comparison: what others wait for then is the platform's share. */
  readonly isBare: boolean
  /** The number of the attacker's requests by status; 0 stands for broken connections. */
  readonly statuses: Readonly<Record<number, number>>
  /** The others' longest wait meanwhile, in ms. */
  readonly longestWaitMs: number
  readonly longestTurnsMs: LongestTurns
  /**
   * The same of the best of some further runs, in which the attacker sends one request at a time and nobody else any: turns for others that
   * follow at once cannot be told from it. Absent where the first run had no long turn.
   */
  readonly oneAtATime?: LongestTurns
  /** Bytes of the isolates of Worker and object together after the case and a collection, and by how much that was more than before. */
  readonly heapBytes: number
  readonly heapGrowth: number
}

const AT_ONCE = 4
const ROUNDS = 2
/**
 * Runs with one request at a time of a case that had a long turn, unless one before has none: what else the machine does can only add to a
 * turn, and by as much again.
 */
const RUNS_ONE_AT_A_TIME = 3
/** Milliseconds of pause before each case, in which the last one can end its work. */
const CALM_MS = 60

/**
 * Operations that are left out: they would end the attacker's account or queue, wait by themselves, or are absent from a deployed Worker.
 */
const LEFT_OUT = new Set([
  'deactivate-own-user',
  'regenerate-own-api-key',
  'get-events',
  'dev-list-users',
  'dev-fetch-api-key',
])

/** Who takes part. */
export interface HostileScene {
  /** Two who write to each other. */
  readonly others: readonly [ApiClient, ApiClient]
  /** A plain member. */
  readonly attacker: ApiClient
  /** What succeeds in a large organization. */
  readonly valid: readonly HostileCase[]
}

/** An organization of a thousand people, in which the attacker is in one channel. */
export async function smallScene(server: ServerInParts): Promise<HostileScene> {
  const { client } = await buildBenchOrganization(server)
  const member = (index: number) => client.logIn(`person-${index}@example.com`)
  const others = [await member(0), await member(1)] as const
  return { others, attacker: atSecond(server, await member(2)), valid: [] }
}

/** Returns a client that speaks for the same account, to the Worker that the others do not use. */
function atSecond({ secondUrl }: ServerInParts, client: ApiClient): ApiClient {
  return new ApiClient(secondUrl, accountOf(client))
}

/** A seeded organization of any size, in all of whose channels the attacker is. */
export async function largeScene(server: ServerInParts, size: SeedSize): Promise<HostileScene> {
  const built = await buildLarge(server, size)
  return sceneIn(server, size, built)
}

async function sceneIn(
  server: ServerInParts,
  size: SeedSize,
  { owner: byOthers, seeded, realmId }: LargeOrganization,
): Promise<HostileScene> {
  const person = (number: number) => byOthers.logIn(seededEmail(number))
  const owner = atSecond(server, byOthers)
  const member = atSecond(server, await person(ATTACKER))
  await joinAll(size, seeded.firstUserId + ATTACKER, owner)
  const evict = () => server.evictRealm(realmId)
  const valid = validRequests({ size, seeded, owner, member }).flatMap(({ name, prepare }) => [
    { name: `${name}, valid`, prepare },
    {
      name: `${name}, valid, after an eviction`,
      prepare: async () => {
        const ask = await prepare()
        await untilDone(evict)
        return ask
      },
      begin: () => untilDone(evict),
    },
  ])
  return {
    others: [await person(0), await person(1)],
    attacker: member,
    valid: valid.map(({ prepare, ...one }) => {
      let ask: () => Promise<Response>
      return {
        ...one,
        prepare: async () => {
          ask = await prepare()
        },
        attack: async () => ({ [await statusOf(ask)]: 1 }),
      }
    }),
  }
}

/** How often an eviction is tried: while the object works by itself, as when ten thousand have mail, it cannot be evicted. */
const TRIES = 30

async function untilDone(work: () => Promise<void>): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work()
    } catch (error) {
      if (tried === TRIES) throw error
      await wait(1_000)
    }
  }
}

/** The number of a seeded person who is neither a guest nor a moderator. */
const ATTACKER = 2

/** Private channels are opened to somebody by who is in them. */
async function joinAll(size: SeedSize, userId: number, owner: ApiClient): Promise<void> {
  const plan = new SeedPlan(size)
  const numbers = Array.from({ length: size.channels }, (_, at) => at)
  const byAdder = Map.groupBy(numbers, (number) => {
    const { isPrivate, members } = plan.channel(number)
    return isPrivate ? members.find((one) => plan.person(one).role !== 600) : -1
  })
  for (const [adder, channels] of byAdder) {
    if (adder === undefined) continue
    const client = adder === -1 ? owner : await owner.logIn(seededEmail(adder))
    const subscriptions = channels.map((number) => ({ name: plan.channel(number).name }))
    await client.call('POST', '/users/me/subscriptions', { subscriptions, principals: [userId] })
  }
}

/**
 * Tries all cases, which takes minutes.
 * @param note is called with each case as soon as it is over.
 * @param only tries only cases with one of these texts in their names.
 */
export async function measureHostile(
  server: ServerInParts,
  scene: HostileScene,
  note: (row: HostileRow) => void = () => {},
  only: readonly string[] = [''],
): Promise<HostileRow[]> {
  const heaps = await startHeaps(server, scene.attacker)
  const own = threadsOf(process.pid)
  const chat = openChat(...scene.others)
  giveWay([...own, ...threadsOf(server.secondPid())])
  const attacker = await Attacker.prepare(scene.attacker, server.storeUrl)
  const rows: HostileRow[] = []
  const all = [...(await attacker.requestsAtLimits()), ...attacker.knownHarm(), ...scene.valid]
  const cases = all.filter(({ name }) => only.some((part) => name.includes(part)))
  for (const one of cases) {
    const measured = await measureCase(heaps, chat, one)
    // Turns of several requests that follow at once cannot be told from a single one.
    const isLong = measured.longestTurnsMs.object > HOSTILE_GOALS.turnMs
    const row = isLong ? { ...measured, oneAtATime: await bestOneAtATime(heaps, one) } : measured
    rows.push(row)
    note(row)
  }
  heaps.stop()
  await chat.stop()
  return rows
}

async function bestOneAtATime(heaps: Heaps, one: HostileCase): Promise<LongestTurns> {
  let best: LongestTurns | undefined
  for (let run = 0; run < RUNS_ONE_AT_A_TIME; run += 1) {
    // It has evicted the object where that is the case, and nobody has woken it.
    await one.prepare?.()
    const { turns } = await watchTurns(heaps.inspectors, false, () => one.attack(1))
    if (!best || turns.objectAlone < best.objectAlone) best = turns
    if (best.objectAlone <= HOSTILE_GOALS.turnMs) break
  }
  return best!
}

async function measureCase(
  heaps: Heaps,
  chat: Chat,
  { name, isBare = false, prepare, begin, attack }: HostileCase,
): Promise<HostileRow> {
  const heapBytes = async () => {
    const { worker, object } = await heaps.used()
    return worker + object
  }
  await prepare?.()
  const before = await heapBytes()
  const { turns, result } = await watchTurns(heaps.inspectors, false, async () => {
    await chat.begin()
    await wait(CALM_MS)
    await begin?.()
    const statuses = await attack(AT_ONCE)
    const waits = await chat.end().catch((error: unknown) => {
      throw new Error(`While "${name}" went on, nobody else was served`, { cause: error })
    })
    return { statuses, ...waits }
  })
  const after = await heapBytes()
  const { longestSilenceMs, ...found } = result
  const longestTurnsMs = turnsWithin(turns, longestSilenceMs)
  return { name, isBare, ...found, longestTurnsMs, heapBytes: after, heapGrowth: after - before }
}

/** A picture of some kilobytes that takes tens of megabytes to decode: one colour, and nearly as large as the limit allows. */
const LARGE_PICTURE = flatPng(2_900, 2_900)
const PHOTOGRAPH = noisyJpeg(4_000, 3_000)
/** About as large as an avatar may be, 5 MiB. */
const LARGE_GIF = noisyGif(2_500, 2_000)
const NO_PICTURE = new Uint8Array(LARGE_GIF.length)
/** As long as the platform hands over, 32 MiB, but for some bytes. */
const LONGEST_FRAME = 'x'.repeat(33_500_000)
const FILE = new Uint8Array(8_000_000)
const SMALL_PICTURE = flatPng(1, 1)
/** Files to which one message links: as many as fit into its text. */
const FILES = 100

export interface HostileCase {
  readonly name: string
  readonly isBare?: boolean
  /** Makes what the attack needs, before anything is measured. */
  prepare?(): Promise<unknown>
  /** Comes directly before the attack, while the others write. */
  begin?(): Promise<unknown>
  /** @param atOnce number of requests that are sent together. */
  attack(atOnce: number): Promise<Record<number, number>>
}

/** A plain member, with a few things of their own to aim at. */
class Attacker {
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

  /** Every operation, with the largest request that it takes. */
  async requestsAtLimits(): Promise<HostileCase[]> {
    const openApi = (await (await fetch(`${this.#client.url}/api/v1/openapi.json`)).json()) as OpenApi
    const known = { ...this.#own, dont_block: 'true', anchor: 'newest', type: 'channel', msg_type: 'widget' }
    return requestsAtLimits(openApi, known)
      .filter(({ operation }) => operation !== undefined && !LEFT_OUT.has(operation))
      .map((request) => ({
        name: request.operation,
        attack: (atOnce) => this.#inRounds(ROUNDS, () => this.#send(request), atOnce),
      }))
  }

  /** Requests that were found to hurt servers of this API, this one included. */
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
      // Nothing is decoded: what is left is the way of the bytes.
      harm('avatars as large that are no pictures', 1, () => this.#setAvatar(NO_PICTURE)),
      bare('avatars of large GIFs, bare', 1, () => this.#putBare(LARGE_GIF)),
      harm('thumbnails of pictures that are large when decoded', 1, () =>
        this.#askForThumbnail(LARGE_PICTURE),
      ),
      harm('thumbnails of photographs', 1, () => this.#askForThumbnail(PHOTOGRAPH)),
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

  #send({ method, path, form }: LargeRequest): Promise<number> {
    return this.#ask(`/api/v1${path.replace(/^\/api\/v1/, '')}`, {
      method,
      body: method === 'GET' ? undefined : form,
    })
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

  /** Each picture is of another upload, since a smaller form that was made once is stored. Of a GIF the file itself is sent. */
  async #askForThumbnail(picture: Uint8Array<ArrayBuffer>): Promise<number> {
    const { url } = await again(() => this.#client.upload<{ url: string }>('POST', '/user_uploads', picture))
    return this.#ask(`/user_uploads/thumbnail${url.replace('/user_uploads', '')}/840x560.webp`, {})
  }

  /** Sends a frame of the length that the platform takes over a new event stream. */
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

  /** Returns the code with which the other side closes. */
  async #sendFrame(address: string, headers?: Readonly<Record<string, string>>): Promise<number> {
    const socket = openSocket(address, headers)
    const closed = new Promise<number>((resolve) => {
      socket.addEventListener('close', ({ code }) => resolve(code))
    })
    socket.addEventListener('open', () => socket.send(LONGEST_FRAME))
    return closed
  }

  #wrongKey(): Promise<number> {
    const headers = { Authorization: `Basic ${btoa(`${this.#client.email}:${'0'.repeat(32)}`)}` }
    return this.#ask('/api/v1/users/me', { headers })
  }

  #ask(path: string, init: RequestInit): Promise<number> {
    const headers = this.#client.authorization()
    return statusOf(() => fetch(`${this.#client.url}${path}`, { headers, ...init }))
  }
}

/** Resolves when the whole answer has come; with 0 if the connection broke. */
async function statusOf(ask: () => Promise<Response>): Promise<number> {
  try {
    const response = await ask()
    await passOver(response)
    return response.status
  } catch {
    return 0
  }
}

/** Reads an answer to its end and keeps nothing of it. */
async function passOver({ body }: Response): Promise<void> {
  await body?.pipeTo(new WritableStream())
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
