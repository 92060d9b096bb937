/**
 * The budgets: how much work, time and memory one turn of the object, one answer, one batch and one isolate may take
 * (docs/decisions/design.md#everything-has-a-limit). Each says who feels it, and a test counts them. Beyond one, the rest follows in the next
 * turn, commit or answer, or waits. What users see as a limit of the API is not among them: it stands beside its feature, or in `quotas.ts`.
 *
 * The platform's own limits: 128 MiB of memory for an isolate, 32 MiB for one RPC, 2 MB for a row or a value.
 */

// Sizes that most work is cut into.

/**
 * Rows that a turn reads by its meter (engine/readings.ts), or a commit deletes, looks at or notifies of beside what it changes: 2 to 7 µs each.
 * Felt by everybody else of the organization, who waits for the turn.
 */
export const ROWS_OF_TURN = 4_000

/**
 * Rows of one page that a loop reads: of messages, people, the log, and so entries of a batch for D1.
 * Felt by everybody else of the organization, who waits while it is read.
 */
export const PAGE_OF_ROWS = 500

/**
 * Small things of one turn, some 10 to 25 µs each: flags and memberships that a commit writes, writes that are parsed for D1, ids of an
 * audience, queues of housekeeping.
 * Felt by everybody else of the organization, who waits for the turn.
 */
export const ENTRIES_AT_ONCE = 1_000

/**
 * Things that one commit changes with all that belongs to them, up to 100 µs each: messages that it moves or deletes, subscriptions, settings,
 * reminders, events about an account. A merge of D1's search index goes on with so many deletions at once, in which D1 answers nobody.
 * Felt by everybody else of the organization, who waits for the turn.
 */
export const CHANGES_OF_COMMIT = 250

/**
 * Things of which one commit sends a message, or looks through a channel, some 1 ms each: notices, channels that a user joins, people who
 * leave, roles of bots.
 * Felt by everybody else of the organization, who waits for the turn.
 */
export const LARGE_CHANGES_OF_COMMIT = 25

/**
 * Characters or bytes of JSON that one turn reads, writes or prepares for D1, some 10 to 20 ms; and the longest message over a socket.
 * Felt by everybody else of the organization, who waits for the turn.
 */
export const TEXT_OF_TURN = 1_000_000

/**
 * Bytes or characters that one piece of work holds at once, plus one thing: bodies of messages, reactions, events and their forms, a block of
 * the tail, the sections of one answer.
 * Felt by the isolate, which would run out of memory.
 */
export const BYTES_AT_ONCE = 4_000_000

/**
 * Bytes of an answer that crosses from the object to the Worker in one RPC.
 * Felt by whoever registers in the largest organizations: beyond it the platform breaks the call off.
 */
export const MAX_CROSSING = 33_000_000

// Time.

/**
 * Milliseconds between two turns of long work, or parts of a long page; and between two of its commits.
 * Felt by everybody else of the organization, whose calls come in between, and by whoever waits for the end.
 */
export const PAUSES = { turn: 10, commit: 20 } as const

/**
 * Milliseconds after which no further commit of a request is started, and its client is asked to repeat it.
 * Felt by the person who waits: clients give up after a minute.
 */
export const COMMITS_OF_ONE_REQUEST_MS = 50_000

// Turns and answers of the object.

/**
 * Commands that share a turn; the rows that they may have read and written, and the characters that their calls may have, before the
 * next one waits for another turn. A send takes a quarter of a millisecond and some ten rows, but 10,000 characters of markup take 15 ms.
 * Beyond `waiting` characters of calls that wait, which take up to four bytes each, commands have turns of their own. `gathering`: how
 * many must have shared the last turn, and how many milliseconds they may have waited for one another, for the first of the next to wait.
 * Felt by people who send while many do: turns that are not shared take twice the processor.
 */
