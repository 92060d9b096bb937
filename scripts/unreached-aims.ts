/** The text about aims that Parley misses, or reaches only just, with the figures of the bare platform in the same run. */
import type { Delivery } from '../bench/delivery.ts'
import { type Ladder, ladderOf, SHARES_TURNS } from '../bench/ladder.ts'
import {
  BARE_IN_CHUNKS,
  BARE_WITH_CALLER,
  BARE_WITHOUT_BLOCKS,
  type RegistersResults,
} from '../bench/registers.ts'
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
    'Where the time of these measurements goes, what the bare platform takes in the same run, and what was tried without gain.',
    '',
    ...(throughput ? [...sends(throughput), ...page(throughput), ...polls(throughput, delivery)] : []),
    ...(throughput ? streams(throughput, delivery) : []),
    ...(full ? registrations(full) : []),
    '- **Seeding** reaches about 10,000 messages a second when there are many messages. With only 100,000 messages, subscribing 10,000 people to the',
    '  first channels takes more of the time.',
    '',
  ]
}

function sends({ throughput, latency }: Results): string[] {
  const [insert, withBody] = throughput
  const own = throughput.find(({ name }) => name === 'send to 10 subscribers')!
  return [
    `- **A send** takes ${two(own.processorMs)} ms. A request to a Worker, a call to an object and one statement there, committed on its own, take ${two(insert!.processorMs)} ms, or`,
    `  ${two(withBody!.processorMs)} ms with the text and its search entry in D1. The rest is work that the control does not do: reading the form and the key, checking`,
    '  permissions, rendering Markdown, and writing the event and the log for clients that come back. Up to 16 commands that wait at the same time share a turn of the object,',
    '  for which the platform commits once: with sixteen senders a send takes 0.44 of the time that it takes without shared turns. In a profile of 32 senders the transaction takes',
    '  30 % of the JavaScript’s time (storing the message 12 %, Markdown 6 %, the row of the log 5 %), the call to the object 25 %, and the Worker’s HTTP, form and log line a quarter.',
    '  Without gain: turns of 8 or of 32 commands; parsing forms in JavaScript; keeping in memory which topics have messages; running a lone command at once (32 senders then',
    '  share no commit, and a send takes 1.3 to 1.8 times as long).',
    ...pacedLines(latency),
    ...floorLines(throughput, 'send to 10 subscribers', insert!.processorMs),
  ]
}

/** Compares the slowest sends at a pace with those of the control that writes to D1, which has the same thread on one machine. */
function pacedLines(latency: Results['latency']): string[] {
  const [control, own] = [CONTROL_WITH_D1, 'send to 10 subscribers'].map((wanted) =>
    latency.find(({ name }) => name === wanted),
  )
  if (!control || !own) return []
  return [
    `  With ${own.rate} sends a second 95 % are answered within ${whole(own.p95)} ms and 99 % within ${whole(own.p99)} ms; the control that also writes to D1, which here has the`,
    `  same thread, answers them within ${whole(control.p95)} and ${whole(control.p99)} ms.`,
  ]
}

/** Compares the simplest program that does the same work with the control, and Parley with that program. */
function floorLines(throughput: Results['throughput'], name: Ladder, controlMs: number): string[] {
  const ladder = ladderOf(throughput, name)
  if (!ladder) return []
  const { name: topName, processorMs: top } = ladder.rungs.at(-1)!
  const own = ladder.parley.processorMs
  const commitsAlone = name === 'send to 10 subscribers' && topName !== SHARES_TURNS
  return [
    `  A program of about 350 lines (\`bench/bare/obliged.ts\`) that does the same reads and writes and checks little else takes ${two(top)} ms: ${two(top / own)} of Parley’s time.`,
    `  Its own ratio to the control is ${two(controlMs / top)}.`,
    ...(own > top
      ? [
          `  The remaining ${two(own - top)} ms${commitsAlone ? ', besides what shared commits save,' : ''}`,
          '  are Parley’s own, or work that the program leaves out: limits and quotas, most permissions, mentions, choosing whom to send mail and push notifications, and',
          '  clients that repeat a request.',
        ]
      : [
          commitsAlone
            ? '  It commits each change on its own, and so takes longer.'
            : '  So nothing of a send’s time is left that only Parley takes.',
        ]),
  ]
}

