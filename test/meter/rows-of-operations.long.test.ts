import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { askEndpoint, isRehearsed } from '../permission-matrix/ask.ts'
import { ACTOR_NAMES, type Actor, type Destination } from '../permission-matrix/cast.ts'
import {
  asVisitor,
  createOrganization,
  type Organization,
  SITUATIONS,
} from '../permission-matrix/organization.ts'
import {
  BELOW_JSON_ALONE,
  destinationsOf,
  expectedOf,
  isVisit,
  type Row,
  readTable,
} from '../permission-matrix/read-table.ts'
import { expectSuccess } from '../support/factories.ts'
import { forgetTexts } from '../support/forget-texts.ts'
import { addChannels, changeRealm, inRealm, insertUsers, subscribe } from '../support/inside.ts'
import { ENDPOINTS } from '../support/inside-declarations.ts'
import type { Runtime } from '../support/inside-types.ts'
import { captureLog } from '../support/log-lines.ts'
import { neverEvict } from '../support/never-evict.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { world } from '../support/world.ts'
import { isKept, type OperationRows, ROWS } from './rows.ts'
import { IN_STEPS, type OperationTrips, tripsOf } from './trips.ts'

/*
 * Limits the rows of the object and of D1 that each operation costs in the organization of the permission matrix. The first
 * request of its row that succeeds is counted, with nothing in memory from earlier requests. For a change these are the rows
 * that the object reads and writes up to the commit, without the log's row; D1 is written later (test/realm/row-counts.test.ts
 * counts all rows of a send). The test also limits how many round trips, one after the other, a distant user waits for.
 * The counts are those of this order: a request may find what an earlier one has stored.
 */

/** Requests of the table, except those that browsers make in several steps: test/realm/far-trips.test.ts. */
const REQUESTS = readTable().filter(
  (row) => !isVisit(row) && !(row.section in SITUATIONS) && !BELOW_JSON_ALONE.has(row.operation),
)
/** Requests for web-public data from readers without an account. */
const OF_VISITORS = REQUESTS.filter(
  (row) => row.visitors && expectedOf(row, 'visitor', 'web-public') === 'ok',
)

let small: Organization
let open: Organization
let large: Organization
neverEvict()
useReliableD1()
beforeAll(async () => {
  small = await createOrganization({ isSmall: true })
  // On a slow machine the rest takes so long that the platform would evict it.
  const staysAwake = setInterval(() => void inRealm(small.realm, () => {}), 2_000)
  open = await createOrganization()
  large = await createLarge()
  clearInterval(staysAwake)
  // The Worker looks once for another client in place of the page, whose level its browsers have.
  await asVisitor(() => askEndpoint(open, OF_VISITORS[0]!, 'visitor', 'web-public'))
})
afterEach(() => {
  world.rehearses = false
  world.d1 = (call) => call()
})

/** People and channels of the large organization, in addition to those of the small one. */
const [PEOPLE, CHANNELS] = [2_000, 200]

/** Everybody subscribes to the channels of the table, as far as these have subscribers and are open. */
async function createLarge(): Promise<Organization> {
  const of = await createOrganization({ isSmall: true })
  const everybody = (await insertUsers(of.realm, PEOPLE)).map(({ id }) => id)
  await addChannels(
    of.realm,
    Array.from({ length: CHANNELS }, (_, at) => `further ${at}`),
  )
  for (const destination of ['public', 'shared', 'protected'] as const) {
    await changeRealm(of.realm, (tx) => {
      subscribe(tx, of.destinations[destination].channelId, everybody)
    })
  }
  return of
}

const KINDS = ['read', 'written', 'd1', 'turn'] as const

/** Prints the costs of a request that is not in the table. */
const NONE: OperationRows = { read: 0, written: 0, d1: 0, turn: 0 }

/** Who makes a request, and what there is while it is made. */
interface Preparation {
  readonly by: Actor
  begin?(of: Organization): Promise<unknown>
  end?(of: Organization): Promise<unknown>
}

