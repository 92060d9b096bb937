/**
 * The server's limits as numbers, so that tests do not depend on its constants. Each names the page that promises it; those further down are
 * not promised, and show in the number of events or rows.
 */
import { DAY, HOUR, MINUTE } from './times.ts'

/** docs/interface/conventions.md#limits: what may be stored, by account and by organization. */
export const QUOTAS = {
  accounts: { organization: 20_000 },
  queues: { account: 1_200 },
  topicSettings: { account: 10_000, organization: 5_000_000 },
} as const

/** The same for one message, and for what one account adds to it. */
export const MESSAGE_QUOTAS = {
  submessages: { message: 5_000, account: 500 },
  reactions: { message: 10_000, account: 100 },
} as const

/** docs/interface/subscriptions.md#subscribe: the ended subscriptions that an account may have and still subscribe. */
export const ENDED_SUBSCRIPTIONS_OF_ACCOUNT = 50_000

/** A number of requests in a number of seconds. */
export interface RateLimit {
  readonly requests: number
  readonly seconds: number
}

/** docs/interface/conventions.md#rate-limits: the limits that a deployment has not set itself. */
export const RATE_LIMITS = {
  user: [{ requests: 200, seconds: MINUTE }],
  events: [{ requests: 200, seconds: MINUTE }],
  anonymous: [{ requests: 100, seconds: MINUTE }],
  logins: [{ requests: 5, seconds: 30 * MINUTE }],
  mailByUser: [
    { requests: 2, seconds: HOUR },
    { requests: 5, seconds: DAY },
  ],
} as const satisfies Record<string, readonly RateLimit[]>

/** docs/event-stream.md#when-it-closes: characters that a reader may lack before its stream is closed. */
export const STREAM_BEHIND = 1_000_000
/** docs/event-stream.md#when-it-closes: frames of one account in a minute, on all its streams together. */
export const STREAM_MESSAGES = { count: 1_200 } as const
/** docs/event-stream.md#when-it-closes: seconds of silence after which a stream is closed. */
export const STREAM_SILENCE = 600

/** docs/architecture.md#when-d1-or-the-object-fails-or-was-restored: entries and bytes of the log that D1 may lack. */
export const TAIL = { entries: 50_000, bytes: 64_000_000 } as const
/** docs/architecture.md#when-d1-or-the-object-fails-or-was-restored: bytes of an object from which on everything that makes it grow is refused. */
export const MAX_OBJECT = 9_500_000_000

/** The polls that one organization's object holds as calls, and the characters of their parameters; further ones sleep. */
export const HELD_CALLS = { count: 2_000, characters: 8_000_000 } as const
/** Messages of one answer of the object. */
export const MESSAGES_AT_ONCE = 500
/** Bytes up to which a message counts as short, source and HTML together. */
export const SHORT_BODY = 2_000
/** Ids of messages that are posted together to the index by sender and content. */
export const IDS_PER_POSTING = 4_096
/** Bytes of an answer that cross from the object to the Worker in one call. */
export const MAX_CROSSING = 33_000_000

/** The number of tries before an outgoing job becomes a dead letter (docs/interface/administration.md#dead-letters). */
export const TRIES = { mail: 24, push: 32, previews: 3 } as const

/** The budgets of one commit of a long change and of one turn, which show in events (src/core/budgets.ts). */
export const ROWS_OF_SLICE = 4_000
export const ENTRIES_AT_ONCE = 1_000
export const CHANGES_OF_COMMIT = 250
export const LARGE_CHANGES_OF_COMMIT = 25
export const TEXT_OF_SLICE = 1_000_000
export const BYTES_AT_ONCE = 4_000_000
/** The rows that closing an account adds to a commit, besides those of its subscriptions. */
export const ROWS_OF_ACCOUNT = 400

/** docs/interface/messages.md#events-of-an-edit: messages that one event of a move names. */
export const MOVED_IN_ONE_EVENT = 50_000
/** Changes of groups that take several commits and may be under way, for one account. */
export const OPEN_GROUP_CHANGES = { account: 2 } as const
/** docs/interface/events.md#poll: the channels and subscribers that a user may learn of by events; beyond them, clients register again. */
export const CHANNELS_GAINED_IN_EVENTS = { channels: 300, subscribers: 20_000 } as const

/** The budgets of one turn or answer of the object for clients that wait for events. */
export const DELIVERY_OF_ONE_SLICE = { polls: 100, looks: 20_000 } as const
export const EVENTS_AT_ONCE = { entries: 1_000, characters: 500_000 } as const
/** Bytes of large answers that an object holds, and calls that wait to make one. */
export const LARGE_ANSWERS = { bytes: 24_000_000, waiting: 200 } as const
/** The number of messages with a file that its owner is shown. */
export const LINKS_SHOWN = 32
/** Channels and groups that one turn looks through for uses of a group. */
export const NEW_CHANNELS_OF_ONE_REQUEST = 200
export const CHANNELS_OF_ONE_SLICE = { channels: 500 } as const
export const GROUPS_OF_ONE_SLICE = 1_000

/** docs/architecture.md#when-d1-or-the-object-fails-or-was-restored: how full a database may be for reports, texts and edits. */
export const D1_NEARLY_FULL = 0.9
export const D1_FULL = 0.95
export const D1_FULL_FOR_EDITS = 0.98
/** Milliseconds after which a call of D1 counts as unanswered. */
export const D1_ANSWER_MS = 35_000
