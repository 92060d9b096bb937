import * as v from 'valibot'
import type { ArrivedBody, LargeBody } from '../core/arrived-body.ts'
import type { DeploymentFacts, RealmCall, RequestSource } from '../core/call.ts'
import type { WantedCall, ZoomOfPerson } from '../core/call-services.ts'
import type { Command, LongCommand } from '../core/command.ts'
import type { ApiError } from '../core/errors.ts'
import type { ArrivingMemory, FileStore, IncomingFile } from '../core/files.ts'
import type { ImageResizer } from '../core/images.ts'
import type { WorkerBodyReader } from '../core/message-bodies.ts'
import type { SecretSealer } from '../core/sealed-secret.ts'
import type { PlaceAtGate } from '../core/work-gate.ts'
import type { AuditRule, NoAudit } from '../model/audit-log/audit-rule.ts'
import type { Caller } from '../model/caller.ts'
import type { ProviderTest } from '../model/login-providers/find-login-provider.ts'
import type { SealedTest, SealedTestReceipt, TestPush } from '../model/push/test-notification.ts'
import type { Access } from '../rules/access.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
export type ParameterSchemas = Record<string, v.GenericSchema<unknown, unknown>>
type OptionalNames<Schemas extends ParameterSchemas> = {
  [Name in keyof Schemas]: undefined extends v.InferOutput<Schemas[Name]> ? Name : never
}[keyof Schemas]
export type ParametersOf<Schemas extends ParameterSchemas> = {
  [Name in Exclude<keyof Schemas, OptionalNames<Schemas>>]: v.InferOutput<Schemas[Name]>
} & { [Name in OptionalNames<Schemas>]?: v.InferOutput<Schemas[Name]> }

/** The caller for whom a command acts: unknown where the endpoint is open to anyone. */
type ContextOf<A extends Access> = A extends 'anyone' | 'spectator' | 'provisioning'
  ? { readonly source: RequestSource }
  : Caller

/** Everything that the part of an operation that runs in the Worker can reach. */
export interface WorkerContext {
  readonly realmId: number
  readonly source: RequestSource
  /** The body, for an endpoint that `readsBody`. */
  readonly body?: ArrivedBody | undefined
  /** The body in place of that, if it is too large to be held. */
  readonly largeBody?: LargeBody | undefined
  readonly bodies: WorkerBodyReader
  /** Files of the request. Those of an endpoint that `streamsFiles` can be read once. */
  readonly files: Iterable<IncomingFile> | AsyncIterable<IncomingFile>
  readonly store: FileStore
  /** Id, in the store, of the file that comes with this request: see `stores`. */
  readonly fileId: string
  readonly images: ImageResizer
  /** Seals and opens secrets that the organization stores. */
  readonly secrets: SecretSealer
  /** A place at the gate, for an endpoint that `reservesPlace`. */
  readonly place?: PlaceAtGate | undefined
  /** Whether the realm has answered with the first answer to an earlier request with the same key. */
  readonly isRepetition: boolean
  /** Returns memory for bytes of the request, of which none is held yet; whoever asks for it gives it back. */
  arrivingMemory(): ArrivingMemory
  /** Whether an organization of this deployment has the short name. */
  isShortNameTaken(name: string): Promise<boolean>
  /**
   * Delivers a test to a device.
   *
   * @throws InvalidRemotePushDeviceTokenError, ServiceUnavailableError.
   */
  testPush(test: TestPush): Promise<void>
  /**
   * Does what `testPush` does, encrypted.
   *
   * @throws FailedToConnectBouncerError, InternalBouncerServerError, AdminActionRequiredError
   */
  testSealedPush(test: SealedTest): Promise<SealedTestReceipt>
  /** Asks a log-in provider whether a log-in would work; says in a sentence what does not, and null otherwise. */
  testProvider(test: ProviderTest): Promise<string | null>
  /** Makes a call with a service that the deployment is connected with; returns its link, an address or a path. @throws ApiError */
  createCall(wanted: WantedCall): Promise<string>
  /** Returns the number of unread messages in another organization of the deployment; null where it gives none for this key. */
  unreadAt(url: string, key: string): Promise<number | null>
  /** Zoom, for whoever is logged in there. Only where the deployment is connected with it. */
  readonly zoom: ZoomOfPerson
  /** Makes one more call to the realm object: to a step of this operation, or to continue it. */
  run(operation: string, parameters: Record<string, unknown>): Promise<unknown>
}

/**
 * The form of an operation of the tus protocol (1.0.0, resumable uploads), where it differs from the API's.
 * http/files/tus.ts has what all of them share.
 */