const ok = async (asked: Promise<Parameters<typeof expectSuccess>[0]>) => expectSuccess(await asked)
const subscribed = (whom: (of: Organization) => number): Preparation => {
  const fields = (of: Organization) => ({
    subscriptions: [of.destinations.public.channel],
    principals: [whom(of)],
  })
  return {
    by: 'owner',
    begin: (of) => {
      const { subscriptions, principals } = fields(of)
      const named = subscriptions.map((name) => ({ name }))
      return ok(of.cast.owner.post('/users/me/subscriptions', { subscriptions: named, principals }))
    },
    end: (of) => ok(of.cast.owner.delete('/users/me/subscriptions', fields(of))),
  }
}

/** Requests that would change nothing if the first actor who may made them. */
const PREPARATIONS: Readonly<Record<string, Preparation>> = {
  'mark-channel-read': { by: 'keeper' },
  'mark-topic-read': { by: 'keeper' },
  'update-flags: read': { by: 'keeper' },
  unsubscribe: { by: 'author' },
  'update-subscriptions: delete': { by: 'author' },
  'unsubscribe: others': subscribed(({ things }) => things.quiet.id),
  "unsubscribe: the author's bot": subscribed(({ ids }) => ids['own bot']),
  'remove-default-stream': {
    by: 'owner',
    begin: ({ cast, destinations: { public: at } }) =>
      ok(cast.owner.post('/default_streams', { stream_id: at.channelId })),
    end: ({ cast, destinations: { public: at } }) =>
      ok(cast.owner.delete('/default_streams', { stream_id: at.channelId })),
  },
  'set-topic-policy: none': {
    by: 'keeper',
    begin: (of) => setPolicy(of, 3),
    end: (of) => setPolicy(of, 0),
  },
  'remove-own-profile-data': {
    by: 'member',
    begin: ({ cast, things }) =>
      ok(cast.member.patch('/users/me/profile_data', { data: [{ id: things.field, value: 'mine' }] })),
    end: ({ cast, things }) => ok(cast.member.delete('/users/me/profile_data', { data: [things.field] })),
  },
  'remove-alert-words': {
    by: 'member',
    begin: ({ cast }) => ok(cast.member.post('/users/me/alert_words', { alert_words: ['fire'] })),
    end: ({ cast }) => ok(cast.member.delete('/users/me/alert_words', { alert_words: ['fire'] })),
  },
}

function setPolicy({ cast, destinations: { public: at } }: Organization, visibility_policy: number) {
  const { channelId: stream_id, topic } = at
  return ok(cast.keeper.post('/user_topics', { stream_id, topic, visibility_policy }))
}

/**
 * Returns an actor and a destination for which the request is allowed; if there are none, the owner and the first
 * destination. The small organization has no former guest.
 */
function allowed(row: Row): { actor: Actor; destination: Destination | undefined } {
  const prepared = PREPARATIONS[row.name]
  if (prepared) return { actor: prepared.by, destination: destinationsOf(row)[0] }
  for (const destination of destinationsOf(row)) {
    const actor = ACTOR_NAMES.toReversed().find(
      (name) => name !== 'former guest' && expectedOf(row, name, destination) === 'ok',
    )
    if (actor) return { actor, destination }
  }
  return { actor: 'owner', destination: destinationsOf(row)[0] }
}

const costOfVisit = (row: Row) =>
  asVisitor(() =>
    costIn(open, row, { actor: 'visitor', destination: row.destinations ? 'web-public' : undefined }),
  )

async function costOf(row: Row) {
  const { read, written, d1, far, near } = await preparedCostIn(small, row)
  const { turn } = await preparedCostIn(large, row)
  return { read, written, d1, far, near, turn }
}

async function preparedCostIn(of: Organization, row: Row) {
  const prepared = PREPARATIONS[row.name]
  await prepared?.begin?.(of)
  const cost = await costIn(of, row, allowed(row))
  world.rehearses = false
  await prepared?.end?.(of)
  return cost
}

