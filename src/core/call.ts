import type { CallService } from './call-services.ts'
import type { CostCaps } from './cost-cap.ts'
import type { WireError } from './errors.ts'
import { fromJson, type JsonText, jsonText } from './json.ts'
import type { BodyRanges, MessageBody } from './message-bodies.ts'
import type { MetLimit } from './met-limit.ts'
import type { Counts } from './metrics.ts'
import type { LoweredQuotas } from './quotas.ts'
import { DEFAULT_RATE_LIMITS, type RateLimits } from './rate-limits.ts'
import type { RefusalLanguage } from './refusal-text.ts'
import type { AnswerInSections } from './sections.ts'
import type { RowCounts } from './sql.ts'

/**
 * The version of what crosses between the Worker and the realm objects: calls, steps, polls and answers. Raise it with every change that
 * the previous build would misread; a new operation needs no new version. During a deploy the two may be of different builds: a call of
 * another version gets 503 with Retry-After before anything is read.
 */
export const INTERFACE_VERSION = 3

/** The caller's credentials, as far as the Worker can read them from the request alone. */
export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'basic'; readonly email: string; readonly apiKey: string }
  /** A bot's key alone, as a query parameter. */
  | { readonly kind: 'bot key'; readonly apiKey: string }
  /** A logged-in browser: SHA-256 of its token, in hexadecimal. */
  | { readonly kind: 'session'; readonly digest: string }
  /** An identity provider: SHA-256 of its token, in hexadecimal. */
  | { readonly kind: 'scim'; readonly digest: string }
  /**
   * The local-development Worker vouches for the user, or a job that continues the user's change (realm/jobs/finish-change.ts). The Worker of
   * a deployment never builds it.
   */
  | { readonly kind: 'trusted'; readonly userId: number }

/** The error code for an invalid key in a parameter. */
export const INVALID_KEY = 'INVALID_API_KEY'

/** One request as it crosses to the realm object: one RPC each (docs/decisions/design.md#one-commit-a-change). */
export interface RealmCall {
  readonly operation: string
  readonly credentials: Credentials
  /** The validated values, or the first parameter error, which is thrown after authentication and the role check. */
  readonly parameters:
    | { readonly ok: true; readonly value: unknown }
    | { readonly ok: false; readonly error: WireError }
  readonly source: RequestSource
  /** Host name of the intended organization, as in D1; the object checks that it is that organization. */
  readonly host: string
  /**
   * Whether to make every check and change nothing but what follows from a refusal: before expensive work that only entitled callers may cause.
   */
  readonly rehearse?: boolean
  /** Whether the rate limit has already counted this request, which may be rehearsed, finished or resumed in several calls. */
  readonly counted?: boolean
  /** What the Worker has counted for the organization since its last call. */
  readonly usage?: Readonly<Counts>
  /** The limit of the platform that the Worker has met since then. */
  readonly limit?: MetLimit
  /** The versions of the sections that the Worker holds, for an operation that `answersInSections`. If absent, all sections are sent. */
  readonly held?: Float64Array
}

/** Facts about the request that rules use. */
export interface RequestSource {
  /** `https://chat.example.com`, with the port if there is one. */
  readonly origin: string
  readonly userAgent: string
  /** The feature level that the client declares, which selects the form of its answers (core/representations-by-level.ts). */
  readonly level?: number
  /** Whether the client asks for the neutral spelling of values (docs/interface/conventions.md#two-spellings). */
  readonly asksForSvc?: true
  /** The client's address, for the limits of unauthenticated requests. */
  readonly ip: string
  /** Present if the request has an `Idempotency-Key`, and so may be repeated. */
  readonly idempotency?: IdempotentRequest
  /** Digest of the token of the browser session that makes the request. */
  readonly session?: string
  /** Digest of the token of the session that the browser has, which a log-in ends. Set by pages only; it proves nothing. */
  readonly formerSession?: string
  /** Id of the file in the request, which is on its way into the store: 32 hexadecimal digits that nobody can guess. */
  readonly fileId?: string
  /** The browser that makes the request, if it was used to log in before. Set by pages only. */
  readonly browser?: KnownBrowser
  /** Whether the local-development Worker serves the request. */
  readonly development?: boolean
  /** Absent if the call does not come from a client; then the deployment counts as unconfigured. */
  readonly deployment?: DeploymentFacts
}

