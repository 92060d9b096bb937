/**
 * What the interface obliges every server to, step by step (bench/bare/obliged.ts): each rung does what those below it do, and one
 * thing more, in the plainest way. The top one is the floor of what Parley takes for the same.
 */
import type { BareServer } from './bare/start-bare.ts'
import type { Ask } from './http-load.ts'
import type { Subject, Throughput } from './throughput.ts'

/** The name of Parley's own among the subjects. */
export type Ladder = 'send to 10 subscribers' | 'fetch 100 messages'

/** The rungs above the bare insert, lowest first, by the step as obliged.ts has it. */
const RUNGS: Readonly<Record<Ladder, Readonly<Record<string, string>>>> = {
  'send to 10 subscribers': {
    'send/form': 'a row; it reads a form and answers JSON',
    'send/caller': 'and knows the caller by the digest of the key',
    'send/rows':
      'and writes the rows that it must, after looking who may: message, two index entries, log with the event',
    'send/markdown': 'and renders the Markdown',
    'send/bodies': 'and puts text and search entry into D1, which nobody waits for',
  },
  'fetch 100 messages': {
    'page/caller': 'asks an object who the caller is, by the digest of the key, and reads 100 texts from D1',
    'page/messages': 'and reads the 100 messages there, after looking who may',
    'page/details': 'and their flags, reactions and senders',
    'page/fields': 'and writes all of it out as 100 messages of 20 fields',
  },
}

export const LADDERS = Object.keys(RUNGS) as Ladder[]

/** An account, and messages to be read, for whoever has this authorization. */
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

/** The rungs as subjects; each asks as Parley is asked. */
export function rungs(bare: BareServer, own: Readonly<Record<Ladder, Ask>>): Subject[] {
  return LADDERS.flatMap((ladder) =>
    Object.entries(RUNGS[ladder]).map(([step, name]): Subject => {
      const { method, headers, form } = own[ladder]
      // The only channel there.
      const fields = form && new URLSearchParams([...form, ['to', '1']])
      const ask = { method, url: `${bare.obligedUrl}/${step}`, headers, form: fields }
      return { name, ladder, pid: bare.pid, make: () => ask }
    }),
  )
}

export interface MeasuredLadder {
  /** Lowest first; the last has the floor. */
  readonly rungs: readonly Throughput[]
  readonly parley: Throughput
}

/** Nothing where it was not measured. */
export function ladderOf(throughput: readonly Throughput[], ladder: Ladder): MeasuredLadder | undefined {
  const parley = throughput.find(({ name }) => name === ladder)
  const found = throughput.filter((one) => one.ladder === ladder)
  return parley && found.length > 0 ? { rungs: found, parley } : undefined
}
