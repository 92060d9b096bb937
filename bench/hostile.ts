/**
 * `npm run bench -- --hostile`: one account does its worst while two others chat. It sends the largest request that each operation
 * takes, several at once, with its key and with an invented one, the largest posts of every service with every option, and then some
 * attacks known to hurt servers. The results are how long the others wait for a send and its arrival,
 * and how much the memory grows. As on the platform, the account's Worker, that of the others, the objects, and the
 * stores have a process each. The account's client and Worker, which have processors of their own in production, run at a low priority: only
 * the object and the stores are shared.
 *
 * With `--users`, `--channels` and `--messages` all of it happens in an organization of that size, with the attacker in all channels; and
 * every operation is also asked for as much as it can return there, before and after an eviction of the object.
 */
import { Attacker, type HostileCase } from './attacker.ts'
import { longestBareCollection } from './bare-collection.ts'
import { giveWay, threadsOf } from './give-way.ts'
import { type Chat, openChat, type Waits } from './hostile-chat.ts'
import type { HostileScene } from './hostile-scene.ts'
import { openInspectorAt } from './inspector.ts'
import { type Heaps, type IsolateHeap, isolateHeapOf, startHeaps } from './isolate-heap.ts'
import type { ServerInParts } from './parts.ts'
import { stolenMs } from './processor-time.ts'
import { type LongestSlices, slicesWithin, watchSlices } from './slices.ts'

/** Goals: how long others may wait, how long one turn of the object may take, and by how much the heap may grow. */
export const HOSTILE_GOALS = { waitMs: 250, turnMs: 50, heapBytes: 64 * 2 ** 20 }

export interface HostileRow {
  readonly name: string
  /** Whether a bare Worker did the same next to Parley, for comparison: waits for it are the platform's share. */
  readonly isBare: boolean
  /** The number of the attacker's requests by status; 0 stands for broken connections. */
  readonly statuses: Readonly<Record<number, number>>
  /** The others' longest wait meanwhile, in ms. */
  readonly longestWaitMs: number
  readonly slowestMs: Waits['slowestMs']
  readonly standstillMs: number
  /** The longest wait of further runs; absent where the first wait was within the goal. */
  readonly waitsAgainMs?: readonly number[]
  /** The processor time that other virtual machines took from this one meanwhile, in ms. */
  readonly stolenMs: number
  readonly longestSlicesMs: LongestSlices
  /**
   * The same in the best of some further runs with one request of the attacker at a time and no other user, whose turns could not be told
   * apart. Absent if the first run had no long turn.
   */
  readonly oneAtATime?: LongestSlices
  /** Bytes of the isolates of Worker and object together after the case and a collection, and by how much that was more than before. */
  readonly heapBytes: number
  readonly heapGrowth: number
}

export interface HostileResults {
  readonly rows: readonly HostileRow[]
  /** Bytes that the object kept in the end. */
  readonly keptBytes: number
  /** The longest collection of memory of a bare Worker that keeps as much, in ms: it falls into any turn. */
  readonly bareCollectionMs: number
}

const AT_ONCE = 4
/**
 * The number of runs, with one request at a time, of a case that had a long turn; a run without one ends them, since other work of the
 * machine can only lengthen turns.
 */
const RUNS_ONE_AT_A_TIME = 3
/** The number of further runs of a case in which others waited too long, since a machine may stall once. */
const RUNS_AFTER_A_LONG_WAIT = 2
/** The pause before each case, in milliseconds, in which the last one can finish. */
const CALM_MS = 60

/**
 * Tries all cases, which takes minutes.
 * @param note is called with each case as soon as it is over.
 * @param only limits the cases to those with one of these texts in their names.
 */
