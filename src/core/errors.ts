/**
 * Every refusal that the API can give, one class for each `code` on which clients branch. Source:
 * docs/interface/conventions.md#errors; docs/interface/conventions.md#parameters;
 * docs/interface/conventions.md#authentication; docs/decisions/interface.md#conventions.
 *
 * Errors are thrown where they are found, and become JSON once, in `http/request/respond.ts`. Across the object's RPC
 * they travel as `WireError`, because own properties of an Error are lost there.
 */

/** An error on the wire between the realm object and the Worker. */
export interface WireError {
  status: number
  code: string
  msg: string
  /** Further fields of the JSON body, besides `code`. */
  extra: Record<string, unknown>
}

export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly extra: Record<string, unknown>

  constructor(code: string, msg: string, extra: Record<string, unknown> = {}, status = 400) {
    super(msg)
    this.name = new.target.name || 'ApiError'
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

/** Whether the request was refused, so that nothing has changed. After any other failure (5xx: say, a lost answer) it is unknown. */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status < 500
}

/** Returns the base of a refusal that always says the same. */
function refusal(code: string, msg: string, status?: number) {
  return class extends ApiError {
    constructor() {
      super(code, msg, {}, status)
    }
  }
}

/** The general refusal: HTTP 400, code BAD_REQUEST. */
export class BadRequestError extends ApiError {
  constructor(msg: string) {
    super('BAD_REQUEST', msg)
  }
}

/** The refusal for a resource, addressed by its own id, that does not exist or is not the caller's: HTTP 404. */
export class NotFoundError extends ApiError {
  constructor(msg: string) {
    super('BAD_REQUEST', msg, {}, 404)
  }
}

/** HTTP 401. Clients treat every one of them as "log in again". */
export class UnauthorizedError extends ApiError {
  constructor(msg: string, code = 'UNAUTHORIZED') {
    super(code, msg, {}, 401)
  }
}

/** The refusal for an insufficient role: HTTP 400 by docs/decisions/interface.md#conventions. */
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
    const [msg, extra] =
      'id' in channel
        ? [`Channel with ID '${channel.id}' does not exist`, { stream_id: channel.id }]
        : [`Channel '${channel.name}' does not exist`, { stream: channel.name }]
    super('STREAM_DOES_NOT_EXIST', msg, extra)
  }
}

/** The refusal of a webhook request from another service that does not name its event. */
export class MissingEventHeaderError extends ApiError {
  readonly header: string

  constructor(header: string) {
    super('MISSING_HTTP_EVENT_HEADER', `Missing the HTTP event header '${header}'`, { header })
    this.header = header
  }
}

/** The answer to an event for which there is no message: HTTP 200, since services count anything else as a failure. */
export class UnsupportedEventError extends ApiError {
  readonly event: string

  constructor(name: string, event: string) {
    super(
      'UNSUPPORTED_WEBHOOK_EVENT_TYPE',
      `The '${event}' event isn't currently supported by the ${name} webhook; ignoring`,
      { webhook_name: name, event_type: event },
      200,
    )
    this.event = event
  }
}

/** The refusal of a webhook request when the bot's default channel was archived. */
export class ChannelIsArchivedError extends refusal(
  'CHANNEL_IS_ARCHIVED',
  'The default channel of this bot was archived',
) {}

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

export class StreamWildcardMentionNotAllowedError extends refusal(
  'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
  'You do not have permission to use channel wildcard mentions in this channel.',
) {}

export class TopicWildcardMentionNotAllowedError extends refusal(
  'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  'You do not have permission to use topic wildcard mentions in this topic.',
) {}

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

export class ReactionExistsError extends refusal('REACTION_ALREADY_EXISTS', 'Reaction already exists.') {}

export class ReactionDoesNotExistError extends refusal(
  'REACTION_DOES_NOT_EXIST',
  "Reaction doesn't exist.",
) {}