export const SHARED_TURN = {
  commands: 16,
  rows: 1_000,
  characters: 16_000,
  waiting: 2_000_000,
  gathering: { commands: 2, milliseconds: 10 },
} as const

/**
 * The work of one turn that wakes polls or streams, whatever is reached first, beside TEXT_OF_TURN read from the log and BYTES_AT_ONCE sent.
 * Answering a poll takes some 60 µs, sending a frame to a stream 30, and checking an event for it 1.
 * Felt by people who send while thousands listen.
 */
export const DELIVERY_OF_ONE_TURN = { polls: 100, streams: 250, looks: 20_000 } as const

/**
 * Milliseconds between the beginning of one round of deliveries and the next, if the first delivered anything: at least `min`, which
 * nobody notices, and more with the number of polls and streams that got something, up to `max`. What happens meanwhile reaches
 * each client in one answer; without a pause a busy channel costs a request for each message and member. A poll that
 * comes back costs some 0.3 ms: after a shorter pause many would not be back, and take most of the time that others need.
 * Felt by whoever waits for a message in a busy channel, and by the owner, who pays for requests.
 */
export const BETWEEN_ROUNDS = { min: 50, forEachPoll: 1, forEachStream: 0.05, max: 250 } as const

/**
 * Events that a queue reads from the log at a time, and gets in one answer: their number, and characters of JSON (plus one event, of up to
 * 2 MB). The client's next poll gets the rest.
 * Felt by everybody else of the organization, while someone catches up with hundreds of thousands.
 */
export const EVENTS_AT_ONCE = { entries: 1_000, characters: 500_000 } as const

/**
 * What one commit looks at to emit events to those who see more, or fewer, channels and people by it. `rows`: read to find the people whom
 * guests see, for all guests, or who sees which private channels by groups; `receivers` of the events, counted for each event.
 * Felt by those concerned: beyond it their queues end, and their clients register again.
 */
export const SEEN_ANEW_IN_EVENTS = { rows: 60_000, receivers: 200_000 } as const

// Memory of the object.

/**
 * Polls that are held as calls at once, and characters of their options; further ones sleep on sockets. And milliseconds after an answer within
 * which the queue's next poll is held so: that is cheap, but keeps the object awake.
 * Felt by the owner, who pays for an object that is awake, and by the isolate.
 */
export const HELD_CALLS = { count: 2_000, characters: 8_000_000, busyMs: 5_000 } as const

/**
 * The newest messages, without their texts, which most pages and unread messages are among: blocks of ids that are read together,
 * and bytes that one takes at most: 120, and more with a spelling of its topic of its own. That is more than the 50,000 that a
 * snapshot lists.
 * Felt by people who read or register, and by the isolate, for which they are 16 MB.
 */
export const RECENT_MESSAGES = { ids: 512, blocks: 128, bytesOfOne: 240 } as const

/**
 * Bytes of the values that the engine keeps (engine/value-cache.ts): what registrations have in common is a third of it for ten thousand people in
 * a thousand channels.
 * Felt by everybody, who waits while what was dropped is read again, and by the isolate.
 */
export const VALUES_KEPT = 24 * 1024 * 1024

/**
 * The bytes of each slot of the object's memory, at the quotas (core/quotas.ts). A slot that is not named here cannot be declared.
 * Felt by the isolate.
 */
export const MEMORY_OF_SLOT = {
  // A value of each account.
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
} as const

/**
 * Requests that are remembered for rate limits, of all accounts and addresses together, 8 bytes each, and accounts and addresses whose requests
 * are counted, some 200 bytes each; those that were silent longest are forgotten first. With the default limits, 2,500 accounts may be at
 * their limit.
 * Felt by the isolate.
 */
export const COUNTED_KEPT = { requests: 500_000, callers: 50_000 } as const

/**
 * Log entries of an organization that D1 may lack, and bytes of their writes as JSON: a day of 50,000 messages. The object's memory holds about
 * 200 bytes for each entry.
 * Felt by whoever writes while D1 cannot be reached: beyond it everything that writes a body is refused with 503.
 */