export interface TusForm<Result = unknown> {
  /** Parameters that come in headers: `upload_length` in `Upload-Length`. All others are in the path. */
  readonly headers: readonly string[]
  /** Whether the body is a chunk of a file: always, or if its type says so. It is the only one of `files`. */
  readonly chunk?: 'required' | 'optional'
  /** Statuses of success, each with its meaning, and whether it has a body (`returns`). */
  readonly answers: Readonly<Record<number, { readonly description: string; readonly hasBody: boolean }>>
  /** Headers that an answer may have. */
  readonly answerHeaders: readonly string[]
  /** Limit of an upload that begins here, in MiB. */
  maxMib?(deployment: DeploymentFacts): number
  answer(result: Result): TusAnswer
}

interface TusAnswer {
  /** HTTP status, one of `answers`, or 408 or 499 when the body ended too early. */
  readonly status: number
  /** Values of `answerHeaders`; those that are null are left out. */
  readonly headers: Readonly<Record<string, string | number | null>>
  /** The body, as `returns` declares it. */
  readonly body?: object
}

/** Puts what comes with a request into the file store, at `worker.fileId`. */
export interface Storing<Params = unknown, Raw = unknown, Stored = unknown> {
  /**
   * Stores it. `raw`: the realm's answer; undefined when it was not waited for. Returns undefined when
   * nothing was stored.
   */
  keep(params: Params, worker: WorkerContext, raw?: Raw): Promise<Stored>
  /** Removes what `keep` has stored, if anything. */
  discard(worker: WorkerContext): Promise<void>
}

/** Reads a body of any kind, before the realm is asked. */
export interface BodyReading<Params = unknown> {
  /** Limit of the body, in MiB. */
  readonly maxMib: number
  /**
   * Returns the parameters with what the body says. Its parameters may be in the address or in a form; fields of a form that the endpoint
   * does not declare are the body's, and not ignored ones.
   */
  read(params: Params, body: ArrivedBody): Params
  /** Larger bodies, which are read only once the realm has accepted the caller. */
  readonly large?: {
    /** Their limit in MiB, by the values of the path; undefined where there are none. */
    maxMib(path: Readonly<Record<string, string>>): number | undefined
    /** Returns the parameters for the first call to the realm. */
    beforeReading(params: Params): Params
  }
}

interface Declaration<
  A extends Access,
  Schemas extends ParameterSchemas,
  Loaded,
  Raw,
  Result extends object,
  Stored,
