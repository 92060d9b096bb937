/** The aims for large organizations and many listeners, beside the measurements that `npm run bench -- --keep` has written. */
import type { Delivery } from '../bench/delivery.ts'
import type { LargeResults } from '../bench/large.ts'
import type { RegistersResults } from '../bench/registers.ts'
import type { Results } from '../bench/report.ts'
import { EJABBERD, unreachedAims } from './unreached-aims.ts'

/** The latest results of each part. */
export interface Kept {
  readonly throughput?: Results
  readonly registers?: { readonly registers: readonly RegistersResults[] }
  readonly large?: { readonly large: readonly LargeResults[] }
  readonly delivery?: { readonly delivery: readonly Delivery[] }
}

interface Aim {
  readonly what: string
  readonly aim: string
  readonly measured: string
  readonly bare?: string
}

/** Number of people in the organization for which the aims are set. */
const USERS = 10_000

export function aimLines(kept: Kept): string[] {
  const aims = [
    ...registerAims(kept.registers?.registers ?? []),
    ...largeAims(kept.large?.large ?? []),
    ...sendAims(kept.throughput),
    ...listeningAims(kept.throughput),
    ...waitingAims(kept.throughput, kept.delivery?.delivery ?? []),
  ]
  if (aims.length === 0) return []
  return [
    '### Aims',
    '',
    `The aims are for ${whole(USERS)} people and 500 channels unless stated otherwise. A ratio is the bare platform’s processor time for the same work in the same`,
    'run, divided by Parley’s: at 1 Parley is as fast. Times of the clock, on a machine of two cores, stand beside those of the bare platform in the same run.',
    '',
    '| | aim | measured | bare platform |',
    '|---|---|---|---|',
    ...aims.map(({ what, aim, measured, bare = '' }) => `| ${what} | ${aim} | ${measured} | ${bare} |`),
    '',
    ...unreachedAims(kept),
  ]
}

function registerAims(all: readonly RegistersResults[]): Aim[] {
  const found = all.find(({ users }) => users === USERS)
  if (!found) return []
  const cost = (name: string) => found.costs.find((one) => one.name === name)!
  const [bare, known] = [cost('bare'), cost('known')]
  const rowsAndTime = (name: string) => {
    const { processorMs, rows } = cost(name)
    return `${whole(rows.read)} rows, ${whole(processorMs)} ms of processor time`
  }
  const size = `${(found.bytes / 1e6).toFixed(1)} MB`
  return [
    {
      what: `\`POST /register\`, everything (${size})`,
      aim: 'at most 3,000 rows and 20 ms of the object; at most twice a bare Worker that sends the same bytes',
      measured: `${rowsAndTime('known')} of Worker and object: ${(known.processorMs / bare.processorMs).toFixed(1)} times the bare Worker`,
      bare: `${two(bare.processorMs)} ms`,
    },
    {
      what: 'the same after the object woke',
      aim: 'the same',
      measured: rowsAndTime('known, the object wakes'),
    },
    {
      what: 'the same in a Worker that holds nothing',
      aim: 'the same',
      measured: `${rowsAndTime('not known to the isolate')}; when the object wakes too, ${rowsAndTime('nor in memory of the object')}`,
    },
    {
      what: 'the same for the first time after a deploy',
      aim: '',
      measured: rowsAndTime('known to nobody'),
    },
    ...found.herds.map(({ parley, bare }) => ({
      what: `${whole(parley.at)} registrations at once`,
      aim: parley.at === 50 ? 'the last within twice the time of the bare platform' : 'all answered',
      measured: `${whole(parley.answered)} answered, the last after ${seconds(parley.lastMs)}: ${two(parley.lastMs / bare.lastMs)} times the bare platform’s time`,
      bare: `${whole(bare.answered)} answered, the last after ${seconds(bare.lastMs)}`,
    })),
  ]
}

function largeAims(all: readonly LargeResults[]): Aim[] {
  const found = all.findLast(({ size }) => size.users === USERS)
  if (!found) return []
  const rowsOf = (name: string) => found.operations.find((one) => one.name === name)?.rows
  const { size, heapBytes } = found
  const at = `${whole(size.messages)} messages`
  const seeded = all.find((one) => one.size.users === USERS && one.accountsProcessorSeconds > 0)
  return [
    ...(seeded ? seedAims(seeded) : []),
    {
      what: '`is:muted`',
      aim: 'at most 3,000 rows',
      measured: `${whole(rowsOf('the newest 100 of what is muted')?.read ?? 0)} rows, of ${at}`,
    },
    {
      what: 'resolve or rename a whole topic',
      aim: 'at most 15 rows written, whatever its length',
      measured: `${rowsOf('resolve the long topic')?.written ?? ''} and ${rowsOf('rename it')?.written ?? ''}; 7 of each are for a message that somebody else sent meanwhile`,
    },
    {
      what: 'heap of the isolate, object and Worker, with two thousand queues',
      aim: 'at most 64 MiB',
      measured: `${(heapBytes.waiting / 2 ** 20).toFixed(0)} MiB`,
    },
    {
      what: 'first answer of an object that was evicted',
      aim: 'at most 100 ms',
      measured: `${whole(found.firstAnswerMs)} ms, ${whole(found.firstAnswerProcessorMs)} ms of processor time, of ${at}`,
    },
  ]
}

