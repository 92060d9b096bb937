/**
 * Every refusal the API can give, one class per `code` that clients branch on.
 * Source: docs/interface/conventions.md#errors; docs/interface/conventions.md#parameters; docs/interface/conventions.md#authentication; docs/decisions/interface.md#conventions.
 *
 * They are thrown where they are found and become JSON once, in `http/respond.ts`. Across the
 * object's RPC they travel as `WireError`, because own properties of an Error are lost there.
 */

/** An error on the wire between the realm object and the Worker. */
export interface WireError {
  status: number
  code: string
  msg: string
  /** Fields that stand beside `code` in the JSON body. */
  extra: Record<string, unknown>
}

export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly extra: Record<string, unknown>

  constructor(code: string, msg: string, extra: Record<string, unknown> = {}, status = 400) {
    super(msg)
    this.name = new.target.name
    this.code = code
    this.status = status
    this.extra = extra
  }

  toWire(): WireError {
    return { status: this.status, code: this.code, msg: this.message, extra: this.extra }
  }

  static fromWire(wire: WireError): ApiError {
    return new ApiError(wire.code, wire.msg, wire.extra, wire.status)
  }
}

/**
 * Was the request refused, so that nothing has been changed? After any other failure (5xx: an answer was lost, say)
 * nobody can tell.
 */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status < 500
}

/** The general refusal: HTTP 400, code BAD_REQUEST. */
export class BadRequestError extends ApiError {
  constructor(msg: string) {
    super('BAD_REQUEST', msg)
  }
}

/** A resource addressed by its own id that is not there, or not the caller's (HTTP 404, BAD_REQUEST). */
export class NotFoundError extends ApiError {
  constructor(msg: string) {
    super('BAD_REQUEST', msg, {}, 404)
  }
}

/** 401. Clients treat every one of them as "log in again". */
export class UnauthorizedError extends ApiError {
  constructor(msg: string, code = 'UNAUTHORIZED') {
    super(code, msg, {}, 401)
  }
}

/** The role is not enough: HTTP 400 by docs/decisions/interface.md#conventions, whatever older levels did. */
export class UnauthorizedPrincipalError extends ApiError {
  constructor(msg = 'Must be an organization administrator') {
    super('UNAUTHORIZED_PRINCIPAL', msg)
  }
}

export class MissingParameterError extends ApiError {
  constructor(name: string) {
    super('REQUEST_VARIABLE_MISSING', `Missing '${name}' argument`, { var_name: name })
  }
}

export class ConfusingParametersError extends ApiError {
  constructor(name1: string, name2: string) {
    super('REQUEST_CONFUSING_VAR', `Can't decide between '${name1}' and '${name2}' arguments`, {
      var_name1: name1,
      var_name2: name2,
    })
  }
}

export class InvalidParameterValueError extends ApiError {
  constructor(name: string, value: string) {
    super('REQUEST_VARIABLE_INVALID', `Bad value for '${name}': ${value}`, {
      var_name: name,
      bad_value: value,
    })
  }
}

export class IncompatibleParametersError extends ApiError {
  constructor(names: string[]) {
    super('BAD_REQUEST', `Unsupported parameter combination: ${names.join(', ')}`, { parameters: names })
  }
}

export class ChannelDoesNotExistError extends ApiError {
  constructor(channel: { id: number } | { name: string }) {
    if ('id' in channel) {
      super('STREAM_DOES_NOT_EXIST', `Channel with ID '${channel.id}' does not exist`, {
        stream_id: channel.id,
      })
    } else {
      super('STREAM_DOES_NOT_EXIST', `Channel '${channel.name}' does not exist`, { stream: channel.name })
    }
  }
}

export class BadEventQueueIdError extends ApiError {
  constructor(queueId: string) {
    super('BAD_EVENT_QUEUE_ID', `Bad event queue ID: ${queueId}`, { queue_id: queueId })
  }
}

export class BadNarrowError extends ApiError {
  constructor(desc: string, kind: 'operator' | 'operator combination' = 'operator') {
    super('BAD_NARROW', `Invalid narrow ${kind}: ${desc}`, { desc })
  }
}

export class StreamWildcardMentionNotAllowedError extends ApiError {
  constructor() {
    super(
      'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
      'You do not have permission to use channel wildcard mentions in this channel.',
    )
  }
}

export class TopicWildcardMentionNotAllowedError extends ApiError {
  constructor() {
    super(
      'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
      'You do not have permission to use topic wildcard mentions in this topic.',
    )
  }
}

export class MoveMessagesTimeLimitExceededError extends ApiError {
  constructor(
    limits: {
      first_message_id_allowed_to_move: number | null
      total_messages_in_topic: number
      total_messages_allowed_to_move: number
    },
    msg = `You only have permission to move the ${limits.total_messages_allowed_to_move}/${limits.total_messages_in_topic} most recent messages in this topic.`,
  ) {
    super('MOVE_MESSAGES_TIME_LIMIT_EXCEEDED', msg, limits)
  }
}

export class ExpectationMismatchError extends ApiError {
  constructor(name: string) {
    super('EXPECTATION_MISMATCH', `'${name}' value does not match the expected value.`)
  }
}

export class SystemGroupRequiredError extends ApiError {
  constructor(settingName: string) {
    super('SYSTEM_GROUP_REQUIRED', `'${settingName}' must be a system user group.`, {
      setting_name: settingName,
    })
  }
}

