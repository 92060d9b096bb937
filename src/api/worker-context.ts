import type { ArrivedBody, LargeBody } from '../core/arrived-body.ts'
import type { RequestSource } from '../core/call.ts'
import type { CallEnvironment } from '../core/call-services.ts'
import type { ArrivingMemory, FileStore, IncomingFile } from '../core/files.ts'
import type { ImageResizer } from '../core/images.ts'
import type { WorkerBodyReader } from '../core/message-bodies.ts'
import type { HashingPlace, PasswordHasher } from '../core/password-hasher.ts'
import type { RefusalLanguage } from '../core/refusal-text.ts'
import type { SecretSealer } from '../core/sealed-secret.ts'
import type { CopyPlan } from '../model/backups/plan-copy.ts'
import type { PushEnvironment } from '../outgoing/push/ask-bouncer.ts'

/** The deployment's settings for other services, and its database. */
interface WorkerEnvironment extends CallEnvironment, PushEnvironment {
  readonly DB: D1Database
  readonly WEBHOOK_ALLOWED_HOSTS?: string
}

/** Everything that the Worker's part of an operation can reach. */
export interface WorkerContext {
  readonly realmId: number
  readonly source: RequestSource
  /** The caller's language for refusals, if it is not English. */
  readonly language?: RefusalLanguage | undefined
  /** For what features ask of other services, in files of their own in rooms named `in-worker`. */
  readonly env: WorkerEnvironment
  /** The body, for an endpoint that `readsBody`. */
  readonly body?: ArrivedBody | undefined
  /** Replaces `body` if it is too large to hold in memory. */
  readonly largeBody?: LargeBody | undefined
  readonly bodies: WorkerBodyReader
  /** The request's files. With `streamsFiles` they can be read once. */
  readonly files: Iterable<IncomingFile> | AsyncIterable<IncomingFile>
  readonly store: FileStore
  /** Id in the store of this request's file: see `stores`. */
  readonly fileId: string
  readonly images: ImageResizer
  /** Seals and opens secrets that the organization stores. */
  readonly secrets: SecretSealer
  readonly hasher: PasswordHasher
  /** A place at the hasher's gate, for an endpoint that `reservesHashing`. */
  readonly place?: HashingPlace | undefined
  /** Whether the realm's answer is that of an earlier request with the same key. */
  readonly isRepetition: boolean
  /** Returns memory for the request's bytes, none of them held yet; the caller gives it back. */
  arrivingMemory(): ArrivingMemory
  /** Calls another organization of the deployment, without credentials. Returns the answer; undefined where there is none, or a refusal. */
  runElsewhere(url: string, operation: string, parameters: Record<string, unknown>): Promise<unknown>
  /** Makes a copy of a backup to look at, and returns a link by which the owner with this address enters it. */
  copyBackup(plan: CopyPlan, email: string): Promise<{ readonly url: string }>
  /** Makes a further call to the realm object: to a step of this operation, or to continue it. */
  run(operation: string, parameters: Record<string, unknown>): Promise<unknown>
}