> {
  /**
   * Operation id. The folder is named like that of its test, and of work in `model/` that it shares with others
   * (test/house/operation-names.test.ts).
   */
  readonly operation: string
  /**
   * The path below /api/v1; `:name` segments are parameters too, and a last one as `:name+` is the whole rest
   * of the path.
   */
  readonly path: string
  readonly access: A
  /**
   * Whether the operation makes the organization's object grow, message by message or file by file: refused
   * while that is nearly full.
   */
  readonly growsObject?: true | ((params: ParametersOf<Schemas>) => boolean)
  /** Whether incoming-webhook bots may call it: only for sending messages (docs/interface/conventions.md#authentication). */
  readonly takesWebhookBots?: true
  /**
   * Whether someone at a browser must have proved lately who it is, always or with these parameters: for what would do harm in the hands of
   * someone who finds an open browser (docs/security.md#acts-that-need-a-proof). Programs with a key need not.
   */
  readonly needsProof?: true | NeedsProof<ParametersOf<Schemas>>
  /** Parameters, in the order in which they are checked: the first that fails is reported. */
  readonly params: Schemas
  /** Fields of the answer besides `result` and `msg`. */
  readonly returns: v.GenericSchema
  readonly command:
    | Command<ContextOf<A>, NoInfer<ParametersOf<Schemas>>, Loaded, Raw>
    | LongCommand<ContextOf<A>, NoInfer<ParametersOf<Schemas>>, Raw>
  /**
   * Work before the change that must not block the realm (hashing a password). The call is first rehearsed
   * (every check made, nothing changed), so that only callers who may make the change can cause the work.
   */
  prepare?(params: ParametersOf<Schemas>, worker: WorkerContext): Promise<ParametersOf<Schemas>>
  /**
   * Whether a place at the gate is reserved before anything is done, for long work after a call that has an effect
   * (core/work-gate.ts).
   */
  readonly reservesPlace?: true
  /** Whether there is any such work for this request; absent: always. Without work there is no rehearsal. */
  hasWork?(params: ParametersOf<Schemas>, files: WorkerContext['files']): boolean
  /**
   * Completes the answer in the Worker, with bulk data from D1. Returns 'again' when the realm has changed
   * meanwhile. A list of the answer may be a ListInParts (http/respond.ts), which is sent while it is made.
   */
  finish?(
    raw: Raw,
    params: ParametersOf<Schemas>,
    worker: WorkerContext,
    stored: () => Promise<Stored>,
  ): Promise<Result | 'again'>
  /**
   * The part of `finish` that needs no answer. For callers whom the organization has lately accepted it
   * begins beside the first call, for others when `stored` is asked for. From the first call on the realm
   * reserves `source.fileId`. After a refusal the file is discarded.
   */
  readonly stores?: Storing<ParametersOf<Schemas>, NoInfer<Raw>, Stored>
  /**
   * Whether files are read from the network while they are stored, since they may be larger than memory. Such
   * an endpoint takes parameters only from the query string.
   */
  readonly streamsFiles?: boolean
  /** Whether its form may contain files, which are held in memory. */
  readonly takesFiles?: true
  readonly readsBody?: BodyReading<ParametersOf<Schemas>>
  /** Whether the caller is the bot whose key is the parameter `api_key`: for programs that can send nothing but an address. */
  readonly keyInParameter?: true
  readonly tus?: TusForm<Result>
  /** Whether the request is held until there is something to answer, as a poll (http/polls/hold-poll.ts). */
  readonly held?: true
  /** Whether a held request with an upgrade is an event stream (docs/event-stream.md). */
  readonly opensStream?: true
  /** The refusal at a host without an organization, where it is not the ordinary 404. */
  unknownHost?(): ApiError
  /**
   * Whether the answer may be megabytes, always or with these parameters: then few are made and held at a
   * time, and cross from the object as bytes. Not for answers that are finished in the Worker.
   */
  readonly largeAnswer?: true | ((params: ParametersOf<Schemas>) => boolean)
  /** Whether fields of the answer may be `InBlocks`, so that the Worker keeps what many answers share. */
  readonly answersInSections?: true
  /** Memory of one request in the Worker, in bytes, where it is much; files and pictures are counted separately. */
  workerBytes?(params: ParametersOf<Schemas>): number
  /** The bucket in which requests are counted (docs/interface/conventions.md#rate-limits). */
  readonly rateLimit?: 'user' | 'events' | 'calls' | 'doors' | 'none'
  /** `answer` by default. */
  readonly idempotency?: Idempotency
  /** The endpoint that replaces this one below /json, for browsers that are logged in. */
  readonly belowJson?: Endpoint
  /**
   * The endpoint that replaces this one below /json, for browsers that are not logged in, where something is
   * open to the web.
   */
  readonly forSpectators?: Endpoint
  /**
   * Whether pages of clients call it below /api/v1 too, with their session
   * (docs/interface/browsers.md#routes).
   */
  readonly takesSessions?: true
  /**
   * Whether a repeated request (other than GET) has no further effect. Then it is retried automatically when
   * it is not known whether it was made. With an `Idempotency-Key` it is in any case.
   */
  repeatable?(params: ParametersOf<Schemas>, source: RequestSource): boolean
}

/**
 * Every endpoint but GET declares which entry it gets in the audit log, or why none. A GET has one where it gives
 * away a secret.
 */
type Audited<Params, Raw> =
  | { readonly method: 'GET'; readonly audit?: AuditRule<Params, Raw> }
  | { readonly method: Exclude<Method, 'GET'>; readonly audit: AuditRule<Params, Raw> | NoAudit }

/**
 * How an operation that changes something treats an `Idempotency-Key`:
 *
 * - `answer`: its first answer is kept, with its change;
 * - `last-step`: only the answer of its last step is kept, which is one with `answer`, and is the whole answer;
 * - `own`: the operation recognizes the repetition itself;
 * - `harmless`: ignored. A repetition has no further effect, or changes nothing of the organization.
 */
export type Idempotency = 'answer' | 'last-step' | 'own' | 'harmless'

/** Counts how often one thing is shown to all spectators together (`perThing` of the rate limits). */
interface ThingCount<Params> {
  /** Name of the thing. */
  name(params: Params): string
  /** The refusal after too many attempts; the ordinary 429 where this is absent. */
  refusal?(): ApiError
}

/**
 * Whether these parameters need a proof. `isPasswordEnough` says whether the caller has no second factor: then the operation itself proves
 * who is there if it asks for the password.
 */
type NeedsProof<Params> = (params: Params, isPasswordEnough: () => boolean) => boolean

