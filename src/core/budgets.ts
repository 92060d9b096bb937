/**
 * The budgets: how much work, time and memory one turn of the object, one answer, one batch and one isolate may take
 * (docs/decisions/design.md#everything-has-a-limit). Each says who feels it, and a test counts them. Work beyond a budget waits, or
 * continues in the next turn, commit or answer. Limits that users see in the API are not here: they stand next to their feature, or in
 * `quotas.ts`.
 *
 * The platform's own limits: 128 MiB of memory for an isolate, 32 MiB for one RPC, 2 MB for a row or a value.
 */

// Sizes of the parts that most work is divided into.

/**
 * Rows that a turn's meter allows it to read (engine/readings.ts), or that a commit deletes, inspects or notifies of in addition to what it
 * changes: 2 to 7 µs each.
 * Felt by everyone else in the organization, who waits for the turn.
 */
export const ROWS_OF_SLICE = 4_000

/**
 * Rows that a loop reads at a time: messages, people, or the log, and so the entries of one batch for D1.
 * Felt by everyone else in the organization, who waits while they are read.
 */
export const PAGE_OF_ROWS = 500

/**
 * Small items in one turn, some 10 to 25 µs each: flags and memberships that a commit writes, D1 writes that are parsed, ids in an
 * audience, queues that housekeeping checks.
 * Felt by everyone else in the organization, who waits for the turn.
 */
export const ENTRIES_AT_ONCE = 1_000

/**
 * Items that one commit changes together with everything that belongs to them, up to 100 µs each: messages that it moves or deletes,
 * subscriptions, settings, reminders, events about an account. A batch for D1 has at most this many deletions: a merge of its search index
 * handles them together, and D1 answers nothing meanwhile.
 * Felt by everyone else in the organization, who waits for the turn.
 */
export const CHANGES_OF_COMMIT = 250

/**
 * Items that each make a commit send a message or scan a channel, some 1 ms each: notices, channels that a user joins, people who
 * leave, roles of bots.
 * Felt by everyone else in the organization, who waits for the turn.
 */
export const LARGE_CHANGES_OF_COMMIT = 25

/**
 * Characters or bytes of JSON that one turn reads, writes or prepares for D1, some 10 to 20 ms; and the longest message over a socket.
 * Felt by everyone else in the organization, who waits for the turn.
 */
export const TEXT_OF_SLICE = 1_000_000

/**
 * Bytes or characters that one piece of work holds at once, plus one item: message bodies, reactions, events in their client forms, a block
 * of the tail, the sections of one answer.
 * Felt by the isolate, which would run out of memory.
 */
export const BYTES_AT_ONCE = 4_000_000

/**
 * Bytes of an answer that crosses from the object to the Worker in one RPC.
 * Felt by people who register in the largest organizations: beyond it the platform aborts the call.
 */
export const MAX_CROSSING = 33_000_000

// Time.

/**
 * Milliseconds between two turns of long work, or parts of a long page; and between two commits of a long change.
 * Felt by everyone else in the organization, whose calls are served in between, and by the caller, who waits for the end.
 */
export const PAUSES = { turn: 10, commit: 20 } as const

/**
 * Milliseconds after which a request starts no further commit, and a job makes the rest.
 * Felt by the caller: clients give up after a minute.
 */
export const COMMITS_OF_ONE_REQUEST_MS = 50_000

// Turns and answers of the object.

/**
 * Limits of a turn that several commands share: their number, the rows that they have read and written, and the characters of their calls,
 * before the next command waits for another turn. A send takes a quarter of a millisecond and some ten rows, but 10,000 characters of
 * markup take 15 ms. When more than `waiting` characters of calls are waiting, at up to four bytes each, each command has a turn of its
 * own. `gathering`: the first command of a turn waits for others for up to `milliseconds` if at least `commands` shared the last turn.
 * Felt by people who send while many others do: turns that are not shared take twice the processor time.
 */
export const SHARED_SLICE = {
  commands: 16,
  rows: 1_000,
  characters: 16_000,
  waiting: 2_000_000,
  gathering: { commands: 2, milliseconds: 10 },
} as const

