import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LocalServer } from '../../scripts/local-server.ts'
import { EVENT_TYPES } from '../../src/events/index.ts'
import { applyEvent } from './apply-event.ts'
import { startBouncer } from './bouncer.ts'
import { type Cast, type EventCase, ROLES, type Role, type Step } from './case.ts'
import { makeChannel } from './cases/acts.ts'
import { EVENT_CASES } from './cases/index.ts'
import { clientFormsOf } from './client-forms.ts'
import { type ClientState, openClient } from './client-state.ts'
import { compareStates } from './comparable-state.ts'
import { differencesBetween } from './differences.ts'
import { opsOf } from './event-ops.ts'
import {
  type Json,
  type LocalQueue,
  openOrganization,
  startModelServer,
  succeed,
} from './local-organization.ts'

let server: LocalServer
let bouncer: { readonly url: string; stop(): void }
let cast: Cast
beforeAll(async () => {
  bouncer = await startBouncer()
  server = await startModelServer({
    PUSH_BOUNCER_URL: bouncer.url,
    PUSH_BOUNCER_ORG_ID: 'org-1',
    PUSH_BOUNCER_ORG_KEY: 'org-key',
    POLL_HOLD_SECONDS: '1',
  })
  const organization = await openOrganization(server)
  const boss = organization.owner
  const peer = await organization.addPerson('Peer')
  const member = await organization.addPerson('Member')
  const robot = { full_name: 'Robot', short_name: 'robot', bot_type: 1 }
  const bot = await succeed(member, 'POST', '/bots', robot)
  const { email } = (await succeed(member, 'GET', `/users/${bot.user_id}`)).user
  const watchers = {
    owner: await organization.addPerson('Owner', 100),
    member,
    guest: await organization.addPerson('Guest', 600),
    bot: organization.personOf({ id: bot.user_id, email, fullName: 'Robot', apiKey: bot.api_key }),
  }
  const channel = await makeChannel([boss, peer, ...Object.values(watchers)])
  const secret = await makeChannel([boss, peer], { invite_only: true })
  cast = { organization, boss, peer, watchers, channel, secret }
}, 60_000)

afterAll(async () => {
  bouncer?.stop()
  await server?.stop()
})

describe('every event type', () => {
  it('has a case here, with all its ops', () => {
    const wanted = [...EVENT_TYPES.keys()].map((type) => [
      type,
      opsOf(type).filter((op) => type !== LAST_OP[0] || op !== LAST_OP[1]),
    ])
    const covered = wanted.map(([type]) => {
      const steps = EVENT_CASES[type as string]?.flatMap(({ steps }) => steps) ?? []
      return [type, [...new Set(steps.flatMap(({ op }) => op ?? []))].sort()]
    })
    expect(covered).toEqual(wanted)
    expect(wanted.filter(([type]) => (EVENT_CASES[type as string] ?? []).length === 0)).toEqual([])
  })
})

/** Ends every queue: it has a test of its own below, not a case. */
const LAST_OP = ['realm', 'deactivated']

/** Types that speak of lists beside the snapshot. */
const WITH_LISTS = new Set(['attachment', 'invites_changed'])

interface Client {
  readonly role: Role
  readonly queue: LocalQueue
  readonly state: ClientState
}

const CASES = [...EVENT_TYPES.keys()].flatMap((type) =>
  (EVENT_CASES[type] ?? []).map((one, index) => ({ type, index, one })),
)

describe('state equals events', () => {
  it.each(CASES)('$type, case $index', async ({ type, one }) => {
    const clients: Client[] = []
    const lists = WITH_LISTS.has(type)
    for (const role of ROLES) {
      for (const form of clientFormsOf(type)) {
        clients.push({ role, ...(await openClient(cast.watchers[role], form, { lists })) })
      }
    }
    try {
      for (const [index, step] of one.steps.entries()) {
        await runStep(`${type}, step ${index}`, one, step, clients, type)
      }
      for (const { role, state } of clients) {
        const fresh = await openClient(cast.watchers[role], state.form, { lists })
        await fresh.queue.end()
        const { applied, fresh: expected } = compareStates(state, fresh.state, one)
        expect(differencesBetween(applied, expected), `${role} with ${state.form.name}`).toEqual([])
      }
    } finally {
      await one.restore?.(cast)
      for (const { queue } of clients) await queue.end()
    }
  })
})

describe('an organization that is closed', () => {
  it('says so to everybody who listens, as its last word', async () => {
    const closing = await openOrganization(server)
    const people = [closing.owner, await closing.addPerson('Member'), await closing.addPerson('Guest', 600)]
    const clients = []
    for (const person of people) clients.push(await openClient(person, clientFormsOf('realm')[0]!))
    const polls = clients.map(({ queue }) => queue.events({ wait: true }))
    await new Promise((resolve) => setTimeout(resolve, 300))
    await succeed(closing.owner, 'POST', '/realm/deactivate', {})
    for (const events of await Promise.all(polls)) {
      expect(events).toMatchObject([{ type: 'realm', op: 'deactivated', realm_id: closing.id }])
    }
    expect((await people[1]!.request('GET', '/users/me')).status).toBe(401)
  })
})

/** Does it, lets every client apply what it is told, and sees that the right ones were told. */
async function runStep(name: string, one: EventCase, step: Step, clients: readonly Client[], type: string) {
  const polls = one.ephemeral ? clients.map(({ queue }) => queue.events({ wait: true })) : []
  if (one.ephemeral) await new Promise((resolve) => setTimeout(resolve, 300))
  await step.act(cast)
  const heard: Json[][] = await Promise.all(polls)
  const gotIt = new Set<Role>()
  for (const [index, { role, queue, state }] of clients.entries()) {
    for (const event of [...(heard[index] ?? []), ...(await queue.events())]) {
      applyEvent(state, event)
      if (event.type === type && event.op === step.op) gotIt.add(role)
    }
  }
  expect(
    ROLES.filter((role) => gotIt.has(role)),
    `who is told of ${name} ${step.op ?? ''}`,
  ).toEqual(ROLES.filter((role) => step.to.includes(role)))
}
