/** The text below the aims: where the time goes, with the figures of the bare platform in the same run. */
import type { Delivery } from '../bench/delivery.ts'
import { type Ladder, ladderOf } from '../bench/ladder.ts'
import { BARE_WITH_CALLER, BARE_WITHOUT_BLOCKS, type RegistersResults } from '../bench/registers.ts'
import type { Results } from '../bench/report.ts'
import type { Kept } from './measured-aims.ts'

/** The acknowledged sends a second of ejabberd, a dedicated chat server, on two free cores, by members and senders. */
export const EJABBERD: Readonly<Record<string, number>> = {
  '10 1': 821,
  '10 16': 763,
  '100 1': 376,
  '100 16': 356,
}

/** Name of the subject of bench/throughput.ts. */
const CONTROL_WITH_D1 = 'bare: the same, its text and a search entry in D1'

export function unreachedAims({ throughput, registers, delivery: delivered }: Kept): string[] {
  const delivery = delivered?.delivery ?? []
  const full = registers?.registers.find(({ users }) => users === 10_000)
  return [
    'Where the time goes:',
    '',
    ...(throughput ? [...sends(throughput), ...page(throughput), ...polls(throughput, delivery)] : []),
    ...(throughput ? streams(throughput) : []),
    ...(full ? registrations(full) : []),
    '',
  ]
}

function sends({ throughput, latency }: Results): string[] {
  return [
    '- **A send** also reads the form and the key, checks permissions, renders Markdown, and writes the event and the log. Up to 16 commands that wait at the same time share',
    '  a commit: with sixteen senders a send takes 0.44 of the time that it takes without.',
    ...pacedLines(latency),
    ...floorLines(throughput, 'send to 10 subscribers'),
  ]
}

/** Compares the slowest sends at a pace with those of the control that writes to D1, which has the same thread on one machine. */
function pacedLines(latency: Results['latency']): string[] {
  const [control, own] = [CONTROL_WITH_D1, 'send to 10 subscribers'].map((wanted) =>
    latency.find(({ name }) => name === wanted),
  )
  if (!control || !own) return []
  return [
    `  With ${own.rate} sends a second 95 % are answered within ${whole(own.p95)} ms and 99 % within ${whole(own.p99)} ms; the control that also writes to D1 takes ${whole(control.p95)} and ${whole(control.p99)} ms.`,
  ]
}

/** Compares the simplest program that does the same work with Parley. */
function floorLines(throughput: Results['throughput'], name: Ladder): string[] {
  const ladder = ladderOf(throughput, name)
  if (!ladder) return []
  const { processorMs: top } = ladder.rungs.at(-1)!
  return [
    `  A program of about 350 lines (\`bench/bare/obliged.ts\`) that does the same reads and writes and checks little else takes ${two(top / ladder.parley.processorMs)} of Parley’s time.`,
  ]
}

function page({ throughput }: Results): string[] {
  const [insert, , bodies] = throughput
  const own = throughput.find(({ name }) => name === 'fetch 100 messages')!
  const floor = insert!.processorMs + bodies!.processorMs
  return [
    `- **A page of a hundred** must first check the reader’s permission: the control, which asks only D1, and a call to an object together take ${two(floor / own.processorMs)} of Parley’s time.`,
    '  The rest is what each message has besides its text: flags, reactions, moves, the sender, about 25 fields.',
    ...floorLines(throughput, 'fetch 100 messages'),
  ]
}

function polls({ listening }: Results, delivery: readonly Delivery[]): string[] {
  const [most, bareMost] = ['polls', 'bare, polls'].map((wanted) =>
    delivery.find(({ way, listeners }) => way === wanted && listeners === 10_000),
  )
  return [
    '- **Polls.** A client that polls again costs a request to the Worker and a call to the object, in the control too; Parley also checks the key, the queue and the cursor.',
    ...(most && bareMost
      ? [
          `  Ten thousand clients that poll again take ${seconds(most.processorMs)} s of processor time, their own part included, and ${seconds(bareMost.processorMs)} s at the bare platform. The bare object answers`,
          '  everybody in one turn; Parley answers in turns, the first much sooner, and takes what has come back in between.',
        ]
      : []),
    ...obliged(
      listening,
      'polls',
      'a digest of the key, the rows of caller and queue and a read of the log for each poll that comes back, a row of the log for the event, and its text and search entry in D1',
    ),
  ]
}

/** Returns the figures of the bare platform with the work that every delivery requires, done in the simplest way. */
function obliged(listening: Results['listening'], way: 'polls' | 'streams', duties: string): string[] {
  const figures = [10, 100].flatMap((members) =>
    [1, 16].flatMap((senders) => {
      const control = listening.find(
        (one) => one.name === `obliged, ${way}` && one.members === members && one.senders === senders,
      )
      if (!control) return []
      const by = senders === 1 ? 'one sender' : `${senders} senders`
      return `${two(control.processorMs)} ms with ${members} members and ${by}`
    }),
  )
  if (figures.length === 0) return []
  return [
    `  A control that also does what every delivery requires, in the simplest way (${duties}),`,
    `  takes ${figures.join('; ')}. It checks no permissions.`,
  ]
}

function streams({ listening }: Results): string[] {
  const bare = listening.filter(({ name }) => name === 'bare, streams')
  const rates = bare.map(({ members, senders, processorMs }) => {
    const rate = `${whole(1_000 / processorMs)} (${members} members, ${senders === 1 ? 'one sender' : `${senders} senders`})`
    const ejabberd = EJABBERD[`${members} ${senders}`]
    return ejabberd === undefined ? rate : `${rate}, compared with ejabberd’s ${ejabberd}`
  })
  return [
    '- **Event streams** need neither a request nor a call for an event. In each second of a core the bare platform does this many sends that all members receive:',
    `  ${rates.join('; ')}. Ejabberd’s numbers are those of two free cores by the clock.`,
    ...obliged(
      listening,
      'streams',
      'a row of the log for the event, its text and search entry in D1, a cursor of each socket that is kept while the object sleeps, and acknowledgements',
    ),
  ]
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1)
}

function registrations({ costs, herdHeap }: RegistersResults): string[] {
  const cost = (name: string) => costs.find((one) => one.name === name)!.processorMs
  const withCaller = costs.find(({ name }) => name === BARE_WITH_CALLER)
  const anew = costs.find(({ name }) => name === BARE_WITHOUT_BLOCKS)
  return [
    '- **A full registration** compares the digests of its sections in the transaction that opens the queue, so that no event is missing or there twice.',
    ...(withCaller
      ? [
          `  A bare platform that also finds the caller and gets a personal part of as many rows takes ${two(withCaller.processorMs / cost('known'))} of Parley’s time.`,
        ]
      : []),
    '  An object that has just woken makes the sections anew, once for all readers. A new isolate of the Worker is sent all of them once, whoever registers first, in turns of some 20 ms:',
    `  ${whole(cost('not known to the isolate'))} ms${anew ? `, and ${whole(anew.processorMs)} at a bare object that hands all over in one call` : ''}.`,
    ...(herdHeap
      ? [
          `  While ${whole(herdHeap.at)} are under way, the Worker’s isolate holds ${whole((herdHeap.bytes.worker - herdHeap.before.worker) / 2 ** 20)} MiB more than before; a bare Worker that sends as many bytes from one buffer 11. Fifty answers are sent at a time.`,
        ]
      : []),
  ]
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}

function two(value: number): string {
  return value.toFixed(2)
}