/** A browser that has proved that it was used to log in before (http/request/browser-session.ts). */
export interface KnownBrowser {
  readonly id: string
  /** The account that logged in with it. */
  readonly userId: number
}

/** A request that takes effect once, however often it is repeated. */
export interface IdempotentRequest {
  readonly key: string
  /** Digest of the whole request, except for streamed files. */
  readonly request: string
  /** Digest of the streamed files, once they have been read. */
  readonly files?: string
  /** Seconds within which a request with this key counts as repeated, if less than a day: for messages only. */
  readonly seconds?: number
}

/** The deployment's settings, as far as rules and answers depend on them. */
export interface DeploymentFacts {
  /** The time at which this version was deployed, in UNIX seconds. */
  readonly deployedAt: number
  readonly maxFileUploadMib: number
  /** The quota of all uploads of an organization together, in MiB; null: no limit. */
  readonly uploadQuotaMib: number | null
  readonly importArchiveMib: number
  /** The domain whose mail the Worker receives; null if none. */
  readonly emailDomain: string | null
  readonly hasPushService: boolean
  readonly callServices: readonly CallService[]
  /** Keys with which clients search for GIFs; empty if none. They are meant to be public to clients. */
  readonly gifKeys: { readonly giphy: string; readonly tenor: string }
  /** Whether people log in through Cloudflare Access. */
  readonly hasAccess: boolean
  /** Whether organizations may have channels that can be read without an account. */
  readonly allowsWebPublic: boolean
  readonly rateLimits: Partial<RateLimits>
  readonly quotas: LoweredQuotas
  /** Number of the newest database of bodies that is bound; 0: `DB` alone. */
  readonly newestBodyDatabase: number
  readonly auditLogDays: number
  readonly costCaps: CostCaps
  /** `host:port` pairs that users' webhooks may call although they are not public. */
  readonly callableHosts: readonly string[]
  /** Addresses, in lower case, of this organization's administrators who may create accounts. */
  readonly userCreators: readonly string[]
  /** Addresses of those administrators who may change other people's addresses. */
  readonly emailChangers: readonly string[]
  /** Whether this organization's owners may export everyone's private data. */
  readonly hasFullContentAccess: boolean
  /** Whether backups are made. */
  readonly hasBackups: boolean
  /** Whether what this organization's owners set up opens accounts that people have used. */
  readonly hasAccountAccess: boolean
}

const UNCONFIGURED: DeploymentFacts = {
  maxFileUploadMib: 100,
  uploadQuotaMib: null,
  importArchiveMib: 102_400,
  emailDomain: null,
  hasPushService: false,
  callServices: [],
  gifKeys: { giphy: '', tenor: '' },
  hasAccess: false,
  allowsWebPublic: false,
  rateLimits: {},
  quotas: {},
  auditLogDays: 365,
  costCaps: {},
  newestBodyDatabase: 0,
  callableHosts: [],
  userCreators: [],
  emailChangers: [],
  hasFullContentAccess: false,
  hasAccountAccess: false,
  hasBackups: false,
  deployedAt: 0,
}

export function deploymentOf({ deployment }: Pick<RequestSource, 'deployment'>): DeploymentFacts {
  return deployment ?? UNCONFIGURED
}

export function rateLimitsOf(source: Pick<RequestSource, 'deployment'>): RateLimits {
  return { ...DEFAULT_RATE_LIMITS, ...deploymentOf(source).rateLimits }
}

/** The state of the bucket in which a request was counted. */
export interface RateLimitState {
  readonly limit: number
  readonly remaining: number
  /** UNIX seconds, integer. */
  readonly reset: number
}

