/**
 * The budgets of one turn of the object, one answer, one batch and one cache (docs/decisions/design.md#everything-has-a-bound).
 * Work beyond one goes on in the next turn, the next call or the next answer; nothing is refused for it. Limits of inputs stand
 * in the declarations of endpoints.
 *
 * The platform's own walls: 128 MiB of memory for an isolate, 32 MiB for one RPC, 2 MB for a row or a value.
 */

/**
 * The bytes or characters of messages' bodies that are held at once, and one body more. A message may have ten thousand
 * characters, their HTML and a long history, and a page thousands of messages.
 */
export const BODIES_AT_ONCE = 4_000_000

/** The bytes of a message's source and HTML together, up to which it is short: half of BODIES_AT_ONCE holds a thousand of them. */
export const SHORT_BODY = 2_000

/**
 * The part of the log that a queue, or a poll that wakes, reads at a time: entries, and characters of JSON (and one entry
 * more). The log may be hundreds of thousands of entries long, and an entry 2 MB.
 */
export const EVENTS_READ_AT_ONCE = { entries: 1_000, characters: 2_000_000 } as const

/**
 * One answer of GET /events (and one event more): the client's next poll gets the rest. A socket's message of 1 MiB passes
 * everywhere.
 */
export const EVENTS_OF_ONE_ANSWER = { events: 1_000, characters: 800_000 } as const

/**
 * The ms after a poll of a queue was given something within which the next is held as a call, which is cheap and keeps the
 * object awake.
 */
export const BUSY_QUEUE_MS = 5_000

/** Polls that are held as calls at once, and characters of what they have asked with. More of them sleep on sockets. */
export const HELD_CALLS = { count: 2_000, characters: 8_000_000 } as const

/**
 * The ms between one round of waking polls and the next, for each poll that this one answered, and no longer than `most`. Each
 * poll comes back, and what happens meanwhile reaches it in one answer: else a busy channel costs a call for each message and
 * member.
 */
export const BETWEEN_ROUNDS = { forEachPoll: 0.25, most: 250 } as const

/** The longest text that goes over a poll's socket, in UTF-16 units; what is longer is fetched in a call instead. */
export const LONGEST_SOCKET_MESSAGE = 1_000_000

/**
 * The characters that the reader of an event stream may have been sent without acknowledging them. Beyond `STREAM_BEHIND` the
 * stream is closed, and the reader comes back with its cursor; while it catches up, it waits for an acknowledgement from
 * `STREAM_CATCHING_UP` on.
 */
export const STREAM_BEHIND = 1_000_000
export const STREAM_CATCHING_UP = 200_000

/**
 * The ids of the log by which a stream's cursor may lie behind what was looked at for it. Then it gets a heartbeat, so that the
 * client's cursor moves on: the log is kept from there, and is looked at again from there when the object wakes.
 */
export const STREAM_CURSOR_LAG = 1_000

/** Limits of what clients of event streams may send: characters of a message, and messages of one account in so many seconds. */
export const STREAM_MESSAGES = { characters: 100, count: 1_200, seconds: 60 } as const

/**
 * A stream whose client has acknowledged nothing for so many seconds gets a heartbeat, whether or not anything has happened: its queue,
 * for which nothing comes, must not keep the log. `atOnce`: so many streams in one turn.
 */
export const STREAM_QUIET = { seconds: 86_400, atOnce: 1_000 } as const

/** The seconds after which a stream from which nothing has come has no reader any more. Clients send a ping each minute. */
export const STREAM_SILENCE = 600

/**
 * The rows that all who read without an account may make an organization's object read together: so many a minute, and as many
 * at once after a rest. Less than a twentieth of its time. A call counts as some rows at least.
 */
export const ROWS_FOR_SPECTATORS = { aMinute: 2_000_000, ofACall: 1_000 } as const

/**
 * The newest events that the object keeps parsed, so that a thousand polls that wake read them once. In characters of JSON; each
 * takes 2 to 4 bytes in memory.
 */
export const EVENTS_KEPT = { events: 512, characters: 4_000_000 } as const

/** The characters of events as clients get them that are kept, which are made once for all who get the same. */
export const FORMS_KEPT = 4_000_000

/**
 * The work of one turn that wakes polls; the others wait for the next. A poll that is answered takes some 60 µs, an event that is
 * looked at for it 1 µs, a character that is read from the log or sent a few ns.
 */
