import * as v from 'valibot'
import type { RealmCall, RequestSource } from '../core/call.ts'
import type { BodyReader, Command } from '../core/command.ts'
import type { ApiError } from '../core/errors.ts'
import type { FileStore, IncomingFile } from '../core/files.ts'
import type { ImageResizer } from '../core/images.ts'
import type { AuditRule, NoAudit } from '../domain/audit-log/audit-rule.ts'
import type { Caller } from '../domain/caller.ts'
import type { TestPush } from '../domain/push/test-notification.ts'
import type { SealedTest, SealedTestReceipt } from '../domain/push/test-sealed-notification.ts'
import type { Access } from '../permissions/access.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
export type ParameterSchemas = Record<string, v.GenericSchema<unknown, unknown>>
type OptionalNames<Schemas extends ParameterSchemas> = {
  [Name in keyof Schemas]: undefined extends v.InferOutput<Schemas[Name]> ? Name : never
}[keyof Schemas]
export type ParametersOf<Schemas extends ParameterSchemas> = {
  [Name in Exclude<keyof Schemas, OptionalNames<Schemas>>]: v.InferOutput<Schemas[Name]>
} & { [Name in OptionalNames<Schemas>]?: v.InferOutput<Schemas[Name]> }

/** The caller for whom a command acts: nobody known where the endpoint is open to anyone. */
export type ContextOf<A extends Access> = A extends 'anyone' | 'spectator'
  ? { readonly source: RequestSource }
  : Caller

/** Everything that the part of an operation that runs in the Worker can reach. */
export interface WorkerContext {
  readonly realmId: number
  readonly source: RequestSource
  readonly bodies: BodyReader
  /** The files that came with the request. Those of an endpoint that `streamsFiles` can be read once. */
  readonly files: Iterable<IncomingFile> | AsyncIterable<IncomingFile>
  readonly store: FileStore
  /** The id in the store of the file that comes with this request: see `stores`. */
  readonly fileId: string
  readonly images: ImageResizer
  /**
   * Takes a share of what requests may hold in memory together; answers how to give it back.
   * @throws ServiceUnavailableError (503) when there is too little for too long.
   */
  takeMemory(bytes: number): Promise<() => void>
  /** Whether an organization of this deployment has the short name. */
  isShortNameTaken(name: string): Promise<boolean>
  /**
   * Has a test delivered to a device.
   *
   * @throws InvalidRemotePushDeviceTokenError, ServiceUnavailableError.
   */
  testPush(test: TestPush): Promise<void>
  /**
   * As `testPush`, encrypted.
   *
   * @throws FailedToConnectBouncerError, InternalBouncerServerError, AdminActionRequiredError
   */
  testSealedPush(test: SealedTest): Promise<SealedTestReceipt>
  /** One more call to the realm object: to a step of this operation, or for more of the same. */
  run(operation: string, parameters: Record<string, unknown>): Promise<unknown>
}

/**
 * The form of an operation of the tus protocol (1.0.0, resumable uploads), where it is not the API's own. The part that all of
 * them have in common is in http/tus.ts.
 */
export interface TusForm<Result = unknown> {
  /** Parameters that come in headers: `upload_length` in `Upload-Length`. All others are in the path. */
  readonly headers: readonly string[]
  /** Whether the body is a chunk of a file: by itself, or if its type says so. It is the only one of `files`. */
  readonly chunk?: 'required' | 'optional'
  /** Statuses of success, each with what it means and whether there is a body (`returns`). */
  readonly answers: Readonly<Record<number, { readonly description: string; readonly hasBody: boolean }>>
  /** Headers that an answer may have. */
  readonly answerHeaders: readonly string[]
  answer(result: Result): TusAnswer
}

export interface TusAnswer {
  /** One of `answers`. */
  readonly status: number
  /** Values of `answerHeaders`; those that are null are left out. */
  readonly headers: Readonly<Record<string, string | number | null>>
  /** The body, as `returns` declares it. */
  readonly body?: object
}

