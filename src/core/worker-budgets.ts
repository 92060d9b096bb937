/**
 * The budgets of one isolate of the Worker, which serves many organizations; core/budgets.ts has those of a realm object. A test adds up
 * what may be held at once.
 */

/**
 * Bytes that requests of one isolate of the Worker hold at a time in large things: bodies of requests, parts
 * of files, and answers. An isolate has 128 MiB, of which the program takes some 20; the rest is for these, one decoded picture
 * (DECODED_PICTURE), and what is kept (SECTIONS_KEPT, TEXTS_KEPT).
 */
export const WORKER_SHARES = 32 * 1024 * 1024

/**
 * The fraction that one organization may have of what organizations share in an isolate, while others could
 * use it: a busy organization leaves room for quiet ones.
 */
export const PART_OF_ONE_ORGANIZATION = 0.75

/**
 * The fractions of WORKER_SHARES beside it: that one account may have, that all bodies which are still arriving may have together, and
 * that those of them may have whose senders no organization has accepted yet. How long the memory is needed depends on clients there, so
 * slow ones leave room for answers, for other accounts, and for callers who are known. The first of an account, and of all bodies, may
 * have more: otherwise several could wait for one another.
 */
export const PARTS_OF_SHARES = { account: 0.25, arriving: 0.5, strangers: 0.125 } as const

/** A body takes no share while it has brought fewer bytes than this. Most are smaller. */
export const FREE_OF_SHARE = 16 * 1024

/**
 * The slowest that a body may be: it has to bring `bytes` in each `milliseconds`, or one byte while it takes no share. Beside a network
 * that lets less through, nobody could use the program.
 */
export const SLOWEST_BODY = { milliseconds: 5_000, bytes: 1_024 } as const

/** Milliseconds for which a large answer waits for its reader to take more of it; then it breaks off. */
export const SLOWEST_READER_MS = 60_000

/** Limit of a picture of another server that is fetched for readers, in bytes, as at the public server. */
export const MAX_EXTERNAL_PICTURE = 10 * 1024 * 1024

/**
 * Bytes, of WORKER_SHARES, of all copies of such pictures that are held until they are complete. Larger
 * pictures are not kept.
 */
export const PICTURE_COPIES = 8 * 1024 * 1024

/**
 * Bytes of memory that decoding one picture may take beside its file. One is decoded at a time; a picture that needs more is
 * not decoded. Thumbnails of phones' photographs take up to 14 MB.
 */
export const DECODED_PICTURE = 32 * 1024 * 1024

/** The bytes of a part of a large file on its way to R2, which wants at least 5 MiB, all of one size. */
export const PART_OF_FILE = 5 * 1024 * 1024

/** Bytes of a chunk of a resumable upload, which is the limit of what is sent twice. */
export const CHUNK_OF_UPLOAD = 8 * 1024 * 1024

/**
 * Requests that wait for a share: in all, of one organization, of one account or all callers who are not known, and for how long.
 * Further requests are asked to come again.
 */
export const WAITING_FOR_SHARES = { requests: 200, ofOne: 150, ofAccount: 50, milliseconds: 8_000 } as const

/**
 * Pieces of long work of an isolate that wait at the gate (core/work-gate.ts), in all and of one account or network. Hashing takes the
 * longest: with 300 before it, somebody waits for 40 seconds. Work that has begun is not counted among those that may be refused.
 */
export const WORK_WAITING = { waiting: 300, ofOne: 200 } as const

/**
 * Walks, searches and long changes of one account that go on in turns: each may keep where it is in tens of thousands of channels,
 * conversations or messages.
 */
export const SUSPENDED_OF_ONE = 8

/** Milliseconds that hashing a password takes, roughly (endpoints/users/password-cost.ts). */
export const HASHING_MS = 130

/** Milliseconds that a piece of other long work takes, roughly: what it is made of has a limit for that. */
export const PART_OF_WORK_MS = 10

/** An answer below this size takes no share: beside the shares there is memory for some hundreds of such requests. */
export const MIN_SHARE = 256 * 1024

/**
 * Answers in sections that an isolate of the Worker asks one realm object for at a time, requests that wait for
 * their turn, and for how long: after a deploy a thousand clients come at once, and each is answered. (With
 * more at a time the local runtime does not get to the other requests, and ends those that wait for 15
 * seconds.)
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

/** Bytes of sections, of all organizations, that an isolate of the Worker keeps; those used last stay. */
export const SECTIONS_KEPT = 24 * 1024 * 1024

/**
 * Texts of messages, of all organizations, that an isolate of the Worker keeps: bytes, and milliseconds after which none is used or
 * left, since deleted texts have to go. A text takes `besides` bytes more than its characters.
 */
export const TEXTS_KEPT = { bytes: 8 * 1024 * 1024, milliseconds: 3_600_000, besides: 400 } as const

/** Bytes expected of an answer in sections before the first has been seen: its content beside them. */
export const UNKNOWN_ANSWER_IN_SECTIONS = 100_000

/** Bytes expected of an answer that fills a Worker with sections, before the first has been seen. */
export const UNKNOWN_ANSWER_WITH_SECTIONS = 1_000_000

/**
 * Bytes that a message of a page of GET /messages takes in the Worker until it has been sent, without its
 * body.
 */
export const MESSAGE_OF_A_PAGE = 2_000