function page({ throughput }: Results): string[] {
  const [insert, , bodies] = throughput
  const own = throughput.find(({ name }) => name === 'fetch 100 messages')!
  const kept = throughput.find(({ name }) => name === 'fetch 100 messages, texts kept')
  const floor = insert!.processorMs + bodies!.processorMs
  return [
    `- **A page of a hundred** whose texts are in D1 takes ${two(own.processorMs)} ms. The control, ${two(bodies!.processorMs)} ms, asks only D1. A server must first check the reader’s permission, and a call to an`,
    `  object with one statement takes ${two(insert!.processorMs)} ms: both together are a floor of ${two(floor)} ms, ${two(floor / own.processorMs)} of Parley’s time. The rest is spent on what each`,
    '  message has besides its text: flags, reactions, moves, the sender, about 25 fields that go from object to Worker and are serialised. The texts themselves cost next to',
    '  nothing: with `SELECT 1` in place of their query the page takes as long. Without gain: fewer columns, D1’s raw rows, and calls as text.',
    ...floorLines(throughput, 'fetch 100 messages', bodies!.processorMs),
    ...(kept
      ? [
          `  With texts that the Worker has kept since somebody fetched them the page takes ${two(kept.processorMs)} ms, ${two(kept.processorMs / own.processorMs)} of that: neither a trip to D1, nor its rows, nor`,
          '  the parsing of its answer.',
        ]
      : []),
  ]
}

