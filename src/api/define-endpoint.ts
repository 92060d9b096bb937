import * as v from 'valibot'
import type { ArrivedBody } from '../core/arrived-body.ts'
import type { DeploymentFacts, RealmCall, RequestSource } from '../core/call.ts'
import type { AnyCommand, Command, ReadCommand } from '../core/command.ts'
import type { ShedStep } from '../core/cost-cap.ts'
import type { ApiError } from '../core/errors.ts'
import type { RealmReads } from '../core/realm-transaction.ts'
import type { Caller } from '../model/caller.ts'
import type { Access } from '../rules/access.ts'
import type { AuditRule, NoAudit } from './audit-rules.ts'
import type { WorkerContext } from './worker-context.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
export type ParameterSchemas = Record<string, v.GenericSchema<unknown, unknown>>
type NoParameters = Record<never, never>
type OptionalNames<Schemas extends ParameterSchemas> = {
  [Name in keyof Schemas]: undefined extends v.InferOutput<Schemas[Name]> ? Name : never
}[keyof Schemas]
export type ParametersOf<Schemas extends ParameterSchemas> = {
  [Name in Exclude<keyof Schemas, OptionalNames<Schemas>>]: v.InferOutput<Schemas[Name]>
} & { [Name in OptionalNames<Schemas>]?: v.InferOutput<Schemas[Name]> }

/** The caller for whom a command acts: unknown if the endpoint is open to anyone. */
type ContextOf<A extends Access> = A extends 'anyone' | 'spectator' | 'provisioning'
  ? { readonly source: RequestSource }
  : Caller

/** How an operation of the tus protocol (1.0.0, resumable uploads) differs from the API's form. http/files/tus.ts has what they share. */
export interface TusForm<Result = unknown> {
  /** Parameters in headers: `upload_length` in `Upload-Length`. All others are in the path. */
  readonly headers: readonly string[]
  /** Whether the body is a chunk of a file: always, or depending on its type. It is then the only one of `files`. */
  readonly chunk?: 'required' | 'optional'
  /** Success statuses, each with its meaning, and whether it has a body (`returns`). */
  readonly answers: Readonly<Record<number, { readonly description: string; readonly hasBody: boolean }>>
  /** Headers that an answer may have. */
  readonly answerHeaders: readonly string[]
  /** Limit in MiB of an upload that begins here. */
  maxMib?(deployment: DeploymentFacts): number
  answer(result: Result): TusAnswer
}

interface TusAnswer {
  /** HTTP status: one of `answers`, or 408 or 499 if the body ended too early. */
  readonly status: number
  /** Values of `answerHeaders`; null ones are left out. */
  readonly headers: Readonly<Record<string, string | number | null>>
  /** The body, as `returns` declares it. */
  readonly body?: object
}

/** Stores a request's file at `worker.fileId`. */
export interface Storing<Params = unknown, Raw = unknown, Stored = unknown> {
  /**
   * Stores the file. `raw`: the realm's answer; undefined if the file is stored before it arrives. Returns undefined if nothing was stored.
   */
  keep(params: Params, worker: WorkerContext, raw?: Raw): Promise<Stored>
  /** Removes what `keep` has stored, if anything. */
  discard(worker: WorkerContext): Promise<void>
}

/** Reads a body of any kind, before the realm is called. */
export interface BodyReading<Params = unknown> {
  /** Limit of the body, in MiB. */
  readonly maxMib: number
  /**
   * Returns the parameters together with the body's content. Parameters may be in the query or in a form; form fields that the endpoint
   * does not declare belong to the body, and are not reported as ignored.
   */
  read(params: Params, body: ArrivedBody): Params
  /** Whether HEAD is answered, by the path parameters: some services ask whether an address exists before they post to it. */
  answersHead?(path: Readonly<Record<string, string>>): boolean
  /** The header that a successful answer repeats, by the path parameters: with it a service makes sure that it is welcome. */
  repeatedHeader?(path: Readonly<Record<string, string>>): string | undefined
  /** Larger bodies, which are read only after the realm has accepted the caller. */
  readonly large?: {
    /** Their limit in MiB, by the path parameters; undefined if they are not allowed. */
    maxMib(path: Readonly<Record<string, string>>): number | undefined
    /** Returns the parameters for the first call to the realm. */
    beforeReading(params: Params): Params
  }
}

