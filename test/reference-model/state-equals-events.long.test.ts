import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EVENT_TYPES } from '../../src/events/index.ts'
import type { Json } from '../support/json.ts'
import { type Cast, type EventCase, ROLES, type Role, type Step } from './case.ts'
import { EVENT_CASES } from './cases/index.ts'
import { EVERY_FORM, formsThatMatterTo } from './client-forms.ts'
import { openClient } from './client-state.ts'
import { opsOf } from './event-ops.ts'
import { openOrganization } from './local-organization.ts'
import { type OpenCast, openCast } from './open-cast.ts'
import { succeed } from './person.ts'
import { catchUp, differencesOfClient, openWatchingClients, type WatchingClient } from './watching-clients.ts'

let opened: OpenCast
let cast: Cast
let clients: WatchingClient[]
beforeAll(async () => {
  opened = await openCast()
  cast = opened.cast
  clients = await openWatchingClients(cast)
}, 60_000)

afterAll(async () => {
  await opened?.stop()
})

describe('every event type', () => {
  it('has a case here, with all its ops', () => {
    const wanted = [...EVENT_TYPES.keys()]
      .filter((type) => !OF_THE_SERVER.has(type))
      .map((type) => [type, opsOf(type).filter((op) => type !== LAST_OP[0] || op !== LAST_OP[1])])
    const covered = wanted.map(([type]) => {
      const steps = EVENT_CASES[type as string]?.flatMap(({ steps }) => steps) ?? []
      return [type, [...new Set(steps.flatMap(({ op }) => op ?? []))].sort()]
    })
    expect(covered).toEqual(wanted)
    expect(wanted.filter(([type]) => (EVENT_CASES[type as string] ?? []).length === 0)).toEqual([])
  })
})

/** The event ends every queue, so it has a test of its own below and no case. */
const LAST_OP = ['realm', 'deactivated']

/** Events that no client causes; a test of the realm object covers them. */
const OF_THE_SERVER = new Set(['restart'])

/** Types about lists besides the snapshot. */
const WITH_LISTS = new Set(['attachment', 'invites_changed'])

const CASES = [...EVENT_TYPES.keys()].flatMap((type) =>
  (EVENT_CASES[type] ?? []).map((one, index) => ({ type, index, one })),
)

describe('state equals events', () => {
  it.each(CASES)('$type, case $index', async ({ type, one }) => {
    const forms = formsThatMatterTo(type)
    const compared = clients.filter(({ form }) => forms.has(form))
    // The clients get the events since the last comparison. Those that wait for events must have got all of them.
    await Promise.all((one.ephemeral ? clients : compared).map((client) => catchUp(client)))
    for (const { ignored } of clients) for (const name of one.ignore ?? []) ignored.add(name)
    const differences: string[] = []
    try {
      for (const [index, step] of one.steps.entries()) {
        await runStep(`${type}, step ${index}`, one, step, compared, type)
      }
    } finally {
      const how = { lists: WITH_LISTS.has(type) }
      const found = await Promise.all(compared.map((client) => differencesOfClient(cast, client, how)))
      differences.push(...found.flat())
      await one.restore?.(cast)
    }
    expect(differences).toEqual([])
  })

  it('for every declared type and form of event, at the end', async () => {
    const found = await Promise.all(
      clients.map(async (client) => {
        await catchUp(client)
        return differencesOfClient(cast, client, { lists: true })
      }),
    )
    expect(found.flat()).toEqual([])
  })
})

describe('a deactivated organization', () => {
  it('emits that as its last event to every queue', async () => {
    const closing = await openOrganization(opened.server)
    const people = [closing.owner, await closing.addPerson('Member'), await closing.addPerson('Guest', 600)]
    const clients = []
    for (const person of people) clients.push(await openClient(person, EVERY_FORM[0]!))
    const polls = clients.map(({ queue }) => queue.events({ wait: true }))
    await closing.untilPolled(clients.map(({ queue }) => queue))
    await succeed(closing.owner, 'POST', '/realm/deactivate', {})
    for (const events of await Promise.all(polls)) {
      expect(events).toMatchObject([{ type: 'realm', op: 'deactivated', realm_id: closing.id }])
    }
    expect((await people[1]!.request('GET', '/users/me')).status).toBe(401)
  })
})

/**
 * Does one step, lets the compared clients apply their events, and checks that the right clients got them. The other
 * clients get the events later, unless the events are sent only once.
 */
async function runStep(
  name: string,
  one: EventCase,
  step: Step,
  compared: readonly WatchingClient[],
  type: string,
) {
  const waiting = new Map<WatchingClient, Promise<Json[]>>()
  if (one.ephemeral) {
    await Promise.all(clients.map(async (client) => waiting.set(client, (await beginToWait(client)).events)))
  }
  await step.act(cast)
  const gotIt = new Set<Role>()
  await Promise.all(
    (one.ephemeral ? clients : compared).map(async (client) => {
      const heard = await catchUp(client, waiting.get(client))
      if (!compared.includes(client)) return
      if (heard.some((event) => event.type === type && event.op === step.op)) gotIt.add(client.role)
    }),
  )
  expect(
    ROLES.filter((role) => gotIt.has(role)),
    `who gets ${name} ${step.op ?? ''}`,
  ).toEqual(ROLES.filter((role) => step.to.includes(role)))
}

/**
 * Lets a client wait for events. A poll that is answered before it waits has what the server has done by itself since the last one, and the
 * client polls again; one that is refused fails the test with the refusal.
 */
async function beginToWait(client: WatchingClient): Promise<{ readonly events: Promise<Json[]> }> {
  for (;;) {
    const events = client.queue.events({ wait: true })
    const isWaiting = cast.organization.untilPolled([client.queue])
    // The poll may be answered first.
    isWaiting.catch(() => {})
    const early = await Promise.race([events, isWaiting.then(() => undefined)])
    if (early === undefined) return { events }
    await catchUp(client, Promise.resolve(early))
  }
}
