import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '../../src/endpoints/define-endpoint.ts'
import { ENDPOINTS } from '../../src/endpoints/index.ts'
import { buildRouter } from '../../src/http/router.ts'
import { type Answer, askEndpoint, isRehearsed } from '../permission-matrix/ask.ts'
import { ACTOR_NAMES, type Actor, BY_PLACE, OF_PLACE, PEOPLE, type Place } from '../permission-matrix/cast.ts'
import { foundOrganization, type Organization, SITUATIONS } from '../permission-matrix/organization.ts'
import { expectedOf, isVisit, placesOf, type Row, readTable } from '../permission-matrix/read-table.ts'
import { REFUSALS, type Refusal } from '../permission-matrix/refusals.ts'
import { MARKS, REQUESTS, VISITS } from '../permission-matrix/requests.ts'
import { type ApiClient, askWorker } from '../support/api.ts'
import { calmD1 } from '../support/calm-d1.ts'
import { inRealm } from '../support/inside.ts'
import { stayAwake } from '../support/stay-awake.ts'
import { world } from '../support/world.ts'

/*
 * The table of permissions (test/permission-matrix/table.ts) asked of the server: every row, at each of its places, as each
 * actor, over HTTP. What is to be refused is asked in earnest. What is to be done is rehearsed: the request goes its whole
 * way, the change is made in the object, and rolled back, so that the next one meets the same organization. After
 * each row every table of the object must be as it was before.
 */

const TABLE = readTable()
/** What may change all the same, by row and table of the object. */
const CHANGES: Readonly<Record<string, readonly string[]>> = {
  // The owner of a bot that writes to a channel that is not there is told, once in five minutes (docs/interface/messages.md#send-a-message).
  'send-message: by name': ['sqlite_sequence', 'message_index', 'log', 'bot_setting', 'missed_mail'],
  'send-message': [
    'sqlite_sequence',
    'conversation',
    'conversation_member',
    'message_index',
    'log',
    'bot_setting',
    'missed_mail',
  ],
  // What is in the answer cannot be rehearsed; versions of blocks that are made for the first time are noted.
  'register-queue: channels': ['queue', 'snapshot_block'],
  'register-queue: people': ['queue', 'snapshot_block'],
  // Made when it is first asked for.
  'get-web-push-key': ['meta'],
}

/** Their answer does not depend on the place: a key is looked at before all else (docs/interface/conventions.md#order-of-checks). */
const WITHOUT_ACCOUNT: readonly Actor[] = ['deactivated', 'other organization', 'anonymous']

let of: Organization
stayAwake()
// Without D1 a key of another organization is only an unknown one.
calmD1()
beforeAll(async () => {
  of = await foundOrganization()
})

function ask(row: Row, actor: Actor, place: Place | undefined): Promise<Answer> {
  return isVisit(row) ? visit(row, actor, place) : askEndpoint(of, row, actor, place)
}

async function visit(row: Row, actor: Actor, place: Place = 'public'): Promise<Answer> {
  const { host, email, apiKey } = of.cast[actor] as ApiClient
  const path = VISITS[row.name]!(of.places[place], { ...of.things, ids: of.ids })
  const isForm = row.name.startsWith('POST ')
  const headers = apiKey === undefined ? undefined : { Authorization: `Basic ${btoa(`${email}:${apiKey}`)}` }
  const response = await askWorker(
    new Request(new URL(path, `http://${host}`), {
      method: isForm ? 'POST' : 'GET',
      headers,
      body: isForm ? new URLSearchParams() : undefined,
      redirect: 'manual',
    }),
  )
  const text = await response.text()
  const body = text.startsWith('{') ? JSON.parse(text) : {}
  return { status: response.status, code: body.code, msg: body.msg, text }
}

/** By row, since none of them is about a place. */
const unknownVisits = new Map<string, Promise<Answer>>()

/** What is answered to somebody without a key. */
function visitUnknown(row: Row, place: Place | undefined): Promise<Answer> {
  const known = unknownVisits.get(row.name) ?? visit(row, 'anonymous', place)
  unknownVisits.set(row.name, known)
  return known
}