/** The work of putting what comes with a request into the store of files, at `worker.fileId`. */
export interface Storing<Params = unknown, Raw = unknown, Stored = unknown> {
  /** `raw`: what the realm has answered; undefined when it was not waited for. Undefined is answered when nothing was put there. */
  keep(params: Params, worker: WorkerContext, raw?: Raw): Promise<Stored>
  /** Takes away what `keep` has put there, if anything. */
  discard(worker: WorkerContext): Promise<void>
}

interface Declaration<
  A extends Access,
  Schemas extends ParameterSchemas,
  Loaded,
  Raw,
  Result extends object,
  Stored,
> {
  /** Operation id. The folder is that of its work in `domain/` and of its test (test/house/operation-names.test.ts). */
  readonly operation: string
  /** The path below /api/v1; `:name` segments are parameters too, and a last one as `:name+` is all the rest of a path. */
  readonly path: string
  readonly access: A
  /** The operation makes the organization's object grow, message by message or file by file: refused while that is nearly full. */
  readonly growsObject?: true
  /** Incoming-webhook bots may call it: sending messages, and nothing else (docs/interface/conventions.md#authentication). */
  readonly takesWebhookBots?: true
  /** The parameters, in the order in which they are checked: the first that fails is reported. */
  readonly params: Schemas
  /** The fields of the answer beside `result` and `msg`. */
  readonly returns: v.GenericSchema
  readonly command: Command<ContextOf<A>, NoInfer<ParametersOf<Schemas>>, Loaded, Raw>
  /**
   * Work before the change that must not hold the realm (hashing a password). The call is first
   * rehearsed (every check made, nothing changed), so that only those who may do it can ask for it.
   */
  prepare?(params: ParametersOf<Schemas>, worker: WorkerContext): Promise<ParametersOf<Schemas>>
  /** Whether there is any such work for this request; without it always. Where there is none nothing is rehearsed. */
  hasWork?(params: ParametersOf<Schemas>, files: WorkerContext['files']): boolean
  /**
   * Completes the answer in the Worker, with bulk from D1. Returns 'again' when the realm moved on meanwhile.
   * A list of the answer may be an AsyncIterable: it is sent as it is made.
   */
  finish?(
    raw: Raw,
    params: ParametersOf<Schemas>,
    worker: WorkerContext,
    stored: () => Promise<Stored>,
  ): Promise<Result | 'again'>
  /**
   * The part of `finish` that needs no answer: of somebody whom the organization has let in lately it begins beside the first call, of all
   * others when `stored` is asked for. The realm keeps `source.fileId` free from the first call on. After a refusal it is discarded.
   */
  readonly stores?: Storing<ParametersOf<Schemas>, NoInfer<Raw>, Stored>
  /**
   * Files are read from the network while they are stored, since they may be larger than memory. Such an
   * endpoint takes parameters from the query string alone.
   */
  readonly streamsFiles?: boolean
  /** Files may come in its form, and are held in memory. */
  readonly takesFiles?: true
  readonly tus?: TusForm<Result>
  /** The request is held until there is something to answer, as a poll (http/hold-poll.ts). */
  readonly held?: true
  /** The held request is an event stream when it comes with an upgrade (docs/event-stream.md). */
  readonly opensStream?: true
  /** The refusal at a host that no organization has, where it is not the ordinary 404. */
  unknownHost?(): ApiError
  /**
   * The answer may be megabytes, always or with these parameters: it is made and held by few at a time, and crosses from the
   * object as bytes. Not for what is finished in the Worker.
   */
  readonly largeAnswer?: true | ((params: ParametersOf<Schemas>) => boolean)
  /** Some fields of the answer may be `InBlocks`, of which the Worker keeps what many have in common. */
  readonly answersInBlocks?: true
  /** Memory of one request in the Worker, in bytes, where that is much; files and pictures are counted separately. */
  workerBytes?(params: ParametersOf<Schemas>): number
  /** The bucket that counts it (docs/interface/conventions.md#rate-limits). */
  readonly rateLimit?: 'user' | 'events' | 'none'
  /** `answer` by default. */
  readonly idempotency?: Idempotency
  /** The endpoint that is served below /json instead, to browsers that are logged in. */
  readonly belowJson?: Endpoint
  /** The endpoint that is served below /json instead, to browsers that are not logged in, where something is open to the web. */
  readonly forSpectators?: Endpoint
  /** Pages of clients ask for it below /api/v1 too, with their session (docs/interface/browsers.md#routes). */
  readonly takesSessions?: true
  /** Is this result of the command the whole answer? Asked with `last-step`. */
  isLast?(raw: Raw): boolean
  /**
   * Asked of what is no GET: made twice, does it no more than once? Then it is tried again by itself when
   * nobody can tell whether it was made. With an `Idempotency-Key` it is in any case.
   */
  repeatable?(params: ParametersOf<Schemas>, source: RequestSource): boolean
}