export class ReactionExistsError extends ApiError {
  constructor() {
    super('REACTION_ALREADY_EXISTS', 'Reaction already exists.')
  }
}

export class ReactionDoesNotExistError extends ApiError {
  constructor() {
    super('REACTION_DOES_NOT_EXIST', "Reaction doesn't exist.")
  }
}

/** Several parameters may be wrong at once: `errors` says of each what is. The first is the message. */
export class ValidationFailedError extends ApiError {
  constructor(errors: Readonly<Record<string, readonly string[]>>) {
    super('BAD_REQUEST', Object.values(errors)[0]?.[0] ?? '', { errors })
  }
}

export class UploadQuotaError extends ApiError {
  constructor() {
    super('REALM_UPLOAD_QUOTA', "Upload would exceed your organization's upload quota.")
  }
}

export class BadImageError extends ApiError {
  constructor(msg: string) {
    super('BAD_IMAGE', msg)
  }
}

export class PushServiceNotConfiguredError extends ApiError {
  constructor() {
    super('PUSH_SERVICE_NOT_CONFIGURED', 'Server is not configured to use push notification service.')
  }
}

/** The device is not one of the caller's. */
export class InvalidPushDeviceTokenError extends ApiError {
  constructor() {
    super('INVALID_PUSH_DEVICE_TOKEN', 'Device not recognized')
  }
}

/** The device is the caller's, but the service that delivers notifications to it does not know it. */
export class InvalidRemotePushDeviceTokenError extends ApiError {
  constructor() {
    super('INVALID_REMOTE_PUSH_DEVICE_TOKEN', 'Device not recognized by the push bouncer')
  }
}

/** None of the caller's devices takes encrypted notifications now, or not the one that is named. */
export class NoActivePushDeviceError extends ApiError {
  constructor() {
    super('NO_ACTIVE_PUSH_DEVICE', 'No active registered push device')
  }
}

/** The push service will have nothing to do with this server, or this organization: HTTP 403. */
export class AdminActionRequiredError extends ApiError {
  constructor() {
    const msg =
      'Push notification configuration issue on server, contact the server administrator or retry later.'
    super('ADMIN_ACTION_REQUIRED', msg, {}, 403)
  }
}

/** HTTP 502. */
export class FailedToConnectBouncerError extends ApiError {
  constructor() {
    super(
      'FAILED_TO_CONNECT_BOUNCER',
      'Network error while connecting to push notification service.',
      {},
      502,
    )
  }
}

/** HTTP 502. */
export class InternalBouncerServerError extends ApiError {
  constructor() {
    const msg = 'Internal server error on push notification service, retry later.'
    super('INTERNAL_SERVER_ERROR_ON_BOUNCER', msg, {}, 502)
  }
}

/** `retryAfter` in seconds, fractional. */
export class RateLimitHitError extends ApiError {
  constructor(retryAfter: number) {
    super('RATE_LIMIT_HIT', 'API usage exceeded rate limit', { 'retry-after': retryAfter }, 429)
  }
}

/** A page of another site has made a browser send credentials that it remembers: HTTP 403. */
export class CsrfError extends ApiError {
  constructor(reason = 'this request comes from a page of another site.') {
    super('CSRF_FAILED', `CSRF error: ${reason}`, { reason }, 403)
  }
}

/** The `Idempotency-Key` came with another request within the last day: HTTP 422. */
export class IdempotencyKeyReusedError extends ApiError {
  constructor() {
    super('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was sent with another request', {}, 422)
  }
}

/** A body larger than what is held in memory: HTTP 413. */
export class BodyTooLargeError extends ApiError {
  constructor(limitMib: number) {
    super('BAD_REQUEST', `Request body is larger than the allowed limit of ${limitMib} MiB`, {}, 413)
  }
}

/** The request would make a row that is longer than the platform stores. */
export class TooMuchAtOnceError extends ApiError {
  constructor() {
    super('BAD_REQUEST', 'That is more than can be stored at once', {}, 413)
  }
}

/**
 * The refusal while something that the answer needs cannot be reached, or has too much to do: HTTP 503. The same request will
 * do later. `retryAfter` in seconds.
 */
export class ServiceUnavailableError extends ApiError {
  constructor(retryAfter = 1) {
    const msg = 'The server cannot answer just now. Please try again in a moment.'
    super('SERVICE_UNAVAILABLE', msg, { 'retry-after': retryAfter }, 503)
  }
}

/** The organization's storage is full: HTTP 507. Whatever makes room, and whatever only looks, goes on. */
export class StorageFullError extends ApiError {
  constructor() {
    super(
      'STORAGE_FULL',
      'The storage of this organization is full. Only reading and deleting are possible.',
      {},
      507,
    )
  }
}

/** The refusal while too many ask for something costly. Clients that get it together do not all come back together. */
export function comeAgain(): ServiceUnavailableError {
  return new ServiceUnavailableError(1 + Math.floor(Math.random() * 5))
}

/** The refusal at a host name where no organization answers. */
export class NonexistentSubdomainError extends ApiError {
  constructor() {
    super('NONEXISTENT_SUBDOMAIN', 'Invalid subdomain', {}, 404)
  }
}

/** A broken invariant is a bug, not a refusal: it becomes a 500 without detail. */
export function assert(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`Invariant broken: ${what}`)
}