export const DELIVERY_OF_ONE_TURN = { polls: 100, looks: 20_000, characters: 4_000_000 } as const

/**
 * The part that registrations have in common, as characters of JSON (reckoned from a part of each value): the object keeps what
 * was used last. Ten thousand users are 3.5 million as each role sees them, and take three times that in memory.
 */
export const DIRECTORY_KEPT = 12_000_000

/**
 * The bytes of each slot of the object's memory, at the quotas (core/quotas.ts). A slot that is not named here cannot be
 * declared.
 */
export const MEMORY_OF_SLOT = {
  // ALERT_WORDS_IN_MEMORY, and as much again for those that have changed since.
  'alert-words': 4_000_000,
  // One of each account.
  presence: 5_000_000,
  'push-listeners': 5_000_000,
  // One flag.
  'mail-outlet': 100,
  // Two numbers.
  'queue-use': 100,
  // A few lines of the log, by kind.
  missed: 10_000,
} as const

/**
 * Requests that are remembered for rate limits, of all accounts and addresses together, 8 bytes each: those that were not heard of
 * for longest are forgotten first. With the limits that are set at first, 2,500 accounts at their limit.
 */
export const COUNTED_REQUESTS_KEPT = 500_000

/** Accounts and addresses that requests are counted of, some 200 bytes each. */
export const COUNTED_BUCKETS_KEPT = 50_000

/** The characters of the queues, with their options, that are kept as they were read; beyond that all of them are read anew. */
export const QUEUE_OPTIONS_KEPT = 8_000_000

/** The characters of accounts and settings that are kept as they were read; beyond that all of it is read anew. */
export const READS_KEPT = 4_000_000

/** The same of channels and who is in them, and of topics; what is short counts as ENTRY_KEPT. */
export const CHANNELS_KEPT = 1_000_000
export const TOPICS_KEPT = 1_000_000
export const ENTRY_KEPT = 100

/** Queues that one turn of housekeeping looks at. */
export const QUEUES_PER_TURN = 2_000

/**
 * The characters of messages' reactions and submessages in one answer of the object, and one message's more. Later ones are
 * asked for in the next.
 */
export const DETAILS_AT_ONCE = 4_000_000

/**
 * Messages that one commit deletes, whether a topic goes or what is too old: some 10 rows and 20 µs each, with what hangs on
 * them. A topic of 100,000 takes 200 commits.
 */
export const DELETED_IN_ONE_COMMIT = 500

/**
 * The work of one run of the deletion of an organization, some seconds long: lists of files, of up to a thousand keys each, as
 * many as R2 gives and deletes at once; and batches of D1, of up to so many rows. The next run follows at once. A million
 * messages are 2,000 batches.
 */
export const DELETION_OF_ONE_RUN = {
  fileLists: 20,
  filesAtOnce: 1_000,
  batches: 20,
  rowsAtOnce: 1_000,
} as const

/**
 * Messages that the event of one move names. A topic takes another name in one commit, however long it is; listeners hear of so many at a time,
 * so that each event fits into a row (2 MB) and over a socket (1 MiB).
 */
export const MOVED_IN_ONE_EVENT = 50_000

/**
 * Messages that one commit moves where each has to be written: to another channel, among those of another topic, or apart from
 * their own. Some 3 rows and 5 µs each.
 */
export const MOVED_IN_ONE_COMMIT = 1_000

/**
 * Messages that one commit puts a flag on or takes it off, and those that it looks at to find them: 5 µs each. A channel of
 * 100,000 takes 25 commits.
 */
export const FLAGGED_IN_ONE_COMMIT = 4_000

/**
 * Subscriptions that one commit begins or ends, a row or two and 60 µs each (and what is unread for whoever leaves); and that one
 * request asks for, which is everybody of the largest organization once.
 */
export const SUBSCRIPTIONS_IN_ONE_COMMIT = 1_000
export const SUBSCRIPTIONS_OF_ONE_REQUEST = 20_000

/**
 * Channels that somebody comes into or leaves in one commit, some 0.3 ms each; and subscribers of them whose names one gets on coming in, two
 * rows and 2 µs each. The last of the channels may have more.
 */
export const CHANNELS_IN_ONE_COMMIT = 100
export const SUBSCRIBERS_TOLD_IN_ONE_COMMIT = 2_500

/** New channels of one request, which are made in one commit: some 0.2 ms each. */
export const NEW_CHANNELS_OF_ONE_REQUEST = 200