/**
 * Limits of a turn that wakes polls or streams, whichever is reached first, in addition to TEXT_OF_SLICE read from the log and BYTES_AT_ONCE sent.
 * Answering a poll takes some 60 µs, sending a frame to a stream 30, and checking an event for it 1.
 * Felt by people who send while thousands listen.
 */
export const DELIVERY_OF_ONE_SLICE = { polls: 100, streams: 250, looks: 20_000 } as const

/**
 * Milliseconds between the starts of two rounds of deliveries, if the first delivered anything: at least `min`, which nobody notices, and
 * more with the number of polls and streams that got something, up to `max`. Events in between reach each client in one answer; without a
 * pause a busy channel costs a request for each message and member. A returning poll costs some 0.3 ms: after a shorter pause many would
 * still be returning, and take most of the time that others need.
 * Felt by people who wait for a message in a busy channel, and by the operator, who pays for requests.
 */
export const BETWEEN_ROUNDS = { min: 50, forEachPoll: 1, forEachStream: 0.05, max: 250 } as const

/**
 * Events that a queue reads from the log at a time and gets in one answer: their number, and characters of JSON (plus one event, of up to 2
 * MB). The client's next poll gets the rest.
 * Felt by everyone else in the organization, while a client catches up with hundreds of thousands of events.
 */
export const EVENTS_AT_ONCE = { entries: 1_000, characters: 500_000 } as const

/**
 * Work of one commit to emit events to users who can see more, or fewer, channels and people because of it. `rows`: read to find whom the
 * guests can see, or who can see which private channels through groups. `receivers`: of all these events, counted for each event.
 * Felt by these users: beyond it their queues end, and their clients register again.
 */
export const SEEN_ANEW_IN_EVENTS = { rows: 60_000, receivers: 200_000 } as const

// Memory of the object.

/**
 * Polls that are held as calls at once, and the characters of their options; further polls sleep on sockets. `busyMs`: a queue's next poll
 * within this time after an answer is held as a call, which is cheap, but keeps the object awake.
 * Felt by the operator, who pays for an object that is awake, and by the isolate.
 */
export const HELD_CALLS = { count: 2_000, characters: 8_000_000, busyMs: 5_000 } as const

/**
 * The newest messages, without their texts: most pages and unread messages are among them. Ids are read in blocks; a message takes 120
 * bytes, and up to `bytesOfOne` if its topic is spelled differently. These are more than the 50,000 that a snapshot lists.
 * Felt by people who read or register, and by the isolate, for which they are 16 MB.
 */
export const RECENT_MESSAGES = { ids: 512, blocks: 128, bytesOfOne: 240 } as const

/**
 * Bytes of the values that the engine keeps (engine/value-cache.ts). For ten thousand people in a thousand channels, a third of it is what
 * registrations have in common.
 * Felt by everyone, who waits while dropped values are read again, and by the isolate.
 */
export const VALUES_KEPT = 24 * 1024 * 1024

/**
 * The bytes of each slot of the object's memory when the quotas (core/quotas.ts) are reached. A slot that is not listed here cannot be
 * declared.
 * Felt by the isolate.
 */
export const MEMORY_OF_SLOT = {
  // One value per account.
  presence: 5_000_000,
  // One flag.
  'mail-outlet': 100,
  'log-ends': 100,
  // Five numbers.
  'queue-use': 100,
  // A few lines of the log, by kind.
  missed: 10_000,
  // One name.
  'text-epoch': 100,
  // One number.
  'cost-cap': 100,
} as const

/**
 * Requests that are remembered for rate limits, of all accounts and addresses together, 8 bytes each; and the accounts and addresses
 * themselves, some 200 bytes each. The least recently active are dropped first. With the default limits, 2,500 accounts can be at their
 * limit.
 * Felt by the isolate.
 */
export const COUNTED_KEPT = { requests: 500_000, callers: 50_000 } as const

/**
 * Log entries of an organization that D1 may lack, and bytes of their writes as JSON: a day of 50,000 messages. The object's memory holds
 * about 200 bytes for each entry.
 * Felt by people who write while D1 cannot be reached: beyond it every request that writes a body gets 503.
 */