/** The refusal for one or several wrong parameters: `errors` says for each what is wrong. The first is the message. */
export class ValidationFailedError extends ApiError {
  constructor(errors: Readonly<Record<string, readonly string[]>>) {
    super('BAD_REQUEST', Object.values(errors)[0]?.[0] ?? '', { errors })
  }
}

export class UploadQuotaError extends refusal(
  'REALM_UPLOAD_QUOTA',
  "Upload would exceed your organization's upload quota.",
) {}

export class BadImageError extends ApiError {
  constructor(msg: string) {
    super('BAD_IMAGE', msg)
  }
}

export class PushServiceNotConfiguredError extends refusal(
  'PUSH_SERVICE_NOT_CONFIGURED',
  'Server is not configured to use push notification service.',
) {}

/** The refusal for a caller whose address Zoom does not know, or is not confirmed. */
export class UnknownZoomUserError extends refusal('UNKNOWN_ZOOM_USER', 'Unknown Zoom user email') {}

/** The refusal for a caller who has to log in at Zoom, or log in there again. */
export class InvalidZoomTokenError extends refusal('INVALID_ZOOM_TOKEN', 'Invalid Zoom access token') {}

/** The refusal for a device that is not one of the caller's. */
export class InvalidPushDeviceTokenError extends refusal(
  'INVALID_PUSH_DEVICE_TOKEN',
  'Device not recognized',
) {}

/** The refusal for a device of the caller that the push service does not know. */
export class InvalidRemotePushDeviceTokenError extends refusal(
  'INVALID_REMOTE_PUSH_DEVICE_TOKEN',
  'Device not recognized by the push bouncer',
) {}

/** The refusal when the named device, or every device of the caller, accepts no encrypted notifications. */
export class NoActivePushDeviceError extends refusal(
  'NO_ACTIVE_PUSH_DEVICE',
  'No active registered push device',
) {}

/** The refusal when the push service rejects this server or this organization: HTTP 403. */
export class AdminActionRequiredError extends refusal(
  'ADMIN_ACTION_REQUIRED',
  'Push notification configuration issue on server, contact the server administrator or retry later.',
  403,
) {}

/** The refusal when the push service cannot be reached: HTTP 502. */
export class FailedToConnectBouncerError extends refusal(
  'FAILED_TO_CONNECT_BOUNCER',
  'Network error while connecting to push notification service.',
  502,
) {}

/** The refusal when the push service has failed: HTTP 502. */
export class InternalBouncerServerError extends refusal(
  'INTERNAL_SERVER_ERROR_ON_BOUNCER',
  'Internal server error on push notification service, retry later.',
  502,
) {}

/** `retryAfter` in seconds, fractional. */
export class RateLimitHitError extends ApiError {
  constructor(retryAfter: number) {
    super('RATE_LIMIT_HIT', 'API usage exceeded rate limit', { 'retry-after': retryAfter }, 429)
  }
}

/** The refusal of an action that needs a recent proof of identity in this browser: HTTP 403. */
export class ReauthenticationRequiredError extends refusal(
  'REAUTHENTICATION_REQUIRED',
  'Confirm that it is you, or log in again, to do this.',
  403,
) {}

/** The refusal when a page of another site made a browser send its stored credentials: HTTP 403. */
export class CsrfError extends ApiError {
  constructor(reason = 'this request comes from a page of another site.') {
    super('CSRF_FAILED', `CSRF error: ${reason}`, { reason }, 403)
  }
}

/** The refusal when the `Idempotency-Key` was used for a different request within the last day: HTTP 422. */
export class IdempotencyKeyReusedError extends refusal(
  'IDEMPOTENCY_KEY_REUSED',
  'This Idempotency-Key was sent with another request',
  422,
) {}