export const TAIL = { entries: 50_000, bytes: 64_000_000 } as const

/**
 * Bytes of large answers (`largeAnswer`) that the object has made and not yet sent, and calls that wait to make one. The expected size of an
 * answer comes from those before it.
 * Felt by the isolate, and by whoever registers when a thousand do.
 */
export const LARGE_ANSWERS = { bytes: 24_000_000, waiting: 200 } as const

/**
 * Statements of one batch for D1, which allows 1,000 queries an invocation (50 on the free plan) and 30 s for a batch; those of one run of the
 * projection, after which the alarm goes on, with queries of its own; and milliseconds after which a call that is not answered counts as failed.
 * Felt by the owner, whose log would lag behind, and by everybody who waits for D1, which a call that never ends would hold up.
 */
export const D1_CALLS = { statementsOfBatch: 40, statementsOfRun: 400, answerMs: 35_000 } as const

// Isolates of the Worker, which serve many organizations.

/**
 * How an isolate is divided, beside some 20 MiB of the program: `shares` for bodies of requests, parts of files and answers, and of these
 * `copies` of other servers' pictures; `picture` beside the file of the one that is decoded; `sections` of snapshots and `texts` of messages
 * that are kept, the last used of all organizations.
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
 * The fractions of the shares that one organization may have while others could use them; one account; all bodies which are still arriving;
 * and those of them whose senders no organization has accepted yet. How long that memory is needed depends on clients, so slow ones leave room
 * for answers, for other accounts, and for callers who are known. The first of an account, and of all bodies, may have more: otherwise several could
 * wait for one another.
 * Felt by people of quiet organizations beside a busy one, and by everybody beside slow clients.
 */
export const PARTS_OF_SHARES = { organization: 0.75, account: 0.25, arriving: 0.5, strangers: 0.125 } as const

/**
 * Bytes below which a body, and an answer, take no share: most are smaller, and beside the shares there is memory for some hundreds of them.
 * Felt by the isolate.
 */
export const FREE_OF_SHARE = { body: 16 * 1024, answer: 256 * 1024 } as const

/**
 * Bytes of memory for a body that is not held as a whole (core/json.ts): the short one as it grows, as a text, and as it was parsed.
 * Felt by the isolate, which would run out of memory.
 */
export const LARGE_BODY = 6 * 1024 * 1024

/**
 * Requests that wait for a share: in all, of one organization, of one account or all callers who are not known, and for how long.
 * Felt by the person who waits: further requests are asked to come again.
 */
export const WAITING_FOR_SHARES = { requests: 200, ofOne: 150, ofAccount: 50, milliseconds: 8_000 } as const

/**
 * Pieces of long work of an isolate that wait at the gate (core/work-gate.ts), in all and of one account or network; and readers that keep
 * much and long changes of one account that go on in turns. Work that has begun is not counted among those that may be refused.
 * Felt by whoever logs in: with 300 hashes before it, one waits for 40 seconds.
 */
export const WORK_WAITING = { waiting: 300, ofOne: 200, suspendedOfOne: 8 } as const

/**
 * Answers in sections that an isolate of the Worker asks one realm object for at a time, requests that wait for their turn, and for how long:
 * after a deploy a thousand clients come at once, and each is answered. (With more at a time the local runtime does not get to the other
 * requests, and ends those that wait for 15 seconds.)
 * Felt by people whose clients come back after a deploy.
 */
export const ANSWERS_IN_SECTIONS = {
  atOnce: 4,
  waiting: 2_000,
  // After a deploy no account is known, and all of them may be behind one address.
  ofOne: 2_000,
  milliseconds: 60_000,
  turn: 60_000,
  // Each holds what its caller alone gets, up to some 100 kB, until it has been sent.
  answered: 40,
  answer: 2_000,
} as const
