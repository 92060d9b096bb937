/**
 * A simulation, not a measurement: messages come to an organization at random. Its object commits each and calls the shards with listeners of
 * its audience, and each shard sends it to its own listeners, one by one. Every object is one thread with a queue;
 * the time of each step was measured (`ServiceTimes`).
 */
import { chance } from '../../src/dev/seed/seed-plan.ts'

/** Times in ms. */
export interface ServiceTimes {
  /** Time of the organization's object to take, decide and commit a message. */
  readonly commit: number
  /** Time of the object that takes a small request, for all of it. */
  readonly request: number
  /** Time of the organization's object to call one shard about a message. */
  readonly call: number
  /** Time of the delivering object to send one message to one listener. */
  readonly deliver: number
  /** Time one way between two objects in the same location. Assumed, not measured. */
  readonly hop: number
}

/** A kind of message: its share of all messages, and how many listeners get it. */
export interface AudienceKind {
  readonly share: number
  readonly listeners: number
}

export interface Load {
  readonly messagesPerSecond: number
  readonly audiences: readonly AudienceKind[]
  /** Other requests a second to the organization's object. */
  readonly requestsPerSecond: number
  /** Requests a second that shards take in its place, where there are any. */
  readonly presencesPerSecond: number
}

/** The result of a simulation. Times are from the arrival of a message until its last listener has it, in ms. */
export interface SimulatedDelivery {
  readonly p50: number
  readonly p99: number
  /** The load of the object and of the shards: at 1 or more the queue grows without end. */
  readonly rootUsed: number
  readonly shardUsed: number
  /** Listeners that get a message, a second. */
  readonly deliveriesPerSecond: number
}

const SECONDS = 60
/** The first part of the time does not count: the queues were empty. */
const WARM_UP = 0.1

/** `shards` 0: the organization's object delivers by itself, as it does today. */
export function simulateDelivery(times: ServiceTimes, load: Load, shards: number): SimulatedDelivery {
  const freeAt = { root: 0, shards: new Float64Array(shards) }
  const busy = { root: 0, shards: 0 }
  const share = (perSecond: number) => (perSecond * times.request) / 1_000
  const rootElse = share(load.requestsPerSecond) + (shards === 0 ? share(load.presencesPerSecond) : 0)
  const shardElse = shards === 0 ? 0 : share(load.presencesPerSecond) / shards
  // Other requests take their share of all time.
  const slower = 1 / Math.max(1 - rootElse, 0.01)
  const shardSlower = 1 / Math.max(1 - shardElse, 0.01)
  const waited: number[] = []
  let [now, deliveries] = [0, 0]
  for (let message = 0; now < SECONDS * 1_000; message += 1) {
    now += (-Math.log(1 - chance(1, message)) / load.messagesPerSecond) * 1_000
    const listeners = audienceOf(load.audiences, chance(2, message))
    deliveries += listeners
    const begun = Math.max(now, freeAt.root)
    if (shards === 0) {
      const work = times.commit + listeners * times.deliver
      freeAt.root = begun + work * slower
      busy.root += work
      waited.push(freeAt.root - now)
      continue
    }
    const parts = partsOf(listeners, shards, message)
    const notified = parts.filter((part) => part > 0).length
    const work = times.commit + notified * times.call
    freeAt.root = begun + work * slower
    busy.root += work
    let last = freeAt.root
    for (const [shard, part] of parts.entries()) {
      if (part === 0) continue
      const from = Math.max(freeAt.root + times.hop, freeAt.shards[shard]!)
      freeAt.shards[shard] = from + (times.call + part * times.deliver) * shardSlower
      busy.shards += times.call + part * times.deliver
      last = Math.max(last, freeAt.shards[shard]!)
    }
    waited.push(last - now)
  }
  const counted = waited.slice(Math.floor(waited.length * WARM_UP)).sort((a, b) => a - b)
  const at = (part: number) => counted[Math.min(counted.length - 1, Math.floor(counted.length * part))] ?? 0
  return {
    p50: at(0.5),
    p99: at(0.99),
    rootUsed: busy.root / now + rootElse,
    shardUsed: shards === 0 ? 0 : busy.shards / shards / now + shardElse,
    deliveriesPerSecond: deliveries / (now / 1_000),
  }
}

function audienceOf(audiences: readonly AudienceKind[], draw: number): number {
  let sum = 0
  for (const { share, listeners } of audiences) {
    sum += share
    if (draw < sum) return listeners
  }
  return audiences.at(-1)?.listeners ?? 0
}

/** Returns how many of the listeners each shard has: a few are spread one by one, many evenly. */
function partsOf(listeners: number, shards: number, message: number): number[] {
  const parts = new Array<number>(shards).fill(Math.floor(listeners / shards))
  for (let rest = listeners % shards, at = 0; rest > 0; rest -= 1, at += 1) {
    const shard = Math.floor(chance(3 + message, at) * shards)
    parts[shard] = parts[shard]! + 1
  }
  return parts
}
