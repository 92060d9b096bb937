import { world } from '../support/world.ts'

/** Faults that may happen at a point where the server waits for something. */
const FAULTS = ['throw', 'lose', 'delay'] as const

/** Percentage of passes through a point at which a fault happens. */
const PERCENT = 7
const MAX_DELAY_MS = 30

/** How the platform says that an object cannot be reached: such a call may be made again. */
function lostConnection(): Error {
  return Object.assign(new Error('Network connection lost.'), { retryable: true })
}

/**
 * Decides from a seed what goes wrong at which pass of which point. A point's own passes are counted, so that a
 * run with the same seed meets the same faults however its requests interleave.
 *
 * Causes faults wherever the server awaits something: calls to the realm object and to D1, R2, other servers, alarms; and at
 * the steps of the object between which a crash makes a difference.
 */
export class FaultSchedule {
  readonly seed: number
  readonly #passes = new Map<string, number>()
  /** Faults met, by point and kind. */
  readonly counts = new Map<string, number>()
  #isCalm = false

  constructor(seed: number) {
    this.seed = seed
  }

  /** Puts the faults into the tests' world. `fetch` is the function that reaches other servers. */
  begin(): void {
    world.d1 = (call, kind) => this.#around(`D1 ${kind}`, call, new Error('D1 fails'))
    world.reach = (call, kind) => this.#around(`realm ${kind}`, call, lostConnection())
    world.hasher = (call, method) => this.#around(`the hasher's ${method}`, call, lostConnection())
    world.store = (call, method) => this.#around(`R2 ${method}`, call, new Error('R2 fails'))
    world.stopsAt = (point) => this.#faultAt(`the object at ${point}`, ['stopped']) !== undefined
    world.alarm = (run) => this.#alarm(run)
  }

  /** Makes a call to another server, which may fail. */
  outside<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    return this.#around('another server', call, new TypeError('The network fails'))
  }

  /** Causes no faults from now on. */
  calm(): void {
    this.#isCalm = true
  }

  /** Returns a number from 0 to below `limit`, always the same for the same seed, name and pass. */
  draw(name: string, limit: number): number {
    const pass = (this.#passes.get(name) ?? 0) + 1
    this.#passes.set(name, pass)
    return Math.floor(fractionOf(`${this.seed} ${name} ${pass}`) * limit)
  }

  async #around<Answer>(point: string, call: () => Promise<Answer>, failure: Error): Promise<Answer> {
    switch (this.#faultAt(point, FAULTS)) {
      case 'throw':
        throw failure
      case 'lose':
        await call()
        throw failure
      case 'delay':
        await scheduler.wait(1 + this.draw(`delay at ${point}`, MAX_DELAY_MS))
        return call()
      default:
        return call()
    }
  }

  /** The platform may be late with an alarm, send it again, or give it up after too many failures. */
  async #alarm(run: () => Promise<void>): Promise<void> {
    switch (this.#faultAt('alarm', ['never', 'late', 'twice', 'at once twice', 'throw'])) {
      case 'never':
        return
      case 'late':
        await scheduler.wait(MAX_DELAY_MS)
        return run()
      case 'twice':
        await run()
        return run()
      case 'at once twice':
        await Promise.all([run(), run()])
        return
      case 'throw':
        await run()
        throw new Error('The alarm is not known to have run')
      default:
        return run()
    }
  }

  #faultAt<Kind extends string>(point: string, kinds: readonly Kind[]): Kind | undefined {
    if (this.#isCalm || this.draw(point, 100) >= PERCENT) return undefined
    const kind = kinds[this.draw(`kind at ${point}`, kinds.length)]!
    const name = `${point}: ${kind}`
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
    return kind
  }
}

/** Returns a number from 0 to below 1: FNV-1a over the text, mixed once more. */
function fractionOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}