/** The refusal's text, with what was asked for. */
function textOf({ msg }: Refusal, place: Place = 'public'): string {
  const { channel, channelId, topic } = of.places[place]
  const names: Record<string, string | number> = {
    channel,
    topic,
    'channel id': channelId,
    queue: of.things.queue,
  }
  return msg.replaceAll(/\{([a-z ]+)\}/g, (_, name: string) => String(names[name]))
}

/** A page says its refusal in a sentence. */
function isRefusal(answer: Answer, refusal: Refusal, place: Place | undefined): boolean {
  const text = textOf(refusal, place)
  if (answer.status !== refusal.status) return false
  if (answer.msg === undefined) return answer.text.includes(`<p>${text}</p>`)
  return answer.code === refusal.code && answer.msg === text
}

/** What was answered, in the table's words. */
async function found(row: Row, answer: Answer, place: Place | undefined): Promise<string> {
  if (isVisit(row) && row.isOpen) {
    const { status, text } = await visitUnknown(row, place)
    return status === answer.status && text === answer.text ? 'ok' : `not as without a key: ${answer.status}`
  }
  if (answer.code === 'REHEARSED') return 'ok'
  if (answer.status < 400) {
    const mark = MARKS[row.name]?.({ ...of.things, ids: of.ids }) ?? of.places[place ?? 'public'].mark
    return row.shows && !answer.text.includes(mark) ? 'ok, not shown' : 'ok'
  }
  const name = Object.entries(REFUSALS).find(([, refusal]) => isRefusal(answer, refusal, place))?.[0]
  return name ?? `${answer.status} ${answer.code} ${answer.msg ?? answer.text}`
}

/** Everything that the organization's object has: a text for each table. Jobs come and go by themselves. */
function contents(): Promise<ReadonlyMap<string, string>> {
  return inRealm(of.realm, (_object, { storage: { sql } }) => {
    const tables = sql
      .exec<{ name: string }>(
        `SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 4) <> '_cf_' AND name <> 'job'`,
      )
      .toArray()
    return new Map(
      tables.map(({ name }) => [name, JSON.stringify([...sql.exec(`SELECT * FROM "${name}"`).raw()])]),
    )
  })
}

describe('the permission matrix', () => {
  let before: ReadonlyMap<string, string>
  let section = ''
  beforeAll(async () => {
    before = await contents()
  })

  /** What is so in the rows of a section alone. */
  async function enter(next: string): Promise<void> {
    world.clockOffset = SITUATIONS[next]?.seconds ?? 0
    if (next === section) return
    await SITUATIONS[section]?.end(of)
    await SITUATIONS[next]?.begin(of)
    section = next
    before = await contents()
  }

  afterEach(() => {
    world.rehearses = false
  })

  /** All at once, but for what is rehearsed and what is not. */
  async function differencesAt(
    row: Row,
    place: Place | undefined,
    actors: readonly Actor[],
  ): Promise<string[]> {
    const asked = actors.map((actor) => ({ actor, expected: expectedOf(row, actor, place) }))
    const differences: string[] = []
    for (const rehearses of [false, true]) {
      world.rehearses = rehearses
      const now = asked.filter(({ expected }) => isRehearsed(row, expected) === rehearses)
      const answers = await Promise.all(now.map(({ actor }) => ask(row, actor, place)))
      world.rehearses = false
      for (const [index, { actor, expected }] of now.entries()) {
        const answered = await found(row, answers[index]!, place)
        if (answered === expected) continue
        differences.push(
          `${actor}, ${place ?? 'no place'}: the table says "${expected}", answered "${answered}"`,
        )
      }
    }
    return differences
  }

  it.each(TABLE.map((row) => [row.name, row] as const))('%s', async (name, row) => {
    await enter(row.section)
    const differences: string[] = []
    for (const [index, place] of placesOf(row).entries()) {
      const isAskedByAll = index === 0 || place === 'web-public'
      const actors = isAskedByAll
        ? ACTOR_NAMES
        : ACTOR_NAMES.filter((actor) => !WITHOUT_ACCOUNT.includes(actor))
      differences.push(...(await differencesAt(row, place, actors)))
    }
    const after = await contents()
    const changed = [...after].filter(([table, rows]) => rows !== before.get(table)).map(([table]) => table)
    const disturbed = changed.filter((table) => !CHANGES[name]?.includes(table))
    differences.push(...disturbed.map((table) => `the table ${table} has changed`))
    // What was done against the table must not be the reason of what the next row finds.
    if (disturbed.length > 0) {
      of = await foundOrganization()
      await SITUATIONS[row.section]?.begin(of)
    }
    before = disturbed.length > 0 ? await contents() : after
    expect(differences.join('\n')).toBe('')
  })
})