/** Whatever is no GET says which entry it gets in the audit log, or why none. */
type Audited<Params, Raw> =
  | { readonly method: 'GET'; readonly audit?: undefined }
  | { readonly method: Exclude<Method, 'GET'>; readonly audit: AuditRule<Params, Raw> | NoAudit }

/**
 * The meaning of an `Idempotency-Key` to an operation that changes something:
 *
 * - `answer`: its first answer is kept, with its change;
 * - `last-step`: only a last step of it is kept, and that is the whole answer: a step of its own with `answer`, or what
 *   `isLast` says so of;
 * - `own`: the operation finds the repetition itself;
 * - `harmless`: nothing. Made twice it does no more than once, or changes nothing of the organization.
 */
export type Idempotency = 'answer' | 'last-step' | 'own' | 'harmless'

/** The count of how often one thing is shown to all spectators together (`perThing` of the rate limits). */
export interface ThingCount {
  /** The content of the form, in few words. */
  name(params: never): string
  /** The refusal after too many attempts; the ordinary 429 where this is absent. */
  refusal?(): ApiError
}

/** An operation as the realm object knows it, with its types erased. */
export interface Operation {
  readonly operation: string
  readonly access: Access
  readonly growsObject?: true
  readonly takesWebhookBots?: true
  readonly command: Command<unknown, unknown, unknown, unknown>
  readonly audit?: AuditRule | NoAudit
  readonly largeAnswer?: true | ((params: unknown) => boolean)
  readonly rateLimit?: 'user' | 'events' | 'pictures' | 'none'
  readonly idempotency?: Idempotency
  readonly perThing?: ThingCount
  /** The parameters that a step may be asked with. Those of an endpoint the Worker has checked. */
  readonly stepParams?: v.GenericSchema
  isLast?(raw: unknown): boolean
}

/** An endpoint as the rooms that serve it see it: an operation with a route. */
export interface Endpoint extends Operation {
  readonly method: Method
  readonly path: string
  readonly params: ParameterSchemas
  readonly returns: v.GenericSchema
  readonly streamsFiles?: boolean
  readonly takesFiles?: true
  readonly answersInBlocks?: true
  readonly tus?: TusForm
  readonly belowJson?: Endpoint
  readonly forSpectators?: Endpoint
  readonly takesSessions?: true
  readonly held?: true
  readonly opensStream?: true
  unknownHost?(): ApiError
  workerBytes?(params: unknown): number
  prepare?(params: unknown, worker: WorkerContext): Promise<unknown>
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
 * One declaration, four uses: routing, validation, ignored parameters, OpenAPI (docs/decisions/design.md#one-declaration-four-uses).
 * The command is checked against the types of `params` here; after that nobody needs them.
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
  /** The same as an endpoint's. */
  readonly growsObject?: true
  /** Schemas of the values themselves, where an endpoint has those of texts: each with its limits (step-types.ts). */
  readonly params: StepSchemas<Params>
  readonly command: Command<ContextOf<A>, Params, Loaded, Raw>
  /** The entry that it gets in the audit log, or why it gets none. */
  readonly audit: AuditRule<NoInfer<Params>, NoInfer<Raw>> | NoAudit
  /** `harmless` by default: most steps only prepare. */
  readonly idempotency?: Idempotency
  isLast?(raw: Raw): boolean
  /** The bucket of a step that begins an operation and is counted for it. */
  readonly rateLimit?: 'pictures' | 'user'
  readonly perThing?: ThingCount
}

/**
 * A step that the Worker asks for in the middle of an operation (`WorkerContext.run`), or a page or a mail for which there is no
 * endpoint. It has no route, and the rate limit does not count it again, unless `rateLimit` says so. Its parameters are checked in the object.
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