/** Direct messages of one commit that notify people of one change: some 8 rows and 0.4 ms each. */
export const NOTICES_IN_ONE_COMMIT = 100

/** The pause between two commits of one request, in ms, for everybody else's calls. */
export const PAUSE_BETWEEN_COMMITS_MS = 20

/** The ms after which no further commit of a request is started: its client is to ask again. */
export const COMMITS_OF_ONE_REQUEST_MS = 50_000

/** Calls to the object that one request makes at most: the platform allows 1,000 subrequests, D1's and R2's among them. */
export const REALM_CALLS_OF_ONE_REQUEST = 900

/** The bytes of the index of everybody's alert words, of which the quotas allow 50,000 with 500 kB together. */
export const ALERT_WORDS_IN_MEMORY = 2_000_000

/** Entries of the log that go to D1 in one batch. Their writes are parsed together. */
export const D1_BATCH_ENTRIES = 500

/** The part of the log that is parsed at a time for D1, in bytes of the writes as JSON, but for one entry that is longer alone. */
export const D1_BATCH_BYTES = 4_000_000

/** Statements of one batch. D1 allows 1,000 queries an invocation (50 on the free plan), and 30 s for a batch. */
export const D1_BATCH_STATEMENTS = 40

/** Statements that one run of the projection sends; the alarm goes on with the rest, with queries of its own. */
export const D1_RUN_STATEMENTS = 400

/**
 * The log entries of an organization that D1 may lack, and bytes of their writes as JSON: a day of 50,000 messages. The
 * object's memory holds about 200 bytes of each entry. Beyond it whatever writes a body is refused with 503.
 */
export const TAIL_ENTRIES = 50_000
export const TAIL_BYTES = 64_000_000

/** Entries and bytes of the tail after which its index is written down: what a waking object has to parse at most. */
export const TAIL_BLOCK_ENTRIES = 1_000
export const TAIL_BLOCK_BYTES = 4_000_000

/** Messages of the tail that one page of a search looks at, and bytes of their writes. */
export const TAIL_SEARCH_MESSAGES = 500
export const TAIL_SEARCH_BYTES = 4_000_000

/** Bytes of the tail's writes that one turn looks through for messages that a search names: some 20 ms. */
export const TAIL_BYTES_OF_ONE_TURN = 1_000_000

/**
 * The bytes of the object's SQLite, of 10 GB that the platform allows: from here on nothing is taken that makes it grow, so
 * that reading, deleting and administration have room.
 */
export const LARGEST_OBJECT = 9_500_000_000

/**
 * How long a queue that acknowledges nothing keeps the log, in seconds: the fuller the object, the shorter. Else one account that writes
 * much and reads nothing fills it in a day. The client of a queue that has ended registers anew.
 */
export const LOG_KEPT_FOR_QUEUES = [
  { fromBytes: 9_000_000_000, seconds: 300 },
  { fromBytes: 7_000_000_000, seconds: 3_600 },
  { fromBytes: 5_000_000_000, seconds: 86_400 },
  { fromBytes: 0, seconds: 604_800 },
] as const

/** The bytes of D1, of 10 GB that the platform allows: from here on it is said in the log and in the state. */
export const LARGE_D1 = 9_000_000_000

/** Entries that D1 has refused for good and that are kept aside; beyond it the projection waits as in an outage. */
export const REFUSED_ENTRIES = 1_000
/**
 * The bytes that requests of one isolate of the Worker hold at a time in large things, that is bodies of requests, parts of
 * files, and answers. An isolate has 128 MiB: beside these and one picture that is decoded, it needs some for itself.
 */
export const WORKER_SHARES = 32 * 1024 * 1024

/**
 * The part of what organizations share in an isolate that one of them may have while others could use it: a busy one leaves
 * room for those that are quiet.
 */
export const PART_OF_ONE_ORGANIZATION = 0.75

/** The bytes of the largest picture of another server that is fetched for readers, as at the public server. */
export const EXTERNAL_PICTURE = 10 * 1024 * 1024

/** The bytes, of WORKER_SHARES, of all copies of such pictures that are held until they are whole. Larger ones are not kept. */
export const PICTURE_COPIES = 8 * 1024 * 1024

/**
 * The bytes of other servers' pictures that are fetched for one organization in a day, beside what the edge and browsers keep.
 * A thousand people who each look at twenty new pictures of a megabyte.
 */
export const EXTERNAL_BYTES_A_DAY = 20_000_000_000