export interface RealmAnswer {
  readonly outcome:
    | { readonly ok: true; readonly value: unknown }
    | { readonly ok: false; readonly error: WireError }
  /** Present if work of the Worker that would follow is shed (core/cost-cap.ts). */
  readonly isShed?: true
  /** Present if the request is a repetition and this is its first answer again; nothing was done. */
  readonly repeated?: {
    /** Digest of the files of the first request, if it was known only at the end of the upload. */
    readonly files: string | null
  }
  readonly rateLimit?: RateLimitState
  /** The caller's language for refusals. Absent: English, or nobody is known to have called. */
  readonly language?: RefusalLanguage
  /** Replaces `outcome.value` for an operation whose answer may be large. */
  readonly inSections?: AnswerInSections
  /** Bodies that the answer needs and that D1 may not have yet: as many as fit (BYTES_AT_ONCE). */
  readonly bodies?: readonly MessageBody[]
  /** Ids of further messages whose bodies D1 may not have yet, and which did not fit. */
  readonly unsentBodies?: readonly number[]
  /** The databases that hold the bodies that the answer needs. Absent: all are in `DB`. */
  readonly bodyRanges?: BodyRanges
  /**
   * Names the period in which a version of a message stands for one text (realm/projection/text-epoch.ts). Absent if the answer needs no
   * bodies, or needs them from D1 itself and not from a copy.
   */
  readonly textEpoch?: string
  /** Rows that the statements of this call read and wrote in the realm object, as the platform bills them. */
  readonly rows: RowCounts
  /** Consecutive round trips that the object waited for: far ones to D1 and R2, near ones to copies. */
  readonly farTrips: number
  readonly nearTrips: number
}

/**
 * Calls cross from the Worker to the object and back as JSON texts, which cost a third less than objects. The deployment's facts are a
 * separate text, since nearly all calls have the same: it is written and parsed once.
 */

/** The texts of facts that the Worker has sent: it makes the facts of an organization once. */
const written = new WeakMap<DeploymentFacts, JsonText<DeploymentFacts>>()

let lastRead: { readonly text: string; readonly facts: DeploymentFacts } | undefined

interface CrossingCall {
  readonly text: JsonText<RealmCall> | RealmCall
  readonly facts?: JsonText<DeploymentFacts>
}

/**
 * Prepares a call. A call with `held` crosses as it is, because JSON has no form for typed arrays; so does one whose answer is a page of
 * messages (`asItIs`), which is JSON already and would be quoted again. Their answers cross likewise.
 */
export function crossing(call: RealmCall, asItIs: boolean): CrossingCall {
  if (call.held || asItIs) return { text: call }
  const { deployment, ...source } = call.source
  if (!deployment) return { text: jsonText(call) }
  return { text: jsonText({ ...call, source }), facts: textOf(deployment) }
}

function textOf(facts: DeploymentFacts): JsonText<DeploymentFacts> {
  const known = written.get(facts)
  if (known !== undefined) return known
  const text = jsonText(facts)
  written.set(facts, text)
  return text
}

export function callIn(
  text: JsonText<RealmCall>,
  deployment: JsonText<DeploymentFacts> | undefined,
): RealmCall {
  const call = fromJson(text)
  if (deployment === undefined) return call
  return { ...call, source: { ...call.source, deployment: factsIn(deployment) } }
}

function factsIn(text: JsonText<DeploymentFacts>): DeploymentFacts {
  if (lastRead?.text === text) return lastRead.facts
  lastRead = { text, facts: fromJson(text) }
  return lastRead.facts
}

/** Writes the answer to a call that came as texts. Bytes cross as they are. */
export function replyOf(answer: RealmAnswer): JsonText<RealmAnswer> | RealmAnswer {
  return answer.inSections ? answer : jsonText(answer)
}

export function answerOf(reply: JsonText<RealmAnswer> | RealmAnswer): RealmAnswer {
  return typeof reply === 'string' ? fromJson(reply) : reply
}
