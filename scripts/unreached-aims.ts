/** What was tried for the aims that are not reached, and what the platform itself takes in the same run. */
import { type Ladder, ladderOf } from '../bench/ladder.ts'
import { BARE_IN_PIECES, type RegistersResults } from '../bench/registers.ts'
import type { Results } from '../bench/report.ts'
import type { Kept } from './measured-aims.ts'

/** Acknowledged sends a second of a server that is made for this (ejabberd), on two free cores, by members and senders. */
export const EJABBERD: Readonly<Record<string, number>> = {
  '10 1': 821,
  '10 16': 763,
  '100 1': 376,
  '100 16': 356,
}

export function unreachedAims({ throughput, registers }: Kept): string[] {
  const full = registers?.registers.find(({ users }) => users === 10_000)
  return [
    'What stays behind its aim, what was tried for it, and what the bare platform takes itself in the same run:',
    '',
    ...(throughput ? [...sends(throughput), ...page(throughput), ...polls(throughput)] : []),
    ...(throughput ? streams(throughput) : []),
    ...(full ? registrations(full) : []),
    '- **Seeding**: some 10,000 messages a second are reached where messages are many; with 100,000 of them the subscriptions of 10,000 people to',
    '  the first channels count for more. Accounts and messages go in by slices, with one statement for each table.',
    '',
  ]
}

function sends({ throughput }: Results): string[] {
  const [insert, withBody] = throughput
  const own = throughput.find(({ name }) => name === 'send to 10 subscribers')!
  return [
    `- **A send** takes ${two(own.processorMs)} ms. The floor is a request to a Worker, a call to an object and one statement there, ${two(insert!.processorMs)} ms, and with the text and`,
    `  its search entry in D1 ${two(withBody!.processorMs)} ms. The rest is what the control does not do: to read the form and the key, to find out who may, Markdown, the event`,
    '  and the log that others come back to. Tried, each by what a profile of sixteen senders showed: declarations compiled at start; routes by method and segments;',
    '  accounts, settings, channels, topics and who is in them kept until a statement changes them, so that a send makes 8 statements and not 17; cursors read to',
    '  their end, without which SQLite parses a statement anew each time; one digest of the key less for each request; an address parsed once; D1 in',
    '  batches behind the answer, with a pause between them. What a profile showed last: SQLite a tenth, the transaction around it a twentieth, Markdown some 6 %, who is to be mailed or pushed to',
    '  7 %, parameters, headers and answers each below 3 %, and a seventh in the platform itself.',
    ...floorLines(throughput, 'send to 10 subscribers', insert!.processorMs),
  ]
}

/** How far the plainest program that does the same is from the control, and Parley from that. */
function floorLines(throughput: Results['throughput'], name: Ladder, controlMs: number): string[] {
  const ladder = ladderOf(throughput, name)
  if (!ladder) return []
  const [top, own] = [ladder.rungs.at(-1)!.processorMs, ladder.parley.processorMs]
  return [
    `  A program of some 350 lines that does the same reads and writes and checks little else (\`bench/bare/obliged.ts\`) takes ${two(top)} ms: ${two(top / own)} of Parley’s,`,
    `  and itself ${two(controlMs / top)} of the control, which so is about the most that a server of this interface reaches here. The rest, ${two(own - top)} ms, is Parley’s own,`,
    '  or what that program leaves out: limits and quotas, most permissions, mentions, who is to be mailed or pushed to, clients that repeat a request.',
  ]
}

function page({ throughput }: Results): string[] {
  const [insert, , bodies] = throughput
  const own = throughput.find(({ name }) => name === 'fetch 100 messages')!
  const floor = insert!.processorMs + bodies!.processorMs
  return [
    `- **A page of a hundred** takes ${two(own.processorMs)} ms. The control, ${two(bodies!.processorMs)} ms, asks D1 alone. Whoever reads messages must be asked about first, and a call to an object`,
    `  with one statement is ${two(insert!.processorMs)} ms: the floor of the two is ${two(floor)} ms, ${two(floor / own.processorMs)} of what Parley takes. The rest is what each of the hundred has beside its`,
    '  text: flags, reactions, moves, who sent it, some 25 fields that cross from object to Worker and are written out. Tried: short texts in one query without asking',
    '  for their lengths first (200 rows of D1 in place of 600); one query for each kind of detail of all messages; postings, so that narrows look at few',
    '  rows; the nearest copy of D1; messages written out while they are completed; no transaction where nothing is written.',
    ...floorLines(throughput, 'fetch 100 messages', bodies!.processorMs),
  ]
}