/** What any operation may say. `Params`: unknown where the types are erased. */
interface OperationFacts<Params> {
  /**
   * Operation id. Its test is in a folder of the same name, and so is the work in `model/` that it shares with others
   * (test/house/operation-names.test.ts).
   */
  readonly operation: string
  /**
   * Whether the operation makes the organization's object grow, message by message or file by file. It is refused while the object is
   * nearly full.
   */
  readonly growsObject?: true | ((params: Params) => boolean)
  /**
   * Whether a copy of a backup makes it, which otherwise only answers reads: entering and leaving the copy, what the caller has read, its removal
   * (rules/copy-rules.ts).
   */
  readonly madeInCopies?: true
  /** Whether incoming-webhook bots may call it: only for sending messages (docs/interface/conventions.md#authentication). */
  readonly takesWebhookBots?: true
  /**
   * Whether users at a browser must have proved their identity recently, always or with these parameters: for actions that would be harmful
   * if someone found an open browser (docs/security.md#acts-that-need-a-proof). Programs with a key need not.
   */
  readonly needsProof?: true | NeedsProof<Params>
  /**
   * Like `needsProof`, where it depends on what is stored. It is asked last, of the state with the change, which is rolled back without a
   * proof: so whoever may not make the request learns nothing from it.
   */
  readonly needsProofFor?: (tx: RealmReads, params: Params) => boolean
  /**
   * Whether the answer may have megabytes, always or with these parameters: then few are made and held at a time, and they cross from the
   * object as bytes. Not for answers that the Worker finishes.
   */
  readonly largeAnswer?: true | ((params: Params) => boolean)
  /**
   * From which step on it is shed while the organization is near its cost cap (core/cost-cap.ts): then it is answered without its work, or, if
   * there is no such answer, refused. `afterwards`: it is made, and what the Worker would do then is shed.
   */
  readonly shed?: {
    readonly step: ShedStep
    readonly afterwards?: true
    answer?(params: Params, now: number): object
  }
  /** `answer` by default. */
  readonly idempotency?: Idempotency
}

/** Work in the Worker before the change. */
interface WorkBefore<Params> {
  /**
   * Work before the change that must not block the realm, such as hashing a password. The call is rehearsed first (every check, no change),
   * so that only callers who may make the change can cause the work.
   */
  prepare?(params: Params, worker: WorkerContext): Promise<Params>
  /** Whether this request needs `prepare`; absent: always. If not, there is no rehearsal. */
  hasWork?(params: Params, files: WorkerContext['files']): boolean
  /** Whether a place is reserved first for hashing a password after a call that has an effect (core/password-hasher.ts). */
  readonly reservesHashing?: true
  /** Bytes of memory that a request needs in the Worker, if many; files and pictures are counted separately. */
  workerBytes?(params: Params): number
}

/** Work in the Worker with the answer of the realm. */
interface WorkAfter<Params, Raw, Result extends object, Stored> {
  /**
   * Completes the answer in the Worker, with bulk data from D1. Returns 'again' if the realm has changed meanwhile. A list in the answer
   * may be a ListInParts (http/request/respond.ts), which is sent while it is produced.
   */
  finish?(
    raw: Raw,
    params: Params,
    worker: WorkerContext,
    stored: () => Promise<Stored>,
  ): Promise<Result | 'again'>
  /**
   * The part of `finish` that needs no answer from the realm. For callers whom the organization accepted recently it runs in parallel with
   * the first call, for others when `stored` is called. The realm reserves `source.fileId` from the first call on. After a refusal the file
   * is discarded.
   */
  readonly stores?: Storing<Params, NoInfer<Raw>, Stored>
}

/** What the body of a request may be. */
interface BodyFacts<Params, Result extends object> {
  /** Whether its form may contain files, which are held in memory. */
  readonly takesFiles?: true
  /**
   * Whether files are streamed from the network into the store, since they may be larger than memory. Such an endpoint takes parameters
   * only from the query string.
   */
  readonly streamsFiles?: boolean
  readonly readsBody?: BodyReading<Params>
  /** Whether the parameter `api_key` authenticates a bot, for programs that can configure nothing but a URL. */
  readonly keyInParameter?: true
  readonly tus?: TusForm<Result>
}