export const TAIL = { entries: 50_000, bytes: 64_000_000 } as const

/**
 * Bytes of large answers (`largeAnswer`) that the object has made and not yet sent, and calls that wait to make one. An answer's expected
 * size comes from earlier ones.
 * Felt by the isolate, and by people who register when a thousand do.
 */
export const LARGE_ANSWERS = { bytes: 24_000_000, waiting: 200 } as const

/**
 * Statements in one batch for D1, which allows 1,000 queries per invocation (50 on the free plan) and 30 s per batch; statements in one run
 * of the projection, after which the alarm continues with queries of its own; and milliseconds after which an unanswered call counts as
 * failed.
 * Felt by the operator, whose log would lag behind, and by everyone who waits for D1, which a call that never ends would block.
 */
export const D1_CALLS = { statementsOfBatch: 40, statementsOfRun: 400, answerMs: 35_000 } as const

// Isolates of the Worker, which serve many organizations.

/**
 * How an isolate's memory is divided, apart from some 20 MiB for the program: `shares` for request bodies, parts of files and answers,
 * including at most `copies` for pictures from other servers; `picture` for decoding one, in addition to its file; and the most recently used
 * `sections` of snapshots and `texts` of messages, of all organizations.
 * Felt by the isolate, which would run out of its 128 MiB.
 */
export const ISOLATE = {
  shares: 32 * 1024 * 1024,
  copies: 8 * 1024 * 1024,
  picture: 32 * 1024 * 1024,
  sections: 24 * 1024 * 1024,
  texts: 8 * 1024 * 1024,
} as const

/**
 * The fractions of the shares for one organization while others could use them, for one account, for all bodies that are still arriving,
 * and for those whose senders no organization has accepted yet. Clients decide how long that memory is needed, so slow ones must leave room
 * for answers, for other accounts, and for known callers. The first share of an account, and the first body, may be larger: otherwise
 * several could wait for one another.
 * Felt by people in quiet organizations while another is busy, and by everyone while clients are slow.
 */
export const PARTS_OF_SHARES = { organization: 0.75, account: 0.25, arriving: 0.5, strangers: 0.125 } as const

/**
 * Bytes below which a body or an answer takes no share: most are smaller, and there is memory besides the shares for some hundreds of them.
 * Felt by the isolate.
 */
export const FREE_OF_SHARE = { body: 16 * 1024, answer: 256 * 1024 } as const

/**
 * Bytes of memory for a body that is shortened instead of held (core/json.ts): the short one as it grows, as text, and parsed.
 * Felt by the isolate, which would run out of memory.
 */
export const LARGE_BODY = 6 * 1024 * 1024

/**
 * Requests that wait for a share: in total, of one organization, of one account or of all unknown callers; and for how long.
 * Felt by the caller: further requests are asked to retry.
 */
export const WAITING_FOR_SHARES = { requests: 200, ofOne: 150, ofAccount: 50, milliseconds: 8_000 } as const

/**
 * Pieces of long work that wait at an isolate's gate (core/fair-scheduler.ts), in total and of one account or network; and the number of one
 * account's long changes and readers that keep much. Work that has begun is never refused.
 * Felt by people who log in: a login behind 300 password hashes waits for 40 seconds.
 */
export const WORK_WAITING = { waiting: 300, ofOne: 200, suspendedOfOne: 8 } as const

/**
 * Answers in sections that a Worker isolate requests from one realm object at a time, and how many requests wait, and for how long: after a
 * deploy a thousand clients come at once, and each is answered. (With more at a time the local runtime starves other requests, and aborts
 * those that wait for 15 seconds.)
 * Felt by people whose clients come back after a deploy.
 */
export const ANSWERS_IN_SECTIONS = {
  atOnce: 4,
  waiting: 2_000,
  // After a deploy no account is known, and all of them may be behind one address.
  ofOne: 2_000,
  milliseconds: 60_000,
  turn: 60_000,
  // Each holds its caller's own part, up to some 100 kB, until it has been sent.
  answered: 40,
  answer: 2_000,
} as const
