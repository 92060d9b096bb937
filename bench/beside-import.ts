/** Measures how long others wait for a send and for a full registration while an import writes. */
import { setTimeout } from 'node:timers/promises'
import { encodeFields, type ParameterValue } from '../scripts/api-client.ts'
import { type Ask, Connections } from './http-load.ts'
import { beginNeutral, untilState } from './imports.ts'
import type { BenchOrganization, BenchUser } from './organization.ts'
import { ms, ratio, table } from './tables.ts'

/** The most that an import of others should make a user wait, in milliseconds. */
export const WAITING_GOAL_MS = 250
/** Milliseconds between an answer and the next request of the same kind, and those of the measurement without an import. */
const [PAUSE_MS, ALONE_MS] = [20, 8_000] as const
/** People who register are in none of the channels with sends, so that their queues do not slow down the sends. */
const [FIRST_REGISTERED, REGISTERED] = [500, 400] as const

interface Times {
  readonly count: number
  readonly medianMs: number
  readonly p99Ms: number
  readonly maxMs: number
}

interface Waiting {
  readonly what: 'a message is sent' | 'a full registration'
  readonly alone: Times
  readonly beside: Times
}

export interface BesideImport {
  readonly messages: number
  readonly waiting: readonly Waiting[]
}

export async function measureBeside(
  organization: BenchOrganization,
  messages: number,
): Promise<BesideImport> {
  const { client } = organization
  const connections = new Connections()
  // Warms up what the first request of each kind makes.
  await measureUntil(connections, organization, setTimeout(ALONE_MS / 4))
  const alone = await measureUntil(connections, organization, setTimeout(ALONE_MS))
  const id = await beginNeutral(client, messages)
  await client.call('PATCH', `/imports/${id}`, { action: 'run' })
  const beside = await measureUntil(connections, organization, untilState(client, id, 'finished'))
  connections.close()
  const rows = (at: 0 | 1) => ({ alone: alone[at], beside: beside[at] })
  return {
    messages,
    waiting: [
      { what: 'a message is sent', ...rows(0) },
      { what: 'a full registration', ...rows(1) },
    ],
  }
}

/** Sends and registers, one after the other each, until something has happened. */
async function measureUntil(
  connections: Connections,
  { url, people, channels }: BenchOrganization,
  end: Promise<unknown>,
): Promise<readonly [sends: Times, registers: Times]> {
  let isOver = false
  const ending = end.finally(() => {
    isOver = true
  })
  const repeat = async (ask: (count: number) => Ask): Promise<Times> => {
    const times: number[] = []
    while (!isOver) {
      const began = performance.now()
      await connections.ask(ask(times.length))
      times.push(performance.now() - began)
      await setTimeout(PAUSE_MS)
    }
    return timesOf(times)
  }
  const post = (path: string, user: BenchUser, fields: Record<string, ParameterValue>): Ask => ({
    ...{ method: 'POST', url: `${url}/api/v1${path}` },
    ...{ form: encodeFields(fields), headers: user.authorization },
  })
  const line = { type: 'channel', to: channels[100], topic: 'beside', content: 'What do we have for lunch?' }
  const [sends, registers] = await Promise.all([
    repeat(() => post('/messages', people[0]!, line)),
    repeat((count) => post('/register', people[FIRST_REGISTERED + (count % REGISTERED)]!, {})),
    ending,
  ])
  return [sends, registers]
}

function timesOf(times: readonly number[]): Times {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (part: number) => sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? 0
  return { count: sorted.length, medianMs: at(0.5), p99Ms: at(0.99), maxMs: at(1) }
}

export function printBeside({ messages, waiting }: BesideImport): void {
  table(
    `What others wait for while ${messages} messages are imported, in ms (at most ${WAITING_GOAL_MS} is the aim)`,
    ['', 'requests', 'median', '99 of 100', 'longest', 'longest alone', 'ratio of medians'],
    waiting.map(({ what, alone, beside }) => [
      ...[what, String(beside.count), ms(beside.medianMs), ms(beside.p99Ms)],
      ...[ms(beside.maxMs), ms(alone.maxMs), ratio(beside.medianMs / alone.medianMs)],
    ]),
  )
}