/** How the answer is given. */
interface AnswerFacts {
  /** Whether fields of the answer may be `InFragments`, so that the Worker keeps what many answers share. */
  readonly answersInSections?: true
  /** The refusal at a host without an organization, if it is not the ordinary 404. */
  unknownHost?(): ApiError
  /** Whether the request is a poll, held until there is something to answer (http/polls/hold-poll.ts). */
  readonly held?: true
  /** Whether a held request with an upgrade is an event stream (docs/event-stream.md). */
  readonly opensStream?: true
}

/** What is different for browsers. */
interface ForBrowsers {
  /** The endpoint that replaces this one below /json, for logged-in browsers. */
  readonly belowJson?: Endpoint
  /** The endpoint that replaces this one below /json for browsers that are not logged in, if something is open to the web. */
  readonly forSpectators?: Endpoint
  /** Whether clients' pages also call it below /api/v1, with their session (docs/interface/browsers.md#routes). */
  readonly takesSessions?: true
}

/** What an endpoint may say besides. */
interface EndpointFacts<Params, Raw, Result extends object, Stored>
  extends WorkBefore<Params>,
    WorkAfter<Params, Raw, Result, Stored>,
    BodyFacts<Params, Result>,
    AnswerFacts,
    ForBrowsers {
  /**
   * Whether a repeated request (other than GET) has no further effect. If its outcome is unknown, it is then retried automatically. With an
   * `Idempotency-Key` it always is.
   */
  repeatable?(params: Params, source: RequestSource): boolean
}

interface Declaration<A extends Access, Schemas extends ParameterSchemas, Raw, Result extends object, Stored>
  extends OperationFacts<ParametersOf<Schemas>>,
    EndpointFacts<ParametersOf<Schemas>, Raw, Result, Stored> {
  readonly access: A
  /** Parameters in the order in which they are checked: the first that fails is reported. None by default. */
  readonly params?: Schemas
  /** Fields of the answer besides `result` and `msg`. None by default; then the command returns nothing. */
  readonly returns?: v.GenericSchema
  /** The bucket in which requests are counted (docs/interface/conventions.md#rate-limits). */
  readonly rateLimit?: 'user' | 'events' | 'calls' | 'doors' | 'none'
}

/** The work in the organization's object: what it finds (`query`), what it decides and changes (`apply`), or a command that says more. */
type Work<Context, Params, Raw> =
  | Only<{ readonly query: ReadCommand<Context, Params, Raw>['apply'] }>
  | Only<{ readonly apply: Command<Context, Params, Raw>['apply'] }>
  | Only<{ readonly command: AnyCommand<Context, Params, Raw> }>
type Only<One extends object> = One & {
  readonly [Name in Exclude<'query' | 'apply' | 'command', keyof One>]?: never
}

/** Returns the declaration with its work as a command, and its types erased. */
function erased({
  query,
  apply,
  command,
  ...declared
}: Pick<Operation, 'operation' | 'access'> &
  Partial<Record<'query' | 'apply' | 'command', unknown>>): Operation {
  const work = query ? { reads: true, apply: query } : apply ? { apply } : command
  return { ...declared, command: work } as Operation
}

/**
 * The method and the path below /api/v1, whose `:name` segments are parameters too; a final `:name+` takes the rest of the path. Every endpoint
 * but GET declares its audit-log entry, or why it has none. A GET has one if it reveals a secret.
 */
type Routed<Params, Raw> =
  | { readonly route: `GET /${string}`; readonly audit?: AuditRule<Params, Raw> }
  | {
      readonly route: `${Exclude<Method, 'GET'>} /${string}`
      readonly audit: AuditRule<Params, Raw> | NoAudit
    }

/**
 * How an operation that changes something treats an `Idempotency-Key`:
 *
 * - `answer`: its first answer is kept, with its change;
 * - `last-step`: only the answer of its last step, which has `answer`, is kept, and is the whole answer;
 * - `own`: the operation recognizes the repetition itself;
 * - `harmless`: ignored. A repetition has no further effect, or changes nothing in the organization.
 */
