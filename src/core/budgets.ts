/**
 * The budgets of one turn of the object, one answer, one batch and one cache
 * (docs/decisions/design.md#everything-has-a-limit). Work beyond one goes on in the next turn, the next call
 * or the next answer; nothing is refused for it. Limits of inputs stand in the declarations of endpoints.
 *
 * The platform's own limits: 128 MiB of memory for an isolate, 32 MiB for one RPC, 2 MB for a row or a value.
 */

/**
 * Bytes or characters of message bodies that are held at once, plus one body. A message may have ten thousand
 * characters, their HTML and a long history, and a page thousands of messages.
 */
export const BODIES_AT_ONCE = 4_000_000

/**
 * Bytes up to which the source and HTML of a message together count as short: half of BODIES_AT_ONCE holds a
 * thousand of them.
 */
export const SHORT_BODY = 2_000

/**
 * Commands that share a turn; the rows that they may have read and written, and the characters that their calls may have, before the
 * next one waits for another turn. A send takes a quarter of a millisecond and some ten rows, but 10,000 characters of markup take 15 ms.
 * Beyond `waiting` characters of calls that wait, which take up to four bytes each, commands have turns of their own. `gathering`: how
 * many must have shared the last turn, and how many milliseconds they may have waited for one another, for the first of the next to wait.
 */
export const SHARED_TURN = {
  commands: 16,
  rows: 1_000,
  characters: 16_000,
  waiting: 2_000_000,
  gathering: { commands: 2, milliseconds: 10 },
} as const

/**
 * The part of the log that a queue, or a poll that wakes, reads at a time: entries, and characters of JSON
 * (plus one entry). The log may have hundreds of thousands of entries, and one entry 2 MB.
 */
export const EVENTS_READ_AT_ONCE = { entries: 1_000, characters: 500_000 } as const

/**
 * Size of one answer of GET /events (plus one event); the client's next poll gets the rest. A socket message
 * of 1 MiB passes everywhere.
 */
export const EVENTS_OF_ONE_ANSWER = { events: 1_000, characters: 800_000 } as const

/**
 * Milliseconds after a poll was answered within which the queue's next poll is held as a call. A held call is
 * cheap, but keeps the object awake.
 */
export const BUSY_QUEUE_MS = 5_000

/** Polls that are held as calls at once, and characters of their options. Further polls sleep on sockets. */
export const HELD_CALLS = { count: 2_000, characters: 8_000_000 } as const

/**
 * Milliseconds between the beginning of one round of deliveries and the next, if the first delivered anything: at least `min`, which
 * nobody notices, and more with the number of polls and streams that got something, up to `max`. What happens meanwhile reaches
 * each client in one answer; without a pause a busy channel costs a request for each message and member. A poll that
 * comes back costs some 0.3 ms: after a shorter pause many would not be back, and take most of the time that others need.
 */
export const BETWEEN_ROUNDS = { min: 50, forEachPoll: 1, forEachStream: 0.05, max: 250 } as const

/**
 * The longest text that goes over a poll's socket, in UTF-16 units; a longer one is fetched by a call
 * instead.
 */
export const MAX_SOCKET_MESSAGE_LENGTH = 1_000_000

/**
 * The characters that the reader of an event stream may have been sent without acknowledging them. Beyond
 * `STREAM_BEHIND` the stream is closed, and the reader comes back with its cursor; while it catches up, it
 * waits for an acknowledgement from `STREAM_CATCHING_UP` on, before it is sent more.
 */
export const STREAM_BEHIND = 1_000_000
export const STREAM_CATCHING_UP = 200_000

/**
 * Ids by which a stream's cursor may lie behind the part of the log that was looked at for it. Then the
 * stream gets a heartbeat that moves its cursor on: the log is kept from the cursor on, and read again from
 * there when the object wakes.
 */
export const STREAM_CURSOR_LAG = 1_000