/** Watches the turns of an object's thread. Returns a function that ends this and gives the most rows that one has read and written. */
function watchSlices(sql: Runtime['sql']): () => number {
  let [rows, most, isOpen] = [0, 0, false]
  const count = sql.count.bind(sql)
  sql.count = (counts, statements) => {
    rows += counts.read + counts.written
    most = Math.max(most, rows)
    if (!isOpen) {
      isOpen = true
      void scheduler.wait(0).then(() => {
        rows = 0
        isOpen = false
      })
    }
    count(counts, statements)
  }
  return () => {
    // The method of the class is back.
    Reflect.deleteProperty(sql, 'count')
    return most
  }
}

async function costIn(
  of: Organization,
  row: Row,
  { actor, destination }: { readonly actor: Actor; readonly destination: Destination | undefined },
): Promise<OperationRows & OperationTrips> {
  if (row.operation === 'register-queue') {
    // Room for queues is reserved ahead: here by a registration that is kept.
    world.rehearses = false
    const { api } = of.realm.owner
    const { queue_id } = expectSuccess(await api.post('/register', { event_types: ['alert_words'] }))
    expectSuccess(await api.delete('/events', { queue_id }))
  }
  world.rehearses = isRehearsed(row, 'ok')
  let d1 = 0
  world.d1 = async (call) => {
    const answer = await call()
    for (const each of [answer].flat() as (Partial<D1Result> | null)[]) d1 += each?.meta?.rows_read ?? 0
    return answer
  }
  // Nobody waits for mail because of earlier requests.
  const sql = await inRealm(of.realm, ({ parts }) => {
    parts.sql.run('DELETE FROM missed_mail')
    parts.sql.run(`DELETE FROM job WHERE kind = 'send-emails'`)
    parts.alarm.follow()
    parts.sql.watch.forget()
    // An object that has just woken reserves a block of ids.
    parts.ids.nextEphemeral(parts.sql)
    return parts.sql
  })
  sql.watch.forget()
  await forgetTexts()
  const before = { ...sql.counts }
  const log = captureLog()
  const turns = watchSlices(sql)
  await askEndpoint(of, row, actor, destination)
  const turn = turns()
  const after = { ...sql.counts }
  // The log line comes after the answer.
  await expect.poll(() => log.lines('request')).not.toEqual([])
  vi.restoreAllMocks()
  const [line] = log.lines('request')
  const trips = { far: Number(line!.far_trips), near: Number(line!.near_trips) }
  return { read: after.read - before.read, written: after.written - before.written, d1, turn, ...trips }
}

describe('rows an operation reads and writes, rows it reads in D1, and its trips', () => {
  it.each([
    ...REQUESTS.map((row) => [row.name, row, costOf] as const),
    ...OF_VISITORS.map((row) => [`${row.name}, visitors`, row, costOfVisit] as const),
  ])('%s', async (name, row, cost) => {
    const known = ROWS.get(name) ?? NONE
    const trips = IN_STEPS.has(row.operation) ? undefined : tripsOf(name)
    let counted = await cost(row)
    // Jobs of the organizations may have come between, but not each time; the blocks of a class of readers are made for its first
    // reader; and ids are reserved in blocks.
    const isMore = () =>
      KINDS.some((kind) => counted[kind] > known[kind]) || (trips !== undefined && counted.far > trips.far)
    for (let again = 0; again < 2 && isMore(); again += 1) counted = await cost(row)
    const { read, written, d1, turn, far, near } = counted
    if (env.ROWS === 'show') console.log(`${name}  ${read} ${written} ${d1} ${turn}  trips ${far} ${near}`)
    if (trips) expect({ far, near }).toEqual(trips)
    for (const kind of KINDS) {
      expect(counted[kind], kind).toBeLessThanOrEqual(known[kind])
      // D1 may read fewer rows, by its plan.
      if (kind === 'd1') continue
      expect(isKept(known[kind], counted[kind]), `${kind}: ${counted[kind]} is far below its limit`).toBe(
        true,
      )
    }
  })
})

it('every operation has its rows in the table', () => {
  const named = new Set([...ROWS.keys()].map((name) => name.split(/[:,] /)[0]))
  expect([...named].toSorted()).toEqual(ENDPOINTS.map(({ operation }) => operation).toSorted())
})
