import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import { type DeclaresLevel, UNDECLARED_LEVEL } from '../../core/forms-by-level.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { WEEK } from '../../core/time.ts'
import {
  CLIENT_CAPABILITIES,
  type ClientCapability,
  type EventQueue,
  queueIdPrefix,
} from '../../events/queue.ts'
import { requireQueueNarrow } from '../../events/queue-narrow.ts'
import { isGuest } from '../../rules/roles.ts'
import { botSettings, NO_SETTINGS } from '../../store/bots/bot-setting-rows.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import type { Caller } from '../caller.ts'
import { presentUnreadMessages } from '../messages/flags/present-unread-messages.ts'
import { settledUnread } from '../messages/flags/settled-unread.ts'
import { initialStateInSections } from '../register/initial-state.ts'
import type { SnapshotOptions } from '../register/snapshot.ts'
import { fetchesUnread } from '../register/unread-messages.ts'
import { versionKeys } from '../server/version.ts'
import { enterQueue } from './enter-queue.ts'
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

/** Default lifespan of a queue in seconds, used for 0 too (docs/interface/register.md#what-is-asked-for). */
const DEFAULT_LIFESPAN = 600
const MAX_LIFESPAN = WEEK

/**
 * Takes the snapshot and opens the queue in one transaction, so that nothing can happen between the two.
 * Source: docs/interface/register.md#what-is-asked-for.
 */
export const registerQueue: Command<Caller, RegisterParams, void, object> = {
  apply(tx, caller, params) {
    const queue = openQueue(tx, caller, params)
    const options = snapshotOptions(params, queue)
    const snapshot = initialStateInSections(tx, caller, options)
    const unread = fetchesUnread(options) && {
      unread_msgs: unreadState(tx, caller.user, options),
    }
    const opened = { queue_id: queue.id, last_event_id: -1, idle_queue_timeout_secs: queue.lifespan }
    return { ...opened, ...versionKeys(), ...snapshot, ...unread }
  },
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
      clientGravatar: showsGravatarsItself(params),
      slimPresence: params.slim_presence ?? false,
      includeSubscribers: params.include_subscribers ?? false,
      capabilities: declaredCapabilities(params.client_capabilities),
      userAgent: caller.source.userAgent.slice(0, 100),
      ...declaredBy(caller.source),
    },
  }
  enterQueue(tx, caller, queue)
  scheduleHousekeeping(tx)
  return queue
}

/** Returns the level for the options of a queue: most clients declare none, and their queues keep none. */
function declaredBy({ level }: DeclaresLevel): DeclaresLevel {
  return level === undefined || level === UNDECLARED_LEVEL ? {} : { level }
}

/** Returns the defaults that a bot's owner has set for its queues; nothing for people. */
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

export function narrowPair(element: readonly string[]): [string, string] {
  return [element[0] ?? '', element[1] ?? '']
}

export function declaredCapabilities(
  declared: Readonly<Record<string, unknown>> | null | undefined,
): ClientCapability[] {
  return CLIENT_CAPABILITIES.filter((name) => declared?.[name] === true)
}

function showsGravatarsItself({ client_gravatar }: RegisterParams): boolean {
  return client_gravatar ?? true
}

function typesOf({ fetch_event_types, event_types }: RegisterParams): readonly string[] | null {
  return fetch_event_types ?? event_types ?? null
}

function snapshotOptions(params: RegisterParams, queue: EventQueue): SnapshotOptions {
  return {
    types: typesOf(params),
    eventTypes: params.event_types ?? null,
    clientGravatar: queue.options.clientGravatar,
    slimPresence: queue.options.slimPresence,
    includeSubscribers: queue.options.includeSubscribers,
    capabilities: new Set(queue.options.capabilities),
    userAgent: queue.options.userAgent,
    presenceHistoryLimitDays: params.presence_history_limit_days ?? null,
  }
}