/** An operation as the realm object knows it, with its types erased. */
export interface Operation {
  readonly operation: string
  readonly access: Access
  readonly growsObject?: true | ((params: unknown) => boolean)
  readonly takesWebhookBots?: true
  readonly needsProof?: true | NeedsProof<unknown>
  readonly command: Command<unknown, unknown, unknown, unknown> | LongCommand<unknown, unknown, unknown>
  readonly audit?: AuditRule | NoAudit
  readonly largeAnswer?: true | ((params: unknown) => boolean)
  readonly rateLimit?: 'user' | 'events' | 'calls' | 'doors' | 'pictures' | 'provisioning' | 'none'
  readonly idempotency?: Idempotency
  readonly perThing?: ThingCount<unknown>
  /** The parameters with which a step may be called. Those of an endpoint are checked in the Worker. */
  readonly stepParams?: v.GenericSchema
}

/** An endpoint for the code that serves it: an operation with a route. */
export interface Endpoint extends Operation {
  readonly method: Method
  readonly path: string
  readonly params: ParameterSchemas
  readonly returns: v.GenericSchema
  readonly streamsFiles?: boolean
  readonly takesFiles?: true
  readonly readsBody?: BodyReading
  readonly keyInParameter?: true
  readonly answersInSections?: true
  readonly tus?: TusForm
  readonly belowJson?: Endpoint
  readonly forSpectators?: Endpoint
  readonly takesSessions?: true
  readonly held?: true
  readonly opensStream?: true
  unknownHost?(): ApiError
  workerBytes?(params: unknown): number
  prepare?(params: unknown, worker: WorkerContext): Promise<unknown>
  readonly reservesPlace?: true
  hasWork?(params: unknown, files: WorkerContext['files']): boolean
  finish?(
    raw: unknown,
    params: unknown,
    worker: WorkerContext,
    stored: () => Promise<unknown>,
  ): Promise<object | 'again'>
  readonly stores?: Storing
  repeatable?(params: unknown, source: RequestSource): boolean
}

/**
 * Declares an endpoint once for four uses: routing, validation, ignored parameters, OpenAPI
 * (docs/decisions/design.md#one-declaration-four-uses). The command is checked here against the types of
 * `params`, which nobody needs afterwards.
 */
export function defineEndpoint<
  A extends Access,
  Schemas extends ParameterSchemas,
  Loaded,
  Raw,
  Result extends object,
  Stored,
>(
  declaration: Declaration<A, Schemas, Loaded, Raw, Result, Stored> &
    Audited<NoInfer<ParametersOf<Schemas>>, NoInfer<Raw>>,
): Endpoint {
  return declaration as Endpoint
}

/** A schema for each parameter of a command, and for no other. */
type StepSchemas<Params> = {
  readonly [Name in keyof Params]-?: v.GenericSchema<
    unknown,
    Pick<Params, Name> extends Required<Pick<Params, Name>> ? Params[Name] : Params[Name] | undefined
  >
}

interface StepDeclaration<A extends Access, Params, Loaded, Raw> {
  readonly operation: string
  readonly access: A
  readonly growsObject?: true
  readonly needsProof?: true
  /** Schemas of the values themselves, where an endpoint has those of texts: each with its limits (step-types.ts). */
  readonly params: StepSchemas<Params>
  readonly command: Command<ContextOf<A>, Params, Loaded, Raw>
  /** Its entry in the audit log, or the reason why it has none. */
  readonly audit: AuditRule<NoInfer<Params>, NoInfer<Raw>> | NoAudit
  /** `harmless` by default: most steps only prepare. */
  readonly idempotency?: Idempotency
  /** The bucket of a step that begins an operation, and counts for it. */
  readonly rateLimit?: 'pictures' | 'user' | 'doors' | 'provisioning'
  readonly perThing?: ThingCount<NoInfer<Params>>
}

/**
 * Declares a step, which the Worker calls in the middle of an operation (`WorkerContext.run`), or for a page
 * or a mail without an endpoint. It has no route, and the rate limit does not count it again, unless
 * `rateLimit` is set. Its parameters are checked in the object.
 */
export function defineStep<A extends Access, Params, Loaded, Raw>({
  params,
  ...declaration
}: StepDeclaration<A, Params, Loaded, Raw>): Operation {
  const stepParams = v.strictObject(params as ParameterSchemas)
  return { idempotency: 'harmless', rateLimit: 'none', ...declaration, stepParams } as Operation
}

/** Whether the answer to these parameters may be megabytes. A refusal is small. */
export function isAnswerLarge(
  { largeAnswer }: Pick<Operation, 'largeAnswer'>,
  parameters: RealmCall['parameters'],
): boolean {
  if (!parameters.ok) return false
  return typeof largeAnswer === 'function' ? largeAnswer(parameters.value) : largeAnswer === true
}