export type Idempotency = 'answer' | 'last-step' | 'own' | 'harmless'

/** Limits how often one thing is shown to all spectators together (`perThing` of the rate limits). */
interface ThingCount<Params> {
  /** Name of the thing. */
  name(params: Params): string
  /** The refusal after too many attempts; the ordinary 429 by default. */
  refusal?(): ApiError
}

/**
 * Whether these parameters need a proof. `isPasswordEnough`: whether the caller has no second factor, so that an operation which asks for
 * the password proves the identity itself.
 */
type NeedsProof<Params> = (params: Params, isPasswordEnough: () => boolean) => boolean

/** An operation as the realm object knows it, with its types erased. */
export interface Operation extends OperationFacts<unknown> {
  readonly access: Access
  readonly command: AnyCommand<unknown, unknown, unknown>
  readonly audit?: AuditRule | NoAudit
  readonly rateLimit?: 'user' | 'events' | 'calls' | 'doors' | 'pictures' | 'provisioning' | 'none'
  readonly perThing?: ThingCount<unknown>
  /** The parameters of a step. Those of an endpoint are checked in the Worker. */
  readonly stepParams?: v.GenericSchema
}

/** An endpoint as the code that serves it knows it: an operation with a route. */
export interface Endpoint extends Operation, EndpointFacts<unknown, unknown, object, unknown> {
  readonly method: Method
  readonly path: string
  readonly params: ParameterSchemas
  readonly returns: v.GenericSchema
}

/**
 * Declares an endpoint once for four uses: routing, validation, ignored parameters and OpenAPI
 * (docs/decisions/design.md#one-declaration-four-uses). The command's types are checked here against `params`, and erased afterwards.
 */
export function defineEndpoint<
  A extends Access,
  Raw,
  Result extends object,
  Stored,
  Schemas extends ParameterSchemas = NoParameters,
>(
  declaration: Declaration<A, Schemas, Raw, Result, Stored> &
    Work<ContextOf<A>, NoInfer<ParametersOf<Schemas>>, Raw> &
    Routed<NoInfer<ParametersOf<Schemas>>, NoInfer<Raw>>,
): Endpoint {
  const { route, ...declared } = declaration
  const [method, path] = route.split(' ')
  return { method, path, params: {}, returns: NOTHING, ...erased(declared) } as Endpoint
}

const NOTHING = v.object({})

interface StepDeclaration<A extends Access, Schemas extends ParameterSchemas, Raw>
  extends Omit<OperationFacts<ParametersOf<Schemas>>, 'takesWebhookBots' | 'largeAnswer'> {
  readonly access: A
  /** Schemas of the values themselves, and not of texts as for an endpoint; each with its limits (step-types.ts). None by default. */
  readonly params?: Schemas
  /** Its audit-log entry, or why it has none. */
  readonly audit: AuditRule<NoInfer<ParametersOf<Schemas>>, NoInfer<Raw>> | NoAudit
  /** The rate-limit bucket of a step that begins an operation, and counts for it. */
  readonly rateLimit?: 'pictures' | 'user' | 'doors' | 'provisioning'
  readonly perThing?: ThingCount<NoInfer<ParametersOf<Schemas>>>
}

/**
 * Declares a step, which the Worker calls in the middle of an operation (`WorkerContext.run`), or for a page or a mail without an endpoint.
 * It has no route, and the rate limit does not count it unless `rateLimit` is set. The object checks its parameters.
 */
export function defineStep<A extends Access, Raw, Schemas extends ParameterSchemas = NoParameters>({
  params,
  ...declaration
}: StepDeclaration<A, Schemas, Raw> & Work<ContextOf<A>, NoInfer<ParametersOf<Schemas>>, Raw>): Operation {
  const stepParams = v.strictObject(params ?? {})
  return { idempotency: 'harmless', rateLimit: 'none', ...erased(declaration), stepParams }
}

/** Whether the answer to these parameters may have megabytes. A refusal is small. */
export function isAnswerLarge(
  { largeAnswer }: Pick<Operation, 'largeAnswer'>,
  parameters: RealmCall['parameters'],
): boolean {
  if (!parameters.ok) return false
  return typeof largeAnswer === 'function' ? largeAnswer(parameters.value) : largeAnswer === true
}
