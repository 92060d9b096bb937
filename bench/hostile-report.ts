/** Prints how long others waited while one account did its worst. */
import { HOSTILE_GOALS, type HostileResults, type HostileRow } from './hostile.ts'
import type { LongestSlices } from './slices.ts'
import { megabytes, ms, namesOf, table } from './tables.ts'
import { WITHOUT_VALID } from './valid-requests.ts'

/** The number of cases that are printed, the worst first. */
const HOSTILE_SHOWN = 25

export function printHostile({ rows, keptBytes, bareCollectionMs }: HostileResults): void {
  const worst = rows.toSorted((a, b) => b.longestWaitMs - a.longestWaitMs)
  table(
    'While one account does its worst: the others’ longest wait for a message and the longest turns meanwhile, ms; growth of the heap, MB',
    [
      '',
      'longest wait',
      'turn of the object',
      'of it, collection',
      'without',
      'of the Worker',
      'heap',
      'answers',
    ],
    worst
      .slice(0, HOSTILE_SHOWN)
      .map(({ longestSlicesMs: { object, collection, objectAlone, worker }, ...one }) => [
        one.name,
        ms(one.longestWaitMs),
        ms(object),
        ms(collection),
        ms(objectAlone),
        ms(worker),
        megabytes(one.heapGrowth),
        answers(one.statuses),
      ]),
  )
  const own = rows.filter(({ isBare }) => !isBare)
  const longest = Math.max(...own.map(({ longestWaitMs }) => longestWaitMs))
  const [{ heapBytes = 0, heapGrowth = 0 } = {}] = rows
  const most = Math.max(...rows.map((one) => one.heapBytes)) - (heapBytes - heapGrowth)
  const over = own
    .filter(({ longestWaitMs }) => longestWaitMs > HOSTILE_GOALS.waitMs)
    .map((row) => ({ ...row, name: `${row.name} (${waitsOf(row)})`, ofCase: row.name }))
  // A case that takes as long without Parley is not its work: here, files pass through the thread that serves everybody.
  const ofPlatform = over.filter(({ ofCase, longestWaitMs }) =>
    rows.some((one) => one.name === `${ofCase}, bare` && one.longestWaitMs >= longestWaitMs),
  )
  const overEachTime = over.filter(
    ({ waitsAgainMs = [] }) => Math.min(...waitsAgainMs) > HOSTILE_GOALS.waitMs,
  )
  const turnOf = ({ object, collection, objectAlone }: LongestSlices) =>
    `${ms(object)}, ${ms(collection)} of them collection; ${ms(objectAlone)} without`
  const long = own
    .filter(({ longestSlicesMs: { object } }) => object > HOSTILE_GOALS.turnMs)
    .map(({ name, longestSlicesMs, oneAtATime }) => ({
      name: `${name} (${turnOf(longestSlicesMs)}${oneAtATime ? `; one at a time ${turnOf(oneAtATime)}` : ''})`,
    }))
  const stillLong = own.filter(
    ({ longestSlicesMs, oneAtATime }) =>
      Math.min(longestSlicesMs.objectAlone, oneAtATime?.objectAlone ?? 0) > HOSTILE_GOALS.turnMs,
  )
  const refused = rows.filter(
    ({ name, statuses }) =>
      name.includes(', valid') && !Object.keys(statuses).some((status) => status.startsWith('2')),
  )
  const broken = rows.filter(({ statuses }) => Object.keys(statuses).some(isFailure))
  console.log(
    `\n${own.length} cases; longest wait ${ms(longest)} ms (goal ${HOSTILE_GOALS.waitMs}), over it: ${namesOf(over)}; each time: ${namesOf(overEachTime)}; as long at a bare Worker: ${namesOf(ofPlatform)}`,
  )
  console.log(`longest turn of the object over ${HOSTILE_GOALS.turnMs} ms: ${namesOf(long)}`)
  console.log(`also one at a time, and without collections of memory: ${namesOf(stillLong)}`)
  const collections = own.map(({ longestSlicesMs }) => longestSlicesMs.collection)
  console.log(
    `collections of memory: ${ms(Math.max(...collections))} ms of a turn at most; of a bare Worker that keeps as much, ${megabytes(keptBytes)} MB: ${ms(bareCollectionMs)}`,
  )
  console.log(
    `heap grew by ${megabytes(most)} MB at most since the first case began (goal ${megabytes(HOSTILE_GOALS.heapBytes)})`,
  )
  console.log(`answered with 500, or broken off: ${namesOf(broken)}`)
  if (!rows.some(({ name }) => name.includes(', valid'))) return
  const leftOut = Object.entries(WITHOUT_VALID).map(([name, reason]) => `${name} (${reason})`)
  console.log(`valid, but refused: ${namesOf(refused)}`)
  console.log(`without a valid request: ${leftOut.join(', ')}`)
}

function isFailure(status: string): boolean {
  return status === '500' || status === '0'
}

/** Describes all waits of a case, and the time that other machines took. */
function waitsOf({ longestWaitMs, waitsAgainMs = [], stolenMs, standstillMs }: HostileRow): string {
  const ofMachine = `a standstill of ${ms(standstillMs)}, and ${ms(stolenMs)} that other machines had`
  return `${ms(longestWaitMs)} with ${ofMachine}; then ${waitsAgainMs.map(ms).join(' and ')}`
}

function answers(statuses: HostileRow['statuses']): string {
  return Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ')
}