function seedAims({ size, accountsProcessorSeconds, seedProcessorSeconds }: LargeResults): Aim[] {
  const ofProcessor = (count: number, seconds: number) =>
    `${whole(count / seconds)} in a second of processor time`
  return [
    {
      what: 'accounts created (`npm run seed`)',
      aim: '5,000 a second',
      measured: ofProcessor(size.users, accountsProcessorSeconds),
    },
    {
      what: 'messages seeded',
      aim: '10,000 a second',
      measured: ofProcessor(size.messages, seedProcessorSeconds - accountsProcessorSeconds),
    },
  ]
}

function sendAims(results: Results | undefined): Aim[] {
  if (!results) return []
  const [insert, withBody, bodies] = results.throughput
  const of = (name: string) => results.throughput.find((one) => one.name === name)!
  const [few, many, page] = [
    of('send to 10 subscribers'),
    of('send to 1,000 subscribers'),
    of('fetch 100 messages'),
  ]
  const kept = results.throughput.find(({ name }) => name === 'fetch 100 messages, texts kept')
  const pageRatio = (own: { processorMs: number }) => two(bodies!.processorMs / own.processorMs)
  const ratios = (control: { processorMs: number }) =>
    `${two(control.processorMs / few.processorMs)} with 10 subscribers, ${two(control.processorMs / many.processorMs)} with 1,000`
  return [
    {
      what: 'a send, nobody listening',
      aim: '0.5 of a bare insert',
      measured: ratios(insert!),
      bare: `${two(insert!.processorMs)} ms`,
    },
    {
      what: 'the same, compared with a control that writes text and search entry to D1',
      aim: '0.8',
      measured: ratios(withBody!),
      bare: `${two(withBody!.processorMs)} ms`,
    },
    {
      what: '`GET /messages` of 100',
      aim: '350 rows of the object, 210 of D1 (guarded by a test); 0.5 of a bare Worker that reads the texts',
      measured: kept
        ? `${pageRatio(page)} with texts from D1, ${pageRatio(kept)} with texts that the Worker has kept`
        : pageRatio(page),
      bare: `${two(bodies!.processorMs)} ms`,
    },
  ]
}

function listeningAims(results: Results | undefined): Aim[] {
  const own = results?.listening.filter(({ name }) => name.startsWith('Parley')) ?? []
  return own.map(({ name, members, senders, processorMs, processorRatio }) => {
    const way = name.slice('Parley, '.length)
    const aim =
      way === 'polls' ? '0.6' : `ahead of ejabberd: ${EJABBERD[`${members} ${senders}`] ?? ''} a second`
    const perSecondOfCore = way === 'polls' ? '' : `, so ${whole(1_000 / processorMs)} in a second of a core`
    return {
      what: `a send that ${members} members receive by ${way}, ${senders === 1 ? 'one sender' : `${senders} senders`}`,
      aim,
      measured: `${two(processorRatio)}: ${two(processorMs)} ms${perSecondOfCore}`,
      bare: `${two(processorRatio * processorMs)} ms`,
    }
  })
}

/** The number of listeners that has an aim of its own. */
const MOST_LISTENERS = 10_000

function waitingAims(results: Results | undefined, delivery: readonly Delivery[]): Aim[] {
  const fanOut = results?.fanOut?.filter(({ polls }) => polls === 1_000) ?? []
  const times = ({ first, last }: { first: number; last: number }) => `${whole(first)} / ${whole(last)} ms`
  const [byCall, , own] = fanOut
  const polls: Aim[] =
    byCall && own
      ? [
          {
            what: 'first and last of 1,000 waiting polls',
            aim: '25 / 120 ms (14 / 115 bare)',
            measured: times(own),
            bare: times(byCall),
          },
        ]
      : []
  const listeners = delivery
    .filter(({ way, listeners }) => way === 'streams' || (way === 'polls' && listeners === MOST_LISTENERS))
    .map((one): Aim => {
      const bare = delivery.find(
        ({ way, listeners }) => way === `bare, ${one.way}` && listeners === one.listeners,
      )
      return {
        what: `first and last of ${whole(one.listeners)} ${one.way === 'polls' ? 'clients that poll again' : 'event streams'}`,
        aim: one.listeners === MOST_LISTENERS ? 'the last within a second' : 'the last of 1,000 within 40 ms',
        measured: times(one),
        bare: bare && times(bare),
      }
    })
  return [...polls, ...listeners]
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}

function two(value: number): string {
  return value.toFixed(2)
}
