/**
 * The work that the interface requires of every server, step by step (bench/bare/obliged-baseline.ts): each rung does what the rungs below it do, and
 * one thing more, in the simplest way. The processor time of the top rung is the floor for the same request to Parley.
 */
import type { BareServer } from './bare/start-bare.ts'
import type { Ask } from './http-load.ts'
import type { Subject, Throughput } from './throughput.ts'

/** Name of Parley's subject that a ladder is compared with. */
export type Ladder = 'send to 10 subscribers' | 'fetch 100 messages'

/** The rung that commits as Parley does; those below it commit each change on its own. */
const SHARES_SLICES = 'and shares a commit with the requests that wait at the same time'

/** Descriptions of the rungs above the bare insert, lowest first, by the name of the step in obliged-baseline.ts. */
const RUNGS: Readonly<Record<Ladder, Readonly<Record<string, string>>>> = {
  'send to 10 subscribers': {
    'send/form': 'reads a form, inserts a row and answers JSON',
    'send/caller': 'and finds the caller by the digest of the key',
    'send/rows':
      'and writes the required rows after checking permission: message, two index entries, log with the event',
    'send/markdown': 'and renders the Markdown',
    'send/bodies': 'and writes text and search entry to D1 after the answer',
    'send/turns': SHARES_SLICES,
  },
  'fetch 100 messages': {
    'page/caller': 'asks an object for the caller, by the digest of the key, and reads 100 texts from D1',
    'page/messages': 'and reads the 100 messages there after checking permission',
    'page/details': 'and reads their flags, reactions and senders',
    'page/fields': 'and serialises all of it as 100 messages of 20 fields',
  },
}

export const LADDERS = Object.keys(RUNGS) as Ladder[]

/** Prepares an account with this authorization, and messages for it to read. */
export async function prepareLadders(
  { obligedUrl }: BareServer,
  authorization: Record<string, string>,
  content: string,
): Promise<void> {
  const response = await fetch(`${obligedUrl}/prepare`, {
    method: 'POST',
    headers: authorization,
    body: content,
  })
  if (!response.ok) throw new Error(`The bare platform could not be prepared: ${await response.text()}`)
}

/** Returns the rungs as subjects. Each gets the same request as Parley. */
export function rungs(bare: BareServer, own: Readonly<Record<Ladder, Ask>>): Subject[] {
  return LADDERS.flatMap((ladder) =>
    Object.entries(RUNGS[ladder]).map(([step, name]): Subject => {
      const { method, headers, form } = own[ladder]
      // The bare platform has only this channel.
      const fields = form && new URLSearchParams([...form, ['to', '1']])
      const ask = { method, url: `${bare.obligedUrl}/${step}`, headers, form: fields }
      return { name, ladder, pid: bare.pid, make: () => ask }
    }),
  )
}

export interface MeasuredLadder {
  /** Lowest first; the last is the floor. */
  readonly rungs: readonly Throughput[]
  readonly parley: Throughput
}

/** Returns the results of a ladder; undefined if it was not measured. */
export function ladderOf(throughput: readonly Throughput[], ladder: Ladder): MeasuredLadder | undefined {
  const parley = throughput.find(({ name }) => name === ladder)
  const found = throughput.filter((one) => one.ladder === ladder)
  return parley && found.length > 0 ? { rungs: found, parley } : undefined
}
