import { type ApiClient, askWorker } from '../support/api.ts'
import { inRealm } from '../support/inside.ts'
import { followClock } from '../support/inside-work.ts'
import { fromJson } from '../support/json.ts'
import { world } from '../support/world.ts'
import { type Answer, askEndpoint, browserOf, isRehearsed } from './ask.ts'
import type { Actor, Destination } from './cast.ts'
import { type ObtainedKey, obtainKeys } from './obtain-keys.ts'
import { asVisitor, createOrganization, type Organization, SITUATIONS } from './organization.ts'
import { BELOW_JSON_ALONE, expectedOf, isVisit, type Row } from './read-table.ts'
import { REFUSALS, type Refusal } from './refusals.ts'
import { MARKS, VISITS } from './requests.ts'

/**
 * Tables that change because the owner of a bot gets a notice when the bot writes to a channel that does not exist, once in
 * five minutes (docs/interface/messages.md#send-a-message).
 */
const OWNER_IS_NOTIFIED = [
  'sqlite_sequence',
  'conversation',
  'conversation_member',
  'message_index',
  'log',
  'bot_setting',
  'missed_mail',
]

/** Tables of the object that may change although the row's request is rehearsed, by row. */
const CHANGES: Readonly<Record<string, readonly string[]>> = {
  // Its entry in the audit log.
  'get-bot-api-key': ['audit_entry', 'sqlite_sequence'],
  'send-message: by name': OWNER_IS_NOTIFIED,
  'send-message': OWNER_IS_NOTIFIED,
  // A request whose answer is needed is not rehearsed; it opens its queue.
  'register-queue: channels': ['queue', 'meta'],
  'register-queue: people': ['queue'],
  // The key is created when it is first requested.
  'get-web-push-key': ['meta'],
  'POST /accounts/login/passkey/options': ['meta'],
  // The owner sees what came of each post.
  'receive-webhook: to a channel': ['incoming_delivery'],
  'test-incoming-webhook: to a channel': ['incoming_delivery'],
  // Wrong answers are counted.
  'prove-identity': ['code_failure'],
}

/** A row's destination, and the actors that make its request for it. */
export interface Round {
  readonly destination: Destination | undefined
  readonly actors: readonly Actor[]
}

interface Found {
  readonly of: Organization
  readonly keys: readonly ObtainedKey[]
}

/**
 * Makes the requests of the table's rows and compares the answers with the table. Requests that must be refused are made as usual.
 * Requests that must succeed are rehearsed: the change is made in the object and rolled back, so that the next request meets the
 * same organization. After each row every table of the object must be as it was before.
 */
export class Inspection {
  #of: Organization
  #before: ReadonlyMap<string, string>
  #section = ''
  readonly #byBrowser: boolean
  /** The answers to requests without a key, by row and destination. */
  readonly #unknown = new Map<string, Promise<Answer>>()

  /** Keys that actors have obtained; none unless `withKeys`. */
  #keys: readonly ObtainedKey[]
  readonly #found: () => Promise<Found>

  private constructor(
    { of, keys }: Found,
    before: ReadonlyMap<string, string>,
    byBrowser: boolean,
    found: () => Promise<Found>,
  ) {
    this.#of = of
    this.#keys = keys
    this.#before = before
    this.#byBrowser = byBrowser
    this.#found = found
  }

  /** `byBrowser`: all requests go below /json, from browsers in which the actors are logged in. */
  static async begin({ byBrowser = false, withKeys = false } = {}): Promise<Inspection> {
    const found = async () => {
      const of = await createOrganization()
      return { of, keys: withKeys ? await obtainKeys(of) : [] }
    }
    const first = await found()
    return new Inspection(first, await contentsOf(first.of), byBrowser, found)
  }

  /** Who holds which keys, in words. */
  get holders(): readonly string[] {
    return this.#keys.map(({ holder, how }) => `${holder}: ${how}`)
  }

  /** Returns a line for each answer that is not in the table, and for each table of the object that has changed. */
  async differencesOf(row: Row, rounds: readonly Round[]): Promise<string[]> {
    return await this.#examine(row, async () => {
      const differences: string[] = []
      for (const round of rounds) differences.push(...(await this.#differencesIn(row, round)))
      return differences
    })
  }

