import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MOBILE_EVENT_TYPES, mobileEventForm } from '../clients/mobile-events.ts'
import { message as mobileMessage } from '../clients/mobile-models.ts'
import { MOBILE_PARAMS, mobileSnapshot, newestMobileSnapshot } from '../clients/mobile-snapshot.ts'
import {
  COMING_TERMINAL,
  RELEASED_TERMINAL,
  TERMINAL_EVENT_TYPES,
  terminalEventForm,
  message as terminalMessage,
} from '../clients/terminal-forms.ts'
import type { Cast, Role } from '../model/case.ts'
import { EVENT_CASES } from '../model/cases/index.ts'
import { type OpenCast, openCast } from '../model/open-cast.ts'
import { ClientQueue, type Params, succeed } from '../model/person.ts'
import type { Json } from '../support/json.ts'

interface ClientKind {
  readonly name: string
  readonly userAgent: string
  readonly params: Params
  readonly snapshot: v.GenericSchema
  readonly message: v.GenericSchema
  eventForm(event: { type: string; op?: string }): v.GenericSchema
}

const MOBILE = {
  snapshot: mobileSnapshot,
  message: mobileMessage,
  eventForm: mobileEventForm,
}

/** The clients with the parameters with which they register today; an unknown capability is no error. */
const CLIENTS: readonly ClientKind[] = [
  {
    ...MOBILE,
    name: 'a mobile client of level 420',
    userAgent: 'ZulipFlutter/30.0.270+270 (Android 14)',
    params: { ...MOBILE_PARAMS, idle_queue_timeout: 'mobile' },
  },
  {
    ...MOBILE,
    name: 'the newest mobile client',
    userAgent: 'ZulipFlutter/30.0.274+274 (Android 14)',
    snapshot: newestMobileSnapshot,
    params: MOBILE_PARAMS,
  },
  {
    name: 'the terminal client',
    userAgent: 'ZulipTerminal/0.7.0 Linux (Linux; 6.1)',
    ...RELEASED_TERMINAL,
    message: terminalMessage,
    eventForm: terminalEventForm,
  },
  {
    name: 'the coming terminal client',
    userAgent: 'ZulipTerminal/0.7.0+git Linux (Linux; 6.1)',
    ...COMING_TERMINAL,
    message: terminalMessage,
    eventForm: terminalEventForm,
  },
]

/** Roles of the users of these clients. */
const LISTENING: readonly Role[][] = [
  ['member', 'guest'],
  ['owner', 'member', 'guest'],
  ['member', 'guest'],
  ['member'],
]

let opened: OpenCast
let cast: Cast
beforeAll(async () => {
  opened = await openCast()
  cast = opened.cast
}, 60_000)

afterAll(async () => {
  await opened?.stop()
})

interface Listener {
  readonly kind: ClientKind
  readonly role: Role
  readonly queue: ClientQueue
}

/** Registers, and reads the newest messages, as the client does when it starts. */
async function start(kind: ClientKind, role: Role): Promise<Listener> {
  const person = cast.watchers[role].using(kind.userAgent)
  const snapshot = await succeed(person, 'POST', '/register', kind.params)
  problems.push(...unreadable(`${role}, ${kind.name}, register`, kind.snapshot, snapshot))
  const isModern = kind.eventForm === mobileEventForm
  const missing = peopleNotListed(snapshot, isModern ? [person.id] : [person.id, ...subscribersIn(snapshot)])
  if (missing.length > 0) problems.push(`${role}, ${kind.name}: ${missing} are not listed`)
  const { messages } = await succeed(person, 'GET', '/messages', {
    anchor: 'newest',
    num_before: 1_000,
    num_after: 0,
    apply_markdown: true,
    allow_empty_topic_name: isModern,
  })
  for (const message of messages) {
    problems.push(...unreadable(`${role}, ${kind.name}, message`, kind.message, message))
  }
  return { kind, role, queue: new ClientQueue(person, snapshot) }
}

/** The mobile client needs its own user; the terminal client names everybody in a channel. */
function peopleNotListed(snapshot: Json, ids: readonly number[]): number[] {
  const listed = new Set(
    [...snapshot.realm_users, ...snapshot.cross_realm_bots].map(({ user_id }) => user_id),
  )
  return [...new Set(ids)].filter((id) => !listed.has(id))
}

function subscribersIn({ subscriptions }: Json): number[] {
  return subscriptions.flatMap(({ subscribers }: Json) => subscribers)
}

const problems: string[] = []
const heard = new Map<ClientKind, Set<string>>()

function unreadable(where: string, form: v.GenericSchema, value: Json): string[] {
  const { issues } = v.safeParse(form, value)
  return (issues ?? []).map((issue) => `${where}: ${v.getDotPath(issue) ?? ''} ${issue.message}`)
}

/** The client parses every answer and event that it gets. */
async function hear({ kind, role, queue }: Listener, wait = false): Promise<void> {
  for (const event of await queue.events({ wait })) {
    const name = [event.type, event.op].filter(Boolean).join(' ')
    if (!heard.has(kind)) heard.set(kind, new Set())
    heard.get(kind)!.add(event.type)
    problems.push(...unreadable(`${role}, ${kind.name}, ${name}`, kind.eventForm(event), event))
  }
}

describe('existing clients', () => {
  it('read the answers they start with and every event, whatever happens', async () => {
    const terminals = [TERMINAL_EVENT_TYPES, COMING_TERMINAL.params.event_types]
    const known = [MOBILE_EVENT_TYPES, MOBILE_EVENT_TYPES, ...terminals]
    const listeners: Listener[] = []
    for (const [index, roles] of LISTENING.entries()) {
      for (const role of roles) listeners.push(await start(CLIENTS[index]!, role))
    }
    for (const type of new Set(known.flat())) {
      for (const one of EVENT_CASES[type]!) {
        for (const step of one.steps) {
          // Earlier events are read first, so that they do not answer these polls.
          if (one.ephemeral) await Promise.all(listeners.map((listener) => hear(listener)))
          const polls = one.ephemeral ? listeners.map((listener) => hear(listener, true)) : []
          if (one.ephemeral) await cast.organization.untilPolled(listeners.map(({ queue }) => queue))
          await step.act(cast)
          await Promise.all(polls)
        }
        await one.restore?.(cast)
      }
      await Promise.all(listeners.map((listener) => hear(listener)))
    }
    for (const { kind, role } of listeners) await start(kind, role)
    expect([...new Set(problems)]).toEqual([])
    for (const [index, kind] of CLIENTS.entries()) {
      expect([...(heard.get(kind) ?? [])], kind.name).toEqual(expect.arrayContaining(known[index]!))
    }
  })
})