/** What a parameter of such a name is about: a channel, or messages somewhere. */
const OF_A_PLACE =
  /^(stream|message|narrow|subscriptions|messages|msg_ids|message_ids|subscription_data|drafts|to)$|^stream_(ids?|names)$|^(message|channel)_id$|_(stream|channel)_id$|^default_sending_stream$/

/** Endpoints that have such a parameter, and are asked at no place all the same: why. */
const AT_NO_PLACE: Readonly<Record<string, string>> = {
  'create-default-stream-group': 'as update-default-stream-group-channels',
  'edit-draft': "the author's alone, who may do everything everywhere",
  'edit-scheduled-message': "the author's alone, who may do everything everywhere",
  'get-events': 'registers as register-queue does',
  'summarize-messages': 'is not there',
  'update-bot': 'as create-bot',
}

// What is missing is written into test/permission-matrix/table.ts and requests.ts; then `npm run permissions`.
describe('the table of permissions', () => {
  const operations = new Set(TABLE.map(({ operation }) => operation))

  it('has every endpoint, and nothing that is none', () => {
    const api = [...operations].filter((operation) => !/^[A-Z]+ \//.test(operation))
    expect(api.toSorted()).toEqual(ENDPOINTS.map(({ operation }) => operation).toSorted())
  })

  it('has every place outside the API', () => {
    const routes = buildRouter()
      .routes.map(([method, , , path]) => `${method} ${path || '/'}`)
      // The list of endpoints, HEAD where there is GET, and what is at no address.
      .filter((route) => !/^(ALL \/api\/v1\/|ALL \/json\/|HEAD )/.test(route) && !/^\w+ \*$/.test(route))
    const visits = [...operations].filter((operation) => /^[A-Z]+ \//.test(operation))
    expect(visits.toSorted()).toEqual(routes.toSorted())
  })

  it('has a request for every row', () => {
    const names = [...Object.keys(REQUESTS), ...Object.keys(VISITS)]
    expect(names.toSorted()).toEqual(TABLE.map(({ name }) => name).toSorted())
  })

  it('uses every word and every refusal that is defined', () => {
    const words = TABLE.flatMap(({ needs, shows }) => [
      ...needs.flatMap((need) => need.words),
      ...(shows ?? []),
    ])
    const refusals = TABLE.flatMap(({ needs }) => needs.map(({ refusal }) => refusal))
    const withoutAccount = WITHOUT_ACCOUNT.map((actor) => expectedOf(TABLE[0]!, actor, 'public'))
    const defined = [PEOPLE, BY_PLACE, OF_PLACE].flatMap((those) => Object.keys(those))
    expect([...new Set(words)].toSorted()).toEqual(defined.toSorted())
    expect([...new Set([...refusals, ...withoutAccount])].toSorted()).toEqual(
      Object.keys(REFUSALS).toSorted(),
    )
  })

  it('asks whatever is about channels or messages at all their places', () => {
    const about = ({ params }: Endpoint) => Object.keys(params).some((name) => OF_A_PLACE.test(name))
    const placed = new Set(TABLE.filter(({ places }) => places).map(({ operation }) => operation))
    const missing = ENDPOINTS.filter(about)
      .map(({ operation }) => operation)
      .filter((operation) => !placed.has(operation) && !(operation in AT_NO_PLACE))
    expect(missing).toEqual([])
  })
})