export async function measureHostile(
  server: ServerInParts,
  scene: HostileScene,
  note: (row: HostileRow) => void = () => {},
  only: readonly string[] = [''],
): Promise<HostileResults> {
  const measuring: Measuring = {
    heaps: await startHeaps(server, scene.attacker),
    others: isolateHeapOf(await openInspectorAt(server.othersInspectorUrl), () =>
      scene.others[0].call('GET', '/users/me'),
    ),
    chat: await chatting(server, scene),
  }
  const { heaps, others, chat } = measuring
  const attacker = await Attacker.prepare(scene.attacker, server.storeUrl)
  const rows: HostileRow[] = []
  const atLimits = [...(await attacker.requestsAtLimits()), ...(await attacker.postsOfServices())]
  const all = [...atLimits, ...attacker.knownHarm(), ...scene.valid]
  const cases = all.filter(({ name }) => only.some((part) => name.includes(part)))
  for (const one of cases) {
    const measured = await measureCase(measuring, one)
    // Consecutive turns of several requests look like a single one.
    const isLong = measured.longestSlicesMs.object > HOSTILE_GOALS.turnMs
    const turns = isLong ? { oneAtATime: await bestOneAtATime(heaps, one) } : {}
    const row = { ...measured, ...turns, ...(await waitsAgain(measuring, one, measured)) }
    rows.push(row)
    note(row)
  }
  const { object: keptBytes } = await heaps.used()
  heaps.stop()
  others.stop()
  await chat.stop()
  return { rows, keptBytes, bareCollectionMs: await longestBareCollection(server.keeper, keptBytes) }
}

/** Starts the two who chat, with a higher priority than this process and the account's Worker. */
async function chatting(server: ServerInParts, { others }: HostileScene): Promise<Chat> {
  const own = threadsOf(process.pid)
  const chat = openChat(...others)
  giveWay([...own, ...threadsOf(server.secondPid())])
  return chat
}

interface Measuring {
  readonly heaps: Heaps
  /** The Worker of the others. */
  readonly others: IsolateHeap
  readonly chat: Chat
}

async function waitsAgain(
  measuring: Measuring,
  one: HostileCase,
  { longestWaitMs }: HostileRow,
): Promise<Pick<HostileRow, 'waitsAgainMs'>> {
  if (longestWaitMs <= HOSTILE_GOALS.waitMs) return {}
  const waitsAgainMs: number[] = []
  for (let run = 0; run < RUNS_AFTER_A_LONG_WAIT; run += 1) {
    waitsAgainMs.push((await measureCase(measuring, one)).longestWaitMs)
  }
  return { waitsAgainMs }
}

async function bestOneAtATime(heaps: Heaps, one: HostileCase): Promise<LongestSlices> {
  let best: LongestSlices | undefined
  for (let run = 0; run < RUNS_ONE_AT_A_TIME; run += 1) {
    // The preparation may have evicted the object, and no request may wake it.
    await one.prepare?.()
    const { turns } = await watchSlices(heaps.inspectors, false, () => one.attack(1))
    if (!best || turns.objectAlone < best.objectAlone) best = turns
    if (best.objectAlone <= HOSTILE_GOALS.turnMs) break
  }
  return best!
}

async function measureCase(
  { heaps, others, chat }: Measuring,
  { name, isBare = false, prepare, begin, attack }: HostileCase,
): Promise<HostileRow> {
  const heapBytes = async () => {
    const { worker, object } = await heaps.used()
    return worker + object
  }
  await prepare?.()
  // Collects the garbage of earlier cases, so that it does not count for this one.
  await others.used()
  const before = await heapBytes()
  const stolenBefore = stolenMs()
  const { turns, result } = await watchSlices(heaps.inspectors, false, async () => {
    await chat.begin()
    await wait(CALM_MS)
    await begin?.()
    const statuses = await attack(AT_ONCE)
    const waits = await chat.end().catch((error: unknown) => {
      throw new Error(`During "${name}", nobody else was served`, { cause: error })
    })
    return { statuses, ...waits }
  })
  const after = await heapBytes()
  const { longestSilenceMs, ...found } = result
  const longestSlicesMs = slicesWithin(turns, longestSilenceMs)
  const stolen = stolenMs() - stolenBefore
  return {
    name,
    isBare,
    ...found,
    stolenMs: stolen,
    longestSlicesMs,
    heapBytes: after,
    heapGrowth: after - before,
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