/** Limits of what clients of event streams may send: characters of a message, and messages of one account in a number of seconds. */
export const STREAM_MESSAGES = { characters: 100, count: 1_200, seconds: 60 } as const

/**
 * Seconds after which a stream whose client has acknowledged nothing gets a heartbeat, whether or not
 * anything has happened: a queue without events must not keep the log for ever. `atOnce`: streams of one
 * turn.
 */
export const STREAM_QUIET = { seconds: 86_400, atOnce: 1_000 } as const

/** Seconds of silence after which a stream counts as without a reader. Clients send a ping each minute. */
export const STREAM_SILENCE = 600

/**
 * Rows that all readers without an account together may make an organization's object read: this number a
 * minute, and as many at once after a rest. That is less than a twentieth of the object's time. Each call counts as
 * `ofACall` rows at least.
 */
export const ROWS_FOR_SPECTATORS = { aMinute: 2_000_000, ofACall: 1_000 } as const

/**
 * The newest events that the object keeps parsed, so that a thousand polls that wake together read them once.
 * Measured in characters of JSON; each takes 2 to 4 bytes in memory. One change, such as an account with bots that is closed, may have
 * thousands of short ones.
 */
export const EVENTS_KEPT = { events: 4_096, characters: 4_000_000 } as const

/**
 * Parts of the log, of EVENTS_READ_AT_ONCE each, that are kept for so many seconds: clients that wait together lag behind large events
 * together too, and each would read and parse the same.
 */
export const LOG_READ_KEPT = { parts: 8, seconds: 2 } as const

/**
 * Characters of kept events in the form that clients get, which is made once for all clients that get the
 * same.
 */
export const FORMS_KEPT = 4_000_000

/**
 * The work of one turn that wakes polls or streams, whatever is reached first; the others wait for the next turn. Answering a poll takes
 * some 60 µs, sending a frame to a stream 30, checking an event for it 1, sending a character a few ns, and reading one from the log some 20.
 */
export const DELIVERY_OF_ONE_TURN = {
  polls: 100,
  streams: 250,
  looks: 20_000,
  characters: 4_000_000,
  charactersOfLog: 1_000_000,
} as const

/**
 * Polls that come while a round answers others wait for its end: so many at most, some 2 kB each, and so long, in ms. They are let in
 * some at a time, each of which takes some 0.2 ms.
 */
export const WAITING_FOR_ROUND = { calls: 4_000, ms: 1_000, inOneTurn: 50 } as const

/**
 * The bytes of each slot of the object's memory, at the quotas (core/quotas.ts). A slot that is not named here cannot be
 * declared.
 */
export const MEMORY_OF_SLOT = {
  // A value of each account.
  presence: 5_000_000,
  'push-listeners': 5_000_000,
  // One flag.
  'mail-outlet': 100,
  'log-ends': 100,
  // Five numbers.
  'queue-use': 100,
  // A few lines of the log, by kind.
  missed: 10_000,
  // One name.
  'text-epoch': 100,
} as const

/**
 * Requests that are remembered for rate limits, of all accounts and addresses together, 8 bytes each; the
 * accounts and addresses that were silent longest are forgotten first. With the default limits, 2,500
 * accounts may be at their limit.
 */
export const COUNTED_REQUESTS_KEPT = 500_000

/** Accounts and addresses whose requests are counted, some 200 bytes each. */
export const COUNTED_BUCKETS_KEPT = 50_000

/**
 * The newest messages, without their texts, which most pages and unread messages are among: blocks of ids that are read together,
 * and bytes that one takes at most: 120, and more with a spelling of its topic of its own. That is more than the 50,000 that a
 * snapshot lists.
 */
export const RECENT_MESSAGES = { ids: 512, blocks: 128, bytesOfOne: 240 } as const

/** Queues that one turn of housekeeping looks at. */
export const QUEUES_PER_TURN = 2_000

/**
 * Characters of reactions and submessages of messages in one answer of the object, plus those of one message.
 * The next call asks for the others.
 */
