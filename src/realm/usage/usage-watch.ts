import {
  addCount,
  addCounts,
  type Counts,
  type HistogramName,
  histogramSamples,
  observe,
} from '../../core/metrics.ts'

/** Milliseconds of quiet after which usage is saved. The platform keeps an object awake for ten seconds anyway. */
export const QUIET_MS = 5_000
/** Milliseconds after which it is saved while there is no quiet. */
const LONGEST_MS = 60_000
/** Seconds for which the platform keeps an object awake after its last work. */
const AWAKE_SECONDS = 10

/**
 * What the organization uses, in memory until it is saved: after each burst of requests, and once a minute in a long one. A write for each
 * request would cost more than most requests. So an object that ends without warning loses what it has counted in up to a minute; nothing but
 * figures depends on it.
 */
export class UsageWatch {
  #counts: Counts = {}
  /** Totals of this life of the object that others count, as of the last save. */
  #saved: Readonly<Counts> = {}
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Times in ms: of the first count since the last save, of the last, and until when the object is awake because of it. */
  #firstAt = 0
  #lastAt = 0
  #awakeUntil = 0
  readonly #quietMs: () => number
  readonly #save: () => void

  /** @param quietMs milliseconds of quiet after which `save` is called; Infinity: never */
  constructor(quietMs: () => number, save: () => void) {
    this.#quietMs = quietMs
    this.#save = save
  }

  count(name: string, by = 1): void {
    if (by === 0) return
    addCount(this.#counts, name, by)
    this.#noteWork(Date.now())
  }

  observe(name: HistogramName, labels: Readonly<Record<string, string>>, seconds: number): void {
    observe(this.#counts, histogramSamples(name, labels), seconds)
  }

  /** Adds what a Worker has counted for the organization. */
  add(counts: Readonly<Counts>): void {
    addCounts(this.#counts, counts)
  }

  /** Returns what is not saved yet. `totals`: what others have counted in this life of the object. */
  unsaved(totals: Readonly<Counts>): Counts {
    const counts = { ...this.#counts }
    for (const [name, total] of Object.entries(totals)) {
      const more = total - (this.#saved[name] ?? 0)
      if (more > 0) addCount(counts, name, more)
    }
    return counts
  }

  /** Called once what is unsaved has been saved. */
  saved(totals: Readonly<Counts>): void {
    this.#counts = {}
    this.#saved = totals
  }

  #noteWork(now: number): void {
    const until = now + AWAKE_SECONDS * 1_000
    const seconds = (until - Math.max(now, Math.min(this.#awakeUntil, until))) / 1_000
    addCount(this.#counts, 'object_awake_seconds_total', seconds)
    this.#awakeUntil = until
    this.#lastAt = now
    const quietMs = this.#quietMs()
    if (this.#timer !== undefined || !Number.isFinite(quietMs)) return
    this.#firstAt = now
    this.#timer = setTimeout(() => this.#look(quietMs), quietMs)
  }

  #look(quietMs: number): void {
    const now = Date.now()
    const left = Math.min(this.#lastAt + quietMs, this.#firstAt + LONGEST_MS) - now
    this.#timer = left > 0 ? setTimeout(() => this.#look(quietMs), left) : undefined
    if (this.#timer === undefined) this.#save()
  }
}
