import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { REGISTRATION } from '../../src/http/pages/page-parameters.ts'
import { MOBILE_EVENT_TYPES, mobileEventForm } from '../clients/mobile-events.ts'
import { message as mobileMessage } from '../clients/mobile-models.ts'
import { MOBILE_PARAMS, mobileSnapshot, newestMobileSnapshot } from '../clients/mobile-snapshot.ts'
import {
  SCRIPT_EVENT_TYPES,
  SCRIPT_PARAMS,
  scriptEventForm,
  scriptMessage,
  scriptSnapshot,
} from '../clients/script-forms.ts'
import {
  COMING_TERMINAL,
  RELEASED_TERMINAL,
  TERMINAL_EVENT_TYPES,
  terminalEventForm,
  message as terminalMessage,
} from '../clients/terminal-forms.ts'
import { WEB_EVENT_TYPES, webEventForm, webMessage } from '../clients/web-events.ts'
import type { Cast, Role } from '../reference-model/case.ts'
import { EVENT_CASES } from '../reference-model/cases/index.ts'
import { type OpenCast, openCast } from '../reference-model/open-cast.ts'
import { ClientQueue, type Params, succeed } from '../reference-model/person.ts'
import type { Json } from '../support/json.ts'

interface ClientKind {
  readonly name: string
  readonly userAgent: string
  readonly level?: number
  readonly params: Params
  readonly snapshot: v.GenericSchema
  readonly message: v.GenericSchema
  eventForm(event: { type: string; op?: string }): v.GenericSchema
  /** Whose names the client needs at once; the user's own, or those of everybody in a channel. */
  readonly lists: 'self' | 'subscribers' | 'nobody'
  readonly emptyTopics: boolean
  /** The types that it must hear of. */
  readonly hears: readonly string[]
}

const MOBILE = {
  snapshot: mobileSnapshot,
  message: mobileMessage,
  eventForm: mobileEventForm,
  lists: 'self',
  emptyTopics: true,
  hears: MOBILE_EVENT_TYPES,
} as const

const TERMINAL = {
  message: terminalMessage,
  eventForm: terminalEventForm,
  lists: 'subscribers',
  emptyTopics: false,
} as const

/** The clients with the parameters with which they register today; an unknown capability is no error. */
const CLIENTS: readonly ClientKind[] = [
  {
    ...MOBILE,
    name: 'a mobile client for release 11',
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
    ...TERMINAL,
    ...RELEASED_TERMINAL,
    hears: TERMINAL_EVENT_TYPES,
  },
  {
    name: 'the coming terminal client',
    userAgent: 'ZulipTerminal/0.7.0+git Linux (Linux; 6.1)',
    ...TERMINAL,
    ...COMING_TERMINAL,
    hears: COMING_TERMINAL.params.event_types,
  },
  {
    name: 'the web client of level 500',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    level: 500,
    params: Object.fromEntries(REGISTRATION),
    snapshot: v.looseObject({ zulip_feature_level: v.number(), devices: v.looseObject({}) }),
    message: webMessage,
    eventForm: webEventForm,
    lists: 'self',
    emptyTopics: true,
    hears: WEB_EVENT_TYPES,
  },
  {
    name: 'a script',
    userAgent: 'ZulipPython/0.9.0 (Debian GNU/Linux; 13)',
    params: SCRIPT_PARAMS,
    snapshot: scriptSnapshot,
    message: scriptMessage,
    eventForm: scriptEventForm,
    lists: 'nobody',
    emptyTopics: false,
    hears: SCRIPT_EVENT_TYPES,
  },
]

/** Roles of the users of these clients. */
const LISTENING: readonly Role[][] = [
  ['member', 'guest'],
  ['owner', 'member', 'guest'],
  ['member', 'guest'],
  ['member'],
  ['owner', 'member', 'guest'],
  ['member', 'bot'],
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
  const person = cast.watchers[role].using(kind.userAgent, kind.level)
  const snapshot = await succeed(person, 'POST', '/register', kind.params)
  problems.push(...unreadable(`${role}, ${kind.name}, register`, kind.snapshot, snapshot))
  const missing = peopleNotListed(kind, person.id, snapshot)
  if (missing.length > 0) problems.push(`${role}, ${kind.name}: ${missing} are not listed`)
  const { messages } = await succeed(person, 'GET', '/messages', {
    anchor: 'newest',
    num_before: 1_000,
    num_after: 0,
    apply_markdown: true,
    allow_empty_topic_name: kind.emptyTopics,
  })
  for (const message of messages) {
    problems.push(...unreadable(`${role}, ${kind.name}, message`, kind.message, message))
  }
  return { kind, role, queue: new ClientQueue(person, snapshot) }
}

function peopleNotListed({ lists }: ClientKind, self: number, snapshot: Json): number[] {
  if (lists === 'nobody') return []
  const needed = lists === 'self' ? [self] : [self, ...subscribersIn(snapshot)]
  const listed = new Set(
    [...snapshot.realm_users, ...snapshot.cross_realm_bots].map(({ user_id }) => user_id),
  )
  return [...new Set(needed)].filter((id) => !listed.has(id))
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
    const listeners: Listener[] = []
    for (const [index, roles] of LISTENING.entries()) {
      for (const role of roles) listeners.push(await start(CLIENTS[index]!, role))
    }
    for (const type of new Set(CLIENTS.flatMap(({ hears }) => hears))) {
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
    for (const kind of CLIENTS) {
      expect([...(heard.get(kind) ?? [])], kind.name).toEqual(expect.arrayContaining([...kind.hears]))
    }
  })
})