export const DETAILS_AT_ONCE = 4_000_000

/** Bytes of the index of everybody's alert words; the quotas allow 50,000 words of 500 kB together. */
export const ALERT_WORDS_IN_MEMORY = 2_000_000

/**
 * Log entries of an organization that D1 may lack, and bytes of their writes as JSON: a day of 50,000
 * messages. The object's memory holds about 200 bytes for each entry. Above the limit everything that writes
 * a body is refused with 503.
 */
export const TAIL_ENTRIES = 50_000
export const TAIL_BYTES = 64_000_000

/**
 * Entries and bytes of the tail after which its index is stored: the limit of what a waking object has to
 * parse.
 */
export const TAIL_BLOCK_ENTRIES = 1_000
export const TAIL_BLOCK_BYTES = 4_000_000

/** Messages of the tail that one page of a search reads, and bytes of their writes. */
export const TAIL_SEARCH_MESSAGES = 500
export const TAIL_SEARCH_BYTES = 4_000_000

/** Bytes of the tail's writes that one turn looks through for messages that a search names: some 20 ms. */
export const TAIL_BYTES_OF_ONE_TURN = 1_000_000

/**
 * Bytes of the object's SQLite, of 10 GB that the platform allows, from which on everything that makes it
 * grow is refused, so that reading, deleting and administration have room.
 */
export const MAX_OBJECT = 9_500_000_000

/**
 * Seconds for which a queue that acknowledges nothing keeps the log: the fuller the object, the shorter.
 * Otherwise one account that writes much and reads nothing fills it in a day. The client of a queue that has
 * ended registers anew.
 */
export const LOG_KEPT_FOR_QUEUES = [
  { fromBytes: MAX_OBJECT, seconds: 60 },
  { fromBytes: 9_000_000_000, seconds: 300 },
  { fromBytes: 7_000_000_000, seconds: 3_600 },
  { fromBytes: 5_000_000_000, seconds: 86_400 },
  { fromBytes: 0, seconds: 604_800 },
] as const

/**
 * Bytes of other servers' pictures that are fetched for one organization in a day, not counting those that
 * come from copies of the edge and browsers: a thousand people who each look at twenty new pictures of a
 * megabyte.
 */
export const EXTERNAL_BYTES_A_DAY = 20_000_000_000

/**
 * Bytes of large answers (`largeAnswer`) that the object has made and not yet sent, and calls that wait to
 * make one. The expected size of an answer comes from those before it. There is a pause between two of them.
 */
export const LARGE_ANSWERS = { bytes: 24_000_000, waiting: 200, pauseMs: 3 } as const

/** Limit of a large answer without sections, in bytes: the Worker holds all of it. */
export const MAX_CROSSING = 33_000_000

/** Bytes of an answer's texts from which on they cross as a stream. */
export const LONG_TEXT = 8_000_000

/** The bytes of sections missing in the Worker that one answer sends. The Worker asks again for the rest. */
export const SECTION_BYTES_OF_ONE_ANSWER = 5_000_000

/** Bytes expected of a large answer before the first has been seen: some 10,000 users. */
export const UNKNOWN_ANSWER = 4_000_000

/**
 * Messages that link to a file, of which there may be any number, some 25 µs each where all are in other channels: the newest that its
 * owner is shown, and at least how many where a message links to two hundred files; those that are looked at to find whether somebody may
 * read it; and those that one turn presents. `files`: those of one turn of a list.
 */
export const FILE_LINKS = {
  presented: 32,
  atLeast: 8,
  consulted: 1_000,
  ofOneTurn: 600,
  files: 1_000,
} as const

/** Milliseconds between two turns of long work, and between two parts of a long page, for everybody else's calls. */
export const PAUSE_BETWEEN_TURNS_MS = 10
/** The same where so many wait that they would otherwise stand still for most of the time. */
export const SHORTEST_PAUSE_MS = 1