function polls({ fanOut, listening }: Results): string[] {
  const thousand = fanOut.filter(({ polls }) => polls === 1_000)
  const [byCall, bySocket] = thousand
  if (!byCall || !bySocket) return []
  return [
    '- **Polls.** One that is answered and comes back costs a request to the Worker and a call to the object, which the control pays as well; Parley’s checks the',
    `  key, the queue and the cursor besides. The last of a thousand has its answer from the bare platform after ${whole(byCall.last)} ms by calls and`,
    `  ${whole(bySocket.last)} ms by sockets that let the object sleep. Tried: busy queues held as plain calls, rounds that wait for those who come back, a form of an event made and`,
    '  serialised once for all who get the same, who is subscribed kept until it changes, turns of a hundred answers so that the first leave early, and texts for',
    '  D1 in batches with a fifth of a second between them, where one sender at a time made a batch of each message.',
    ...obliged(
      listening,
      'polls',
      'a digest of the key, the rows of caller and queue and a look into the log for each poll that comes back, and the event as a row of the log',
    ),
  ]
}

/** What the platform takes where it does what a delivery obliges to, in the plainest way, and nothing else. */
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
    `  A control that does besides what a delivery obliges to, in the plainest way (${duties}),`,
    `  takes ${figures.join('; ')}. It writes no text to D1 and asks nobody who may.`,
  ]
}

function streams({ listening }: Results): string[] {
  const bare = listening.filter(({ name }) => name === 'bare, streams')
  const rates = bare.map(({ members, senders, processorMs }) => {
    const rate = `${whole(1_000 / processorMs)} (${members} members, ${senders === 1 ? 'one sender' : `${senders} senders`})`
    const ejabberd = EJABBERD[`${members} ${senders}`]
    return ejabberd === undefined ? rate : `${rate} where ejabberd has ${ejabberd}`
  })
  return [
    '- **Event streams** pay neither request nor call for an event. The bare platform with its rows and its sockets has, for each second of a core, sends that all hear:',
    `  ${rates.join('; ')}.`,
    '  Where the first number is the lower one, the aim lies above what the platform itself does on this machine; with ten members it is the send, above, that takes the time, not the delivery. Tried: one text for all streams with the same form, events out of',
    '  memory, deliveries in the turn of the commit, texts for D1 in batches with a fifth of a second between them, who is subscribed kept until it changes.',
    ...obliged(
      listening,
      'streams',
      'the event as a row of the log, how far each socket is kept while the object sleeps, and acknowledgements',
    ),
  ]
}

function registrations({ costs, herds }: RegistersResults): string[] {
  const cost = (name: string) => costs.find((one) => one.name === name)!.processorMs
  const floor = costs.find(({ name }) => name === BARE_IN_PIECES)
  const most = herds.at(-1)
  return [
    `- **A full registration** takes ${two(cost('known'))} ms where the control, which sends as many bytes out of one buffer, takes ${two(cost('bare'))} ms. It is put together from a`,
    '  thousand blocks, whose versions are read in the transaction that opens the queue, so that no event is missing or there twice. Tried: blocks that the Worker keeps,',
    '  their contents stored beside their versions, one answer that names what is held by numbers, texts and bytes apart from each other, few at a time for each organization.',
    ...(floor
      ? [
          `  The bare platform that reads as many rows in that transaction, and sends a piece for each, takes ${two(floor.processorMs)} ms: ${two(floor.processorMs / cost('known'))} of Parley’s.`,
        ]
      : []),
    ...(most
      ? [
          `  Of ${whole(most.bare.at)} at once the bare platform itself answers ${whole(most.bare.answered)} here, the last after ${(most.bare.lastMs / 1_000).toFixed(0)} s.`,
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