/** The bytes that decoding one picture may take. One is decoded at a time; what needs more is not decoded. */
export const DECODED_PICTURE = 80_000_000

/** The bytes of a part of a large file on its way to R2, which wants at least 5 MiB, all of one size. */
export const PART_OF_FILE = 5 * 1024 * 1024

/** The bytes of a piece of an upload that can be resumed, the most that is sent twice. */
export const PIECE_OF_UPLOAD = 8 * 1024 * 1024

/** The requests that wait for a share: so many, so many of one organization, for so long. Further ones are asked to come again. */
export const WAITING_FOR_SHARES = { requests: 200, ofOne: 150, milliseconds: 8_000 } as const

/** A request below this size takes no share: beside the shares there is memory for some hundreds of such requests. */
export const SMALLEST_SHARE = 256 * 1024

/**
 * The bytes of answers that the object has made and that have not left it, among those that may be large (`largeAnswer`), and
 * how many calls wait to make one. How large an answer gets is known from those before it. Between two of them is a pause.
 */
export const LARGE_ANSWERS = { bytes: 24_000_000, waiting: 200, pauseMs: 3 } as const

/**
 * The part that one answer has of the blocks that the Worker lacks: so many bytes, made of so many rows, and one block more. Some 20 ms;
 * for the rest the Worker asks again. Blocks that are stored are a row each: all of ten thousand people fit.
 */
export const BLOCKS_AT_ONCE = { bytes: 5_000_000, rows: 20_000 } as const

/** An answer of so many blocks has them stored as they were made. A small organization makes them again, which costs hardly more. */
export const BLOCKS_WORTH_STORING = 64

/**
 * The bytes of the largest block that is stored, in a row of 2 MB at most: 128 people with long profiles can take several MB. What is
 * larger is made anew for each Worker that lacks it.
 */
export const LARGEST_STORED_BLOCK = 1_000_000

/** The missing blocks that are sent to anybody who asks; more of them go to one after the other (http/ask-in-blocks.ts). */
export const FEW_BLOCKS = 8

/**
 * Answers in blocks that an isolate of the Worker asks one realm object for at a time, how many requests wait for their turn, and
 * for how long: after a deploy a thousand clients come at once, and each is answered. (With more at a time the local runtime does not come to
 * reading the other requests, and ends those that wait for it for 15 seconds.)
 */
export const ANSWERS_IN_BLOCKS = { atOnce: 4, waiting: 2_000, milliseconds: 60_000 } as const

/** The bytes of the blocks that an isolate of the Worker keeps, of all organizations; those used last. */
export const BLOCKS_KEPT = 24 * 1024 * 1024

/** The size reckoned for an answer in blocks while none has been seen: its content beside the blocks. */
export const UNKNOWN_ANSWER_IN_BLOCKS = 100_000

/** The size reckoned for an answer that fills a Worker with blocks, while none has been seen. */
export const UNKNOWN_ANSWER_WITH_BLOCKS = 1_000_000

/** The size reckoned for a large answer while none has been seen: some 10,000 users. */
export const UNKNOWN_ANSWER = 4_000_000

/** The bytes that a message of a page of GET /messages takes in the Worker until it has been sent, without its body. */
export const MESSAGE_OF_A_PAGE = 2_000

/** The rows that somebody who reads may make the realm object look at. Tests make these smaller (`runtime.walks`). */
export interface WalkBudgets {
  /** Rows of SQLite in one turn of a long walk: some 20 ms at the worst. */
  readonly rowsATurn: number
  /**
   * Rows that a request may read in the turn of its answer before it waits in the lane of long walks: what nearly
   * every request needs is a tenth of it.
   */
  readonly rowsAtOnce: number
  /** Rows of all turns of one request: each message of an organization of a million, twice. */
  readonly rowsARequest: number
  /** Queries of the search index in D1 for one request; the platform allows 1,000 calls to other services. */
  readonly searchesARequest: number
}

export const WALK_BUDGETS: WalkBudgets = {
  rowsATurn: 4_000,
  rowsAtOnce: 4_000,
  rowsARequest: 2_000_000,
  searchesARequest: 200,
}

/** Long walks of one account that may wait for their next turn. */
export const WALKS_OF_ONE_USER = 8
/** The walks that wait, of all accounts of an organization together. */
export const WALKS_WAITING = 200
/** Milliseconds for everybody else between two turns of long walks. */
export const PAUSE_BETWEEN_WALKS_MS = 10