function polls({ fanOut, listening }: Results, delivery: readonly Delivery[]): string[] {
  const thousand = fanOut.filter(({ polls }) => polls === 1_000)
  const [byCall, bySocket] = thousand
  if (!byCall || !bySocket) return []
  const [most, bareMost] = ['polls', 'bare, polls'].map((wanted) =>
    delivery.find(({ way, listeners }) => way === wanted && listeners === 10_000),
  )
  return [
    '- **Polls.** A client that polls again after an answer costs a request to the Worker and a call to the object, in the control too; Parley also checks the key,',
    `  the queue and the cursor. The last of a thousand polls is answered by the bare platform after ${whole(byCall.last)} ms by calls and after ${whole(bySocket.last)} ms by`,
    '  sockets that let the object sleep. Here clients, Worker and object share a thread, so what the clients and the Worker do with the answers of one turn comes before the',
    '  next; the bare object answers all in one turn. Rounds are some time apart, so that a client gets several messages in one answer. Without gain: smaller attachments of',
    '  sockets, requests in place of calls, turns of 500 answers, turns that follow each other without a timer.',
    '  With sixteen senders polls are about an eighth of the time in a profile; most of the rest is the send (above). While requests come all the time the platform lets timers',
    '  wait: a timer of 0 ms, with which a round begins, goes off after 0.2 to 0.5 s on a busy machine (in a bare object after 0.03 to 0.09 s). Rounds that begin when',
    '  `storage.sync()` resolves came after 0.03 s, but then tests of an object that crashes failed.',
    ...(most && bareMost
      ? [
          `  Ten thousand clients that poll again take ${seconds(most.processorMs)} s of processor time here, their own part included, and ${seconds(bareMost.processorMs)} s at the bare platform: nearly all of it is the requests that`,
          '  come back. The bare object has answered everybody before it hears the first of them; Parley answers in turns, the first much sooner, and between its turns the thread that all share here',
          `  takes what has come back, so that the last has the message after ${seconds(most.last)} s. Delivery from several objects would not take these requests away; event streams do.`,
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
  const of = (name: string, members: number, senders: number) =>
    listening.find(
      (one) => one.name === `${name}, ${way}` && one.members === members && one.senders === senders,
    )
  const figures = [10, 100].flatMap((members) =>
    [1, 16].flatMap((senders) => {
      const [bare, control, own] = ['bare', 'obliged', 'Parley'].map((name) => of(name, members, senders))
      if (!bare || !control || !own) return []
      const by = senders === 1 ? 'one sender' : `${senders} senders`
      return `${two(control.processorMs)} ms with ${members} members and ${by} (bare ${two(bare.processorMs)}, Parley ${two(own.processorMs)})`
    }),
  )
  if (figures.length === 0) return []
  return [
    `  A control that also does the work which every delivery requires, in the simplest way (${duties}),`,
    `  takes ${figures.join('; ')}. It checks no permissions.`,
  ]
}

function streams({ listening }: Results, delivery: readonly Delivery[]): string[] {
  const bare = listening.filter(({ name }) => name === 'bare, streams')
  const rates = bare.map(({ members, senders, processorMs }) => {
    const rate = `${whole(1_000 / processorMs)} (${members} members, ${senders === 1 ? 'one sender' : `${senders} senders`})`
    const ejabberd = EJABBERD[`${members} ${senders}`]
    return ejabberd === undefined ? rate : `${rate}, compared with ejabberd’s ${ejabberd}`
  })
  return [
    '- **Event streams** need neither a request nor a call for an event. In each second of a core the bare platform, with its rows and sockets, does this many sends that all',
    `  members receive: ${rates.join('; ')}.`,
    '  Ejabberd’s numbers are those of two free cores by the clock. Where the platform’s number is the lower one, the aim is above what the platform itself reaches on this',
    '  machine. With ten members the send (above) takes the time, not the delivery.',
    ...loneSender(listening),
    ...lastOfThousand(delivery),
    '  In a profile with a thousand streams the platform’s own `send` is the largest single part; choosing the form takes 9 %, acknowledgements 7 %, attachments of sockets 1 %.',
    ...obliged(
      listening,
      'streams',
      'a row of the log for the event, its text and search entry in D1, a cursor of each socket that is kept while the object sleeps, and acknowledgements',
    ),
  ]
}

/** Says why a send of a single sender costs more than those of sixteen. */
function loneSender(listening: Results['listening']): string[] {
  const [one, many] = [1, 16].map((senders) =>
    listening.find((row) => row.name === 'Parley, streams' && row.members === 10 && row.senders === senders),
  )
  if (!one || !many) return []
  return [
    `  A single sender has each commit for itself, and takes ${two(one.processorMs)} ms; sixteen share theirs, and take ${two(many.processorMs)}.`,
  ]
}

/** Compares the last of a thousand streams with the bare platform. */
function lastOfThousand(delivery: readonly Delivery[]): string[] {
  const [own, bare] = ['streams', 'bare, streams'].map((wanted) =>
    delivery.find(({ way, listeners }) => way === wanted && listeners === 1_000),
  )
  if (!own || !bare) return []
  return [
    `  The last of a thousand streams has a message after ${whole(own.last)} ms, at the bare platform after ${whole(bare.last)}, where nothing is checked or kept; in processor time all of it takes`,
    `  ${whole(own.processorMs)} and ${whole(bare.processorMs)} ms.`,
  ]
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1)
}

function registrations({ costs, herds, herdHeap }: RegistersResults): string[] {
  const cost = (name: string) => costs.find((one) => one.name === name)!.processorMs
  const rows = (name: string) => costs.find((one) => one.name === name)!.rows.read
  const floor = costs.find(({ name }) => name === BARE_IN_CHUNKS)
  const withCaller = costs.find(({ name }) => name === BARE_WITH_CALLER)
  const anew = costs.find(({ name }) => name === BARE_WITHOUT_BLOCKS)
  const largest = herds.at(-1)
  return [
    `- **A full registration** takes ${two(cost('known'))} ms; the control, which sends as many bytes from one buffer, takes ${two(cost('bare'))} ms. The snapshot is put together from`,
    '  a thousand blocks. Their versions are compared in the transaction that opens the queue, so that no event is missing or there twice. In a profile with 1,000 people the',
    '  transaction takes a third, the Worker’s stream 13 %, the stored queue with its sync 7 %, reading the request 7 %; optimised JavaScript is 6 %, the rest V8’s and the platform’s own code.',
    ...(floor
      ? [
          `  The bare platform, when it reads as many rows in that transaction and sends a chunk for each, takes ${two(floor.processorMs)} ms: ${two(floor.processorMs / cost('known'))} of Parley’s time.`,
        ]
      : []),
    ...(withCaller
      ? [
          `  When it also finds the caller by the digest of the key, and a personal part of as many rows and bytes comes by the call, it takes ${two(withCaller.processorMs)} ms:`,
          `  ${two(withCaller.processorMs / cost('bare'))} times the control, and ${two(withCaller.processorMs / cost('known'))} of Parley’s time.`,
        ]
      : []),
    '  With 15,000 unread messages it takes 11 ms, and with 900 direct conversations 4.8. Without gain: one buffer instead of a stream, or the platform’s own pipe (both 1.1 times',
    '  the time); keeping the parts of channels for later registrations; no joined lists of channels; calls as text, and numbers of blocks as small integers.',
    `  An object that has just woken has none of that in memory, and reads it anew, once for all readers: the channels, the versions of all blocks, the newest messages`,
    `  (${whole(rows('known, the object wakes'))} rows, ${whole(cost('known, the object wakes'))} ms together with the Worker). A Worker that holds nothing, as a new isolate, is sent all blocks once, a row each, whoever registers first:`,
    `  ${whole(cost('not known to the isolate'))} ms.${anew ? ` A bare object that reads a row for each block in one statement and hands all over in one call, to a Worker that keeps each and sends all in chunks, takes ${whole(anew.processorMs)}.` : ''}`,
    '  In a native profile of such registrations the object takes 0.58 of the time, nearly half of that to read pages of the file, since the blocks are more than SQLite’s cache.',
    '  Parley does it in two calls and in turns of some 20 ms, compares the version of each block, and sends no more at once than the memory of both allows.',
    ...(largest
      ? [
          ...(herdHeap
            ? [
                `  While ${whole(herdHeap.at)} are under way, the object holds ${whole(herdHeap.bytes.object / 2 ** 20)} MiB and the Worker’s isolate ${whole(herdHeap.bytes.worker / 2 ** 20)}, of 128 that an isolate has: ${whole(herdHeap.before.worker / 2 ** 20)} before,`,
                `  the program and the blocks that it keeps, and ${whole((herdHeap.bytes.worker - herdHeap.before.worker) / 2 ** 20)} for these registrations; a bare Worker that sends as many bytes from one buffer holds 11 more. Fifty answers are sent at a time, and the`,
                '  others wait with nothing but their request in memory.',
              ]
            : []),
          `  Of ${whole(largest.bare.at)} registrations at once the bare platform itself answers ${whole(largest.bare.answered)} on this machine, the last after ${(largest.bare.lastMs / 1_000).toFixed(0)} s.`,
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