/** The refusal of a body that is too large to hold in memory: HTTP 413. */
export class BodyTooLargeError extends ApiError {
  constructor(limitMib: number) {
    const limitKib = 1_024 * limitMib
    const msg =
      limitMib < 1
        ? `Request body is larger than the allowed limit of ${limitKib} KiB`
        : `Request body is larger than the allowed limit of ${limitMib} MiB`
    super('BAD_REQUEST', msg, {}, 413)
  }
}

/** The refusal of a request whose body has stalled for some seconds: HTTP 408. */
export class StalledBodyError extends refusal(
  'BAD_REQUEST',
  'The body of the request has stopped arriving',
  408,
) {}

/** The end of a request whose client disconnected. The status, which other servers log too, is only for the log. */
export class BrokenOffError extends refusal('BAD_REQUEST', 'The client has disconnected', 499) {}

/** The refusal of a request that would make a row larger than the platform stores. */
export class TooMuchAtOnceError extends refusal(
  'BAD_REQUEST',
  'That is more than can be stored at once',
  413,
) {}

/** The refusal of an answer that is larger than the platform can pass from the object to the Worker. */
export class TooLargeAnswerError extends refusal(
  'BAD_REQUEST',
  'That is more than one answer can hold: ask for fewer kinds of data',
  413,
) {}

/** Seconds after which to retry during a deploy, which reaches all objects within a minute. */
export const DEPLOY_RETRY_SECONDS = 5

/** Refuses (503) while something needed is unreachable or overloaded. The same request works after `retryAfter` seconds. */
export class ServiceUnavailableError extends ApiError {
  constructor(
    retryAfter = 1,
    msg = 'The server cannot answer just now. Please try again in a moment.',
    code = 'SERVICE_UNAVAILABLE',
  ) {
    super(code, msg, { 'retry-after': retryAfter }, 503)
  }
}

/** The refusal while a backup replaces the organization. */
export class BeingRestoredError extends ApiError {
  constructor(retryAfter = 30) {
    const msg = 'A backup of this organization is being restored. Please try again in some minutes.'
    super('SERVICE_UNAVAILABLE', msg, { 'retry-after': retryAfter }, 503)
  }
}

/** The refusal when neither a backup nor that of what was there can be filled in. */
export class NotRestoredError extends ApiError {
  constructor(retryAfter = 3_600) {
    const msg =
      'Parts of the backups of this organization are missing: whoever runs the server has to restore another one.'
    super('SERVICE_UNAVAILABLE', msg, { 'retry-after': retryAfter }, 503)
  }
}

/** The refusal when the organization's storage is full: HTTP 507. Reading and deleting still work. */
export class StorageFullError extends refusal(
  'STORAGE_FULL',
  'The storage of this organization is full. Only reading and deleting are possible.',
  507,
) {}

/** The refusal of what an organization goes without once its cost cap is used up (core/cost-cap.ts). */
export class CostCapError extends refusal(
  'COST_CAP_REACHED',
  'This organization has used up its cost cap. Files can be uploaded next month, or when the cap is raised.',
  402,
) {}

/** Whether the platform takes no more rows. */
export function isFull(error: unknown): boolean {
  return error instanceof Error && /SQLITE_FULL|database or disk is full/.test(error.message)
}

/** Whether there is no room for a change in the object, in its database, or in the tail of a database that is down. */
export function lacksRoom(error: unknown): boolean {
  return error instanceof StorageFullError || error instanceof ServiceUnavailableError || isFull(error)
}

/** Returns the refusal for too many callers of something expensive. Its random `retryAfter` keeps clients from all retrying at once. */
export function retryLater(): ServiceUnavailableError {
  return new ServiceUnavailableError(1 + Math.floor(Math.random() * 5))
}

/** The refusal at a host name without an organization. */
export class NonexistentSubdomainError extends refusal('NONEXISTENT_SUBDOMAIN', 'Invalid subdomain', 404) {}

/** Throws if an invariant is broken. That is a bug, not a refusal: it becomes a 500 without detail. */
export function assert(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`Invariant broken: ${what}`)
}
