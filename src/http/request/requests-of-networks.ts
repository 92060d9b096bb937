import {
  clientNetwork,
  DEFAULT_RATE_LIMITS,
  longestWindow,
  type RateLimit,
  secondsToWait,
} from '../../core/rate-limits.ts'
import { OVERTAKEN_SECONDS } from '../../core/time.ts'
import { deploymentFacts, type Environment } from './environment.ts'
import type { RoutedRequest } from './request-url.ts'

/** Number of remembered networks; the one met longest ago is forgotten first. */
const REMEMBERED = 5_000

/**
 * Returns the key under which the client's requests are counted: its network. Requests caused by pages of other sites, which only
 * browsers report (Sec-Fetch-Site) and cannot hide, are counted apart, so that such a page locks out no one who opens a page here. A
 * program that pretends to be one gets twice the attempts. Undefined where requests are not counted.
 */
export function countedNetwork(
  request: Request,
  { RATE_LIMITS, DEVELOPMENT }: Environment,
): string | undefined {
  if (RATE_LIMITS === 'off') return undefined
  const network = clientNetwork(request.headers.get('cf-connecting-ip') ?? '')
  // The platform always states the address; only a local server does not know it.
  if (network === '' && DEVELOPMENT) return undefined
  return isFromElsewhere(request) ? `${network} elsewhere` : network
}

/** Whether a page of another site caused a browser's request. */
export function isFromElsewhere({ headers }: Request): boolean {
  return /^(?:cross|same)-site$/.test(headers.get('sec-fetch-site') ?? '')
}

/** Returns the limits of requests without credentials from one network; other counts of networks use them too. */
export function limitsOfNetworks(
  { address }: Pick<RoutedRequest, 'address'>,
  env: Environment,
): readonly RateLimit[] {
  return deploymentFacts(env, address).rateLimits.anonymous ?? DEFAULT_RATE_LIMITS.anonymous
}

/** Requests of one kind, counted by network in an isolate's memory, which may be lost. */
export class RequestsOfNetworks {
  /** Times of each network: UNIX seconds, ascending. */
  readonly #times = new Map<string, number[]>()

  /** Returns the times that count towards these limits. */
  recent(network: string, limits: readonly RateLimit[], now: number): number[] {
    const maxKept = Math.max(...limits.map(({ requests }) => requests))
    const since = now - longestWindow(limits)
    // Later times are from before the clock was set back, and would count for too long.
    return (this.#times.get(network) ?? [])
      .filter((at) => at > since && at <= now + OVERTAKEN_SECONDS)
      .slice(-maxKept)
  }

  add(network: string, limits: readonly RateLimit[], now: number): void {
    this.#forget(now - longestWindow(limits))
    remember(this.#times, network, [...this.recent(network, limits, now), now], REMEMBERED)
  }

  /** Forgets the networks last counted before `since`; the oldest come first. */
  #forget(since: number): void {
    for (const [network, times] of this.#times) {
      if ((times.at(-1) ?? 0) > since) return
      this.#times.delete(network)
    }
  }

  /** Counts a request unless there have been too many; returns the seconds to wait in that case, else 0. */
  count(network: string, limits: readonly RateLimit[], now: number): number {
    const wait = secondsToWait(this.recent(network, limits, now), limits, now)
    if (wait === 0) this.add(network, limits, now)
    return wait
  }
}

/** Sets a value of a map, which forgets the value set longest ago if it then has more than `limit`. */
export function remember<Value>(memory: Map<string, Value>, key: string, value: Value, limit: number): void {
  memory.delete(key)
  memory.set(key, value)
  const [oldest] = memory.keys()
  if (memory.size > limit) memory.delete(oldest!)
}
