import { PAUSES } from './budgets.ts'
import { fairScheduler, type ReservedSlices } from './fair-scheduler.ts'

/**
 * Resolves after a pause in which others are served, so that what follows has a turn of its own. `rest`: milliseconds of the pause, if not
 * the usual ones between two turns. `ms`: roughly the milliseconds that what follows takes, if not PART_OF_WORK_MS.
 */
export type Pause = (rest?: number, ms?: number) => Promise<void>

/** Returns the pauses of one account's work; without an id, of work that nobody has asked for. */
export type PauseFor = (userId?: number) => Pause

/** Returns the owner of work at the gate. */
export function ownerIn(realmId: number, userId: number | undefined): string {
  return userId === undefined ? `realm ${realmId}` : `realm ${realmId} user ${userId}`
}

/**
 * Returns the pauses between the parts of long work, in which other callers are served. The parts of several calls must not add up to one
 * long turn, so each begins at the gate, after a pause that is shorter the more of them wait.
 */
export function pausesOf(owner: string): Pause {
  return (rest = PAUSES.turn, ms) => fairScheduler.nextSlice({ owner, rest, ms })
}

/** Returns the same pauses for work that has a place at the gate. */
export function pausesAt(place: ReservedSlices): Pause {
  return (rest = PAUSES.turn, ms) => place.turn({ rest, ms })
}

/**
 * Does work with the same pauses, and with a place at the gate from the first pause on. `ofOne`: a lower limit of the owner's places.
 * @throws ServiceUnavailableError (503) when too much waits
 */
export async function withPlace<Value>(
  owner: string,
  work: (pause: Pause) => Promise<Value>,
  ofOne?: number,
): Promise<Value> {
  let place: ReservedSlices | undefined
  try {
    return await work(async (rest, ms) => {
      place ??= fairScheduler.reserve(owner, ofOne)
      return pausesAt(place)(rest, ms)
    })
  } finally {
    place?.leave()
  }
}