  /** Returns a line for each answer to an obtained key that its holder would not get, and for each table that has changed. */
  async excessesOf(row: Row, destinations: readonly (Destination | undefined)[]): Promise<string[]> {
    return await this.#examine(row, async () => {
      const excesses: string[] = []
      for (const destination of destinations) excesses.push(...(await this.#excessesAt(row, destination)))
      return excesses
    })
  }

  async #excessesAt(row: Row, destination: Destination | undefined): Promise<string[]> {
    const asked = this.#keys.map((key) => {
      const expected = expectedOf(row, key.holder, destination)
      // What only bots may do is no right that their owner lacks.
      return { ...key, expected: expected === 'only for bots' ? 'ok' : expected }
    })
    const excesses: string[] = []
    for (const rehearses of [false, true]) {
      world.rehearses = rehearses
      const now = asked.filter(({ expected }) => isRehearsed(row, expected) === rehearses)
      const answers = await Promise.all(
        now.map(({ holder, client }) => {
          const of = { ...this.#of, cast: { ...this.#of.cast, [holder]: client } }
          return this.#ask(row, holder, destination, of)
        }),
      )
      world.rehearses = false
      for (const [index, { holder, how, expected }] of now.entries()) {
        const answered = await this.#outcomeOf(row, holder, answers[index]!, destination)
        const isMore = answered.startsWith('ok') && expected !== 'ok' && expected !== answered
        if (!isMore) continue
        excesses.push(
          `${holder} with ${how}, ${destination ?? 'no destination'}: the table says "${expected}", answered "${answered}"`,
        )
      }
    }
    return excesses
  }

  async #examine(row: Row, ask: () => Promise<string[]>): Promise<string[]> {
    await this.#enter(row.section)
    const differences = await ask()
    const after = await contentsOf(this.#of)
    const changed = [...after]
      .filter(([table, rows]) => rows !== this.#before.get(table))
      .map(([table]) => table)
    const disturbed = changed.filter((table) => !CHANGES[row.name]?.includes(table))
    // A change that the table forbids must not affect the next row.
    if (disturbed.length > 0) {
      const { of, keys } = await this.#found()
      this.#of = of
      this.#keys = keys
      await SITUATIONS[row.section]?.begin(this.#of)
    }
    this.#before = disturbed.length > 0 ? await contentsOf(this.#of) : after
    return [...differences, ...disturbed.map((table) => `the table ${table} has changed`)]
  }

  /** Makes the situation that belongs to the next section of the table. */
  async #enter(next: string): Promise<void> {
    world.clockOffset = SITUATIONS[next]?.seconds ?? 0
    await inRealm(this.#of.realm, ({ parts }) => followClock(parts))
    if (next === this.#section) return
    await SITUATIONS[this.#section]?.end(this.#of)
    await SITUATIONS[next]?.begin(this.#of)
    this.#section = next
    this.#before = await contentsOf(this.#of)
  }

  /** Makes a row's requests at the same time, rehearsals after the others, and returns the differences. */
  async #differencesIn(row: Row, { destination, actors }: Round): Promise<string[]> {
    const byBrowser = this.#byBrowser || BELOW_JSON_ALONE.has(row.operation)
    const asked = actors.map((actor) => ({ actor, expected: expectedOf(row, actor, destination, byBrowser) }))
    const differences: string[] = []
    for (const rehearses of [false, true]) {
      world.rehearses = rehearses
      const now = asked.filter(({ expected }) => isRehearsed(row, expected) === rehearses)
      const answers = await Promise.all(now.map(({ actor }) => this.#ask(row, actor, destination)))
      world.rehearses = false
      for (const [index, { actor, expected }] of now.entries()) {
        const answered = await this.#outcomeOf(row, actor, answers[index]!, destination)
        if (answered === expected) continue
        differences.push(
          `${actor}, ${destination ?? 'no destination'}: the table says "${expected}", answered "${answered}"`,
        )
      }
    }
    return differences
  }

  #ask(row: Row, actor: Actor, destination: Destination | undefined, of = this.#of): Promise<Answer> {
    const ask = () =>
      isVisit(row)
        ? this.#visit(row, actor, destination, of)
        : askEndpoint(of, row, actor, destination, this.#byBrowser || undefined)
    return actor === 'visitor' ? asVisitor(ask) : ask()
  }

  async #visit(row: Row, actor: Actor, destination: Destination = 'public', of = this.#of): Promise<Answer> {
    const path = VISITS[row.name]!(of.destinations[destination], { ...of.things, ids: of.ids })
    const isForm = row.name.startsWith('POST ')
    const init = { body: isForm ? new URLSearchParams() : undefined }
    const method = isForm ? 'POST' : 'GET'
    const response = this.#byBrowser
      ? await (await browserOf(of, actor)).ask(method, path, init)
      : await this.#askWithKey(of.cast[actor], path, { method, ...init })
    // A challenge is never the same twice.
    const text = (await response.text()).replace(/"challenge":"[^"]*"/, '"challenge":""')
    const body = text.startsWith('{') ? fromJson(text) : {}
    return { status: response.status, code: body.code, msg: body.msg, text }
  }

  #askWithKey({ host, email, apiKey }: ApiClient, path: string, init: RequestInit): Promise<Response> {
    const headers =
      apiKey === undefined ? undefined : { Authorization: `Basic ${btoa(`${email}:${apiKey}`)}` }
    return askWorker(new Request(new URL(path, `http://${host}`), { ...init, headers, redirect: 'manual' }))
  }

  /** Returns the outcome of an answer in the table's words. */
  async #outcomeOf(
    row: Row,
    actor: Actor,
    answer: Answer,
    destination: Destination | undefined,
  ): Promise<string> {
    if (isVisit(row) && row.isOpen && actor !== 'visitor') {
      const { status, text } = await this.#visitUnknown(row, destination)
      return status === answer.status && text === answer.text
        ? 'ok'
        : `not as without a key: ${answer.status}`
    }
    if (answer.code === 'REHEARSED') return 'ok'
    if (answer.status < 400) {
      const { things, ids, destinations } = this.#of
      const mark = MARKS[row.name]?.({ ...things, ids }) ?? destinations[destination ?? 'public'].mark
      return row.shows && !answer.text.includes(mark) ? 'ok, not shown' : 'ok'
    }
    const found = Object.entries(REFUSALS).find(([, refusal]) =>
      this.#isRefusal(answer, refusal, destination),
    )
    return found?.[0] ?? `${answer.status} ${answer.code} ${answer.msg ?? answer.text}`
  }

  #visitUnknown(row: Row, destination: Destination | undefined): Promise<Answer> {
    const key = `${row.name} ${destination}`
    const known = this.#unknown.get(key) ?? this.#visit(row, 'anonymous', destination)
    this.#unknown.set(key, known)
    return known
  }

  /** A page puts its refusal into a sentence. */
  #isRefusal(answer: Answer, refusal: Refusal, destination: Destination | undefined): boolean {
    const text = this.#textOf(refusal, destination)
    if (answer.status !== refusal.status) return false
    if (answer.msg === undefined) return answer.text.includes(`<p>${text}</p>`)
    const code = (this.#byBrowser && refusal.codeForBrowsers) || refusal.code
    return answer.code === code && answer.msg === text
  }

  /** Returns the refusal's text, with the requested names and ids filled in. */
  #textOf({ msg }: Refusal, destination: Destination = 'public'): string {
    const { channel, channelId, topic } = this.#of.destinations[destination]
    const names: Record<string, string | number> = {
      channel,
      topic,
      'channel id': channelId,
      queue: this.#of.things.queue,
    }
    return msg.replaceAll(/\{([a-z ]+)\}/g, (_, name: string) => String(names[name]))
  }
}

/** Keys of `meta` that the object writes in its own time: how far D1 is, where the log begins, and where the clock is. */
const SAVED_LATER = `'projected', 'd1_applied', 'trimmed', 'clock'`

/** Returns a text of each table of the organization's object. Jobs are left out, since they come and go by themselves. */
function contentsOf({ realm }: Organization): Promise<ReadonlyMap<string, string>> {
  return inRealm(realm, (_object, { storage: { sql } }) => {
    const tables = sql
      .exec<{ name: string }>(
        `SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 4) <> '_cf_' AND name <> 'job'`,
      )
      .toArray()
    const rowsOf = (name: string) =>
      sql.exec(`SELECT * FROM "${name}" ${name === 'meta' ? `WHERE key NOT IN (${SAVED_LATER})` : ''}`).raw()
    return new Map(tables.map(({ name }) => [name, JSON.stringify([...rowsOf(name)])]))
  })
}
