import type { RequestSource } from '../../core/call.ts'
import { BadRequestError, ServiceUnavailableError } from '../../core/errors.ts'
import { jsonText } from '../../core/json.ts'
import type { MemorySlot, RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { DeclaresLevel } from '../../core/representations-by-level.ts'
import { WEEK } from '../../core/time.ts'
import {
  CLIENT_CAPABILITIES,
  type ClientCapability,
  countQueues,
  countQueuesOfUser,
  deleteQueue,
  type EventQueue,
  insertQueue,
  largestQueueHolder,
  listQueuesOfUser,
  queueIdPrefix,
} from '../../events/queue.ts'
import { requireQueueNarrow } from '../../events/queue-narrow.ts'
import { isGuest } from '../../rules/roles.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../rules/topic-rules.ts'
import { botSettings, NO_SETTINGS } from '../../store/bots/bot-setting-rows.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { ReadSet } from '../../store/messages/flags/read-rows.ts'
import { readMetaJson, writeMeta } from '../../store/meta-rows.ts'
import type { QuotaUse } from '../../store/quotas/quota-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'
import type { Caller } from '../caller.ts'
import { unreadOfUser } from '../messages/flags/found-unread.ts'
import { type ListedUnread, presentUnreadMessages } from '../messages/flags/unread-groups.ts'
import { quotaOf } from '../quotas/within-quota.ts'
import { fetchesUnread, initialStateInSections } from '../register/initial-state.ts'
import type { SnapshotOptions } from '../register/snapshot.ts'
import { versionKeys } from '../server/version.ts'
import { scheduleHousekeeping } from './housekeeping-job.ts'

export interface RegisterParams {
  readonly apply_markdown?: boolean
  readonly client_gravatar?: boolean
  readonly slim_presence?: boolean
  readonly presence_history_limit_days?: number | null
  readonly all_public_streams?: boolean
  readonly include_subscribers?: boolean | 'partial'
  readonly client_capabilities?: {
    readonly notification_settings_null: boolean
    readonly [name: string]: unknown
  } | null
  readonly event_types?: readonly string[] | null
  readonly fetch_event_types?: readonly string[] | null
  readonly narrow?: readonly (readonly string[])[]
  readonly queue_lifespan_secs?: number
  /** A newer name of the same parameter. */
  readonly idle_queue_timeout?: number | 'mobile'
}

/** Default lifespan of a queue in seconds, also for 0 (docs/interface/register.md#what-is-asked-for). */
const DEFAULT_LIFESPAN = 600
const MAX_LIFESPAN = WEEK

/**
 * Enters a queue. Each queue holds up the log, needs housekeeping, and may have a waiting client, so their number is
 * limited. A new queue is not refused: instead the longest idle queue is ended, of the same account if it has too many,
 * or of the account with the most if the organization has too many. Its client registers again if it ever comes back.
 * @throws ServiceUnavailableError where the account with the most has no other queue
 */
function addQueue(tx: RealmTransaction, caller: Caller, queue: EventQueue): void {
  const quota = quotaOf('queues', caller.source)
  const bytes = insertQueue(tx.sql, queue)
  const known = tx.recallToChange(QUEUE_USE)
  known.add(tx, bytes)
  const use = countQueuesOfUser(tx.sql, queue.userId)
  const ofOne = { count: quota.account!, bytes: quota.accountBytes! }
  endOldest(tx, queue.userId, use, ofOne, queue.id)
  const ofAll = { count: quota.organization!, bytes: quota.organizationBytes! }
  if (isWithin(known.use, ofAll)) return
  known.recount(tx)
  for (let pass = 1; !isWithin(known.use, ofAll); pass += 1) {
    const holder = largestQueueHolder(tx.sql, known.use.count > ofAll.count ? 'count' : 'bytes')!
    const left = endOldest(tx, holder, known.use, ofAll, queue.id)
    if (left.count === known.use.count || pass === MAX_PASSES) throw new ServiceUnavailableError()
    // Counting them again would read them all once more.
    known.put(tx, left)
  }
}

/** Number of accounts whose queues are ended to make room for one: each time the largest holder's, so one or two suffice. */
const MAX_PASSES = 5

type HeldQueue = ReturnType<typeof listQueuesOfUser>[number]

/** Number of queues that are looked at first: mostly a registration makes only one too many. */
const LOOKED_AT = 20

/** Ends a user's oldest queues, but not the newest, as far as needed, and returns what is left of `use`. */
function endOldest(
  tx: RealmTransaction,
  userId: number,
  use: QuotaUse,
  limit: QuotaUse,
  newest: string,
): QuotaUse {
  if (isWithin(use, limit)) return use
  const few = unusedFirst(tx, listQueuesOfUser(tx.sql, userId, LOOKED_AT), newest)
  const hasEnough = few[0] && !tx.isPolled(few[0].id) && isWithin(without(use, few[0]), limit)
  const queues = hasEnough ? few : unusedFirst(tx, listQueuesOfUser(tx.sql, userId), newest)
  let left = use
  for (const queue of queues) {
    if (isWithin(left, limit)) break
    deleteQueue(tx.sql, queue.id)
    tx.endPoll(queue.id)
    left = without(left, queue)
  }
  return left
}

function without({ count, bytes }: QuotaUse, queue: HeldQueue): QuotaUse {
  return { count: count - 1, bytes: bytes - queue.bytes }
}

function unusedFirst(tx: RealmReads, queues: readonly HeldQueue[], newest: string): HeldQueue[] {
  const others = queues.filter(({ id }) => id !== newest)
  return [...others.filter(({ id }) => !tx.isPolled(id)), ...others.filter(({ id }) => tx.isPolled(id))]
}

function isWithin(use: QuotaUse, limit: QuotaUse): boolean {
  return use.count <= limit.count && use.bytes <= limit.bytes
}

/** Seconds after which all queues are counted again; and what is added to their number when it is stored. */
const COUNTED_FOR = 86_400
const AHEAD: QuotaUse = { count: 100, bytes: 200_000 }

/** The number of queues as it is stored. `countedAt`: UNIX seconds. */
type StoredUse = QuotaUse & { readonly countedAt: number }

/**
 * An upper bound of the organization's number of queues: new queues are added, and ended ones are subtracted only when
 * there seem to be too many, or a day later. The stored number is ahead, so that only one registration in a hundred
 * writes a row for the quota, and an object that wakes need not count.
 */
class KnownQueueUse {
  #use: QuotaUse
  #stored: StoredUse

  constructor(stored: StoredUse) {
    this.#use = stored
    this.#stored = stored
  }

  get use(): QuotaUse {
    return this.#use
  }

  /** Adds a queue that was already inserted. */
  add(tx: RealmTransaction, bytes: number): void {
    if (Math.abs(tx.now - this.#stored.countedAt) > COUNTED_FOR) {
      this.recount(tx)
      return
    }
    this.#use = { count: this.#use.count + 1, bytes: this.#use.bytes + bytes }
    if (!isWithin(this.#use, this.#stored)) this.#store(tx, this.#stored.countedAt)
  }

  recount(tx: RealmTransaction): void {
    this.put(tx, countQueues(tx.sql))
  }

  put(tx: RealmTransaction, use: QuotaUse): void {
    this.#use = use
    this.#store(tx, tx.now)
  }

  #store(tx: RealmTransaction, countedAt: number): void {
    const { count, bytes } = this.#use
    this.#stored = { count: count + AHEAD.count, bytes: bytes + AHEAD.bytes, countedAt }
    writeMeta(tx.sql, 'queue_use', jsonText(this.#stored))
  }
}

const QUEUE_USE: MemorySlot<KnownQueueUse> = {
  name: 'queue-use',
  load(sql) {
    const stored = readMetaJson<StoredUse>(sql, 'queue_use')
    return new KnownQueueUse(stored ?? { count: 0, bytes: 0, countedAt: 0 })
  },
}

/** Takes the snapshot and opens the queue in one transaction, so that nothing can happen in between. */
export function registerQueue(tx: RealmTransaction, caller: Caller, params: RegisterParams): object {
  const queue = openQueue(tx, caller, params)
  const options = snapshotOptions(params, queue)
  const snapshot = initialStateInSections(tx, caller, options)
  const unread = fetchesUnread(options) && { unread_msgs: unreadState(tx, caller.user, options) }
  const opened = { queue_id: queue.id, last_event_id: -1, idle_queue_timeout_secs: queue.lifespan }
  return { ...opened, ...versionKeys(), ...snapshot, ...unread }
}

/** Returns `unread_msgs`, from the newest 50,000 unread messages (docs/interface/reading.md#unread-messages). */
function unreadState(tx: RealmTransaction, user: User, { capabilities }: SnapshotOptions): object {
  return presentUnreadMessages(tx.sql, user, settledUnread(tx, user), capabilities.has('empty_topic_name'))
}

export function openQueue(tx: RealmTransaction, caller: Caller, params: RegisterParams): EventQueue {
  const defaults = defaultsOf(tx, caller)
  const narrow = (params.narrow ?? defaults.narrow).map(narrowPair)
  requireQueueNarrow(narrow)
  const allPublicStreams = params.all_public_streams ?? defaults.allPublicStreams
  if (allPublicStreams && isGuest(caller.user)) {
    throw new BadRequestError('User not authorized for this query')
  }
  const queue: EventQueue = {
    id: queueIdPrefix(caller.user.id) + tx.randomHex(16),
    userId: caller.user.id,
    startEvent: tx.lastEventId(),
    ackedEvent: tx.lastEventId(),
    seenAt: tx.now,
    lifespan: lifespanOf(params),
    options: {
      eventTypes: params.event_types ?? null,
      narrow,
      allPublicStreams,
      applyMarkdown: params.apply_markdown ?? false,
      clientGravatar: params.client_gravatar ?? true,
      slimPresence: params.slim_presence ?? false,
      includeSubscribers: params.include_subscribers ?? false,
      capabilities: declaredCapabilities(params.client_capabilities, caller.source),
      userAgent: caller.source.userAgent.slice(0, 100),
      ...declaredBy(caller.source),
      ...(caller.source.session !== undefined && { isBrowser: true }),
    },
  }
  addQueue(tx, caller, queue)
  scheduleHousekeeping(tx)
  return queue
}

/** Returns the level for a queue's options, which most clients do not declare. */
function declaredBy({ level }: DeclaresLevel): DeclaresLevel {
  return level === undefined ? {} : { level }
}

/** Returns the defaults that a bot's owner has set for its queues. */
function defaultsOf({ sql }: RealmReads, { user }: Caller) {
  const { eventsChannelId, allPublicChannels } =
    user.botType === null ? NO_SETTINGS : botSettings(sql, user.id)
  const channel = eventsChannelId === null ? undefined : findChannel(sql, eventsChannelId)
  return {
    narrow: channel ? [['stream', channel.name]] : [],
    allPublicStreams: allPublicChannels && !isGuest(user),
  }
}

function lifespanOf({ queue_lifespan_secs, idle_queue_timeout }: RegisterParams): number {
  const wanted =
    queue_lifespan_secs || (idle_queue_timeout === 'mobile' ? MAX_LIFESPAN : idle_queue_timeout) || 0
  return wanted > 0 ? Math.min(wanted, MAX_LIFESPAN) : DEFAULT_LIFESPAN
}

/** Returns a term of a queue's narrow. The display name of the empty topic means it (docs/interface/conventions.md#topics). */
export function narrowPair(element: readonly string[], index: number): [string, string] {
  const [operator, operand] = element
  if (operator === undefined || operand === undefined || element.length > 2) {
    throw new BadRequestError(`Invalid narrow[${index}]: Value error, element is not a string pair`)
  }
  if (operator !== 'topic') return [operator, operand]
  const topic = operand.trim()
  return [operator, topic === EMPTY_TOPIC_DISPLAY_NAME ? '' : topic]
}

/** Returns the capabilities that a client declares. A client that asks for the neutral names in the request has those in its queue too. */
export function declaredCapabilities(
  declared: Readonly<Record<string, unknown>> | null | undefined,
  { asksForSvc }: Pick<RequestSource, 'asksForSvc'>,
): ClientCapability[] {
  return CLIENT_CAPABILITIES.filter(
    (name) => declared?.[name] === true || (name === 'svc_names' && asksForSvc === true),
  )
}

function snapshotOptions(params: RegisterParams, queue: EventQueue): SnapshotOptions {
  return {
    types: params.fetch_event_types ?? params.event_types ?? null,
    eventTypes: params.event_types ?? null,
    clientGravatar: queue.options.clientGravatar,
    slimPresence: queue.options.slimPresence,
    includeSubscribers: queue.options.includeSubscribers,
    capabilities: new Set(queue.options.capabilities),
    userAgent: queue.options.userAgent,
    presenceHistoryLimitDays: params.presence_history_limit_days ?? null,
  }
}

/** Number of newer messages from which raising the floor is worth the rows that it writes. */
const WORTH_SETTLING = 4_096

/**
 * Returns the unread messages that a snapshot lists, ascending, and settles the read set, since otherwise thousands of
 * read messages would have to be looked at again.
 * @throws ServiceUnavailableError (503) where they keep changing
 */
function settledUnread(tx: RealmTransaction, { id }: Pick<User, 'id'>): ListedUnread {
  const { sql } = tx
  const user = findUser(sql, id)!
  const { upTo, ids, listed } = tx.use(unreadOfUser, user)
  if (upTo - user.readFloor >= WORTH_SETTLING) {
    // A coming move may have marked messages as read without an event.
    const read = new ReadSet(sql, user).loadAll()
    read.settle(sql, upTo, read.lacking(ids))
    read.save(sql)
  }
  return listed
}
