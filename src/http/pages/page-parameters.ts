import { membersText, parseJson } from '../../core/json.ts'
import {
  goneKeys,
  isKeyKnown,
  knownPermissionSettings,
  type PermissionMaps,
} from '../../core/representations-by-level.ts'
import type { PageFacts } from '../../features/browser-sessions/browser-sessions.ts'
import type { WebClient } from '../html/web-client.ts'
import type { Environment } from '../request/environment.ts'

/** The page's snapshot parameters, by those of POST /register. Source: docs/interface/browsers.md#page-parameters. */
export const REGISTRATION: ReadonlyMap<string, string> = new Map(
  Object.entries({
    apply_markdown: true,
    client_gravatar: true,
    slim_presence: true,
    include_subscribers: true,
    presence_history_limit_days: 365,
    client_capabilities: {
      notification_settings_null: true,
      bulk_message_deletion: true,
      user_avatar_url_field_optional: true,
      stream_typing_notifications: true,
      user_settings_object: true,
      linkifier_url_template: true,
      user_list_incomplete: true,
      include_deactivated_groups: true,
      archived_channels: true,
      empty_topic_name: true,
    },
  }).map(([name, value]) => [name, JSON.stringify(value)]),
)

/** Fields of the answer that are not state. */
const NO_STATE = new Set(['result', 'msg', 'streams', 'ignored_parameters_unsupported'])

/** Returns the page parameters before `state_data`, which comes last. */
export function pageParameters(
  { languages }: WebClient,
  { furthest_read_time }: Pick<PageFacts, 'furthest_read_time'>,
  language: string,
  { DEVELOPMENT }: Environment,
) {
  return {
    page_type: 'home',
    development_environment: DEVELOPMENT === true,
    request_language: language,
    language_list: languages,
    translation_data: {},
    apps_page_url: 'https://zulip.com/apps/',
    corporate_enabled: false,
    embedded_bots_enabled: false,
    furthest_read_time,
    insecure_desktop_app: false,
    is_spectator: false,
    login_page: '/login/',
    no_event_queue: false,
    presence_history_limit_days_for_web_app: 365,
    promote_sponsoring_zulip: false,
    show_webathena: false,
    test_suite: false,
    two_fa_enabled: false,
    two_fa_enabled_user: false,
    warn_no_email: false,
  }
}

/** Returns the page parameters for a reader without an account: the client itself registers, and there are no events. */
export function spectatorParameters(
  client: WebClient,
  language: string,
  env: Environment,
  { realm_description }: { readonly realm_description: string },
) {
  return {
    ...pageParameters(client, { furthest_read_time: null }, language, env),
    is_spectator: true,
    no_event_queue: true,
    realm_rendered_description: realm_description,
    language_cookie_name: 'django_language',
    state_data: null,
  }
}

/** Returns the filter that makes `state_data` from the answer of POST /register, in the form that a client of this feature level knows. */
export function stateFor(level: number): FieldsOfJson {
  return new FieldsOfJson((name) => {
    if (NO_STATE.has(name) || !isKeyKnown(name, level)) return 'drop'
    if (name !== 'server_supported_permission_settings') return 'keep'
    return (json) => JSON.stringify(knownPermissionSettings(parseJson(json) as PermissionMaps, level))
  }, goneKeys(level))
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const [BRACE, BRACKET] = [0x7b, 0x5b]
const [BRACE_END, BRACKET_END] = [0x7d, 0x5d]

export type FieldRule = 'drop' | 'keep' | ((json: string) => string)

/**
 * Filters the fields of a JSON object while its bytes arrive, in chunks of any length. Only the name of the current field is held, and a
 * value to be replaced, so a snapshot of megabytes is never in memory whole. The bytes are valid JSON in UTF-8, without whitespace
 * between tokens, as this server writes it.
 */
export class FieldsOfJson {
  readonly #ruleOf: (name: string) => FieldRule
  readonly #added: string
  readonly #encoder = new TextEncoder()
  #depth = 0
  #isInString = false
  #isEscaped = false
  /** Bytes of a partially received name; undefined within a value. */
  #name: number[] | undefined
  #rule: FieldRule = 'drop'
  #held: Uint8Array[] = []
  #isFirst = true

  /** @param added fields that come last. */
  constructor(ruleOf: (name: string) => FieldRule, added: Readonly<Record<string, unknown>> = {}) {
    this.#ruleOf = ruleOf
    this.#added = membersText(added)
  }

  /** Yields the bytes of the picked fields of this chunk; kept ones are not copied. */
  *push(chunk: Uint8Array): Generator<Uint8Array, void> {
    /** Start of the value being kept or held; -1 outside. */
    let from = this.#name === undefined && this.#rule !== 'drop' ? 0 : -1
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at]!
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (byte === BACKSLASH) this.#isEscaped = true
        else if (byte === QUOTE) this.#isInString = false
        if (this.#isInString) this.#name?.push(byte)
        continue
      }
      if (byte === QUOTE) this.#isInString = true
      else if (byte === BRACE || byte === BRACKET) {
        this.#depth += 1
        if (this.#depth > 1) continue
        this.#name = []
        yield this.#encoder.encode('{')
      } else if (byte === COLON && this.#name !== undefined) {
        yield* this.#beginValue()
        from = this.#rule === 'drop' ? -1 : at + 1
      } else if (byte === COMMA && this.#depth === 1) {
        yield* this.#endValue(from < 0 ? undefined : chunk.subarray(from, at))
        from = -1
        this.#name = []
      } else if (byte === BRACE_END || byte === BRACKET_END) {
        this.#depth -= 1
        if (this.#depth > 0) continue
        yield* this.#endValue(from < 0 ? undefined : chunk.subarray(from, at))
        from = -1
        this.#rule = 'drop'
        const separator = this.#isFirst || this.#added === '' ? '' : ','
        yield this.#encoder.encode(`${separator}${this.#added}}`)
      }
    }
    if (from < 0 || from === chunk.length) return
    const bytes = chunk.subarray(from)
    if (this.#rule === 'keep') yield bytes
    // The chunk may be overwritten by the next read.
    else this.#held.push(bytes.slice())
  }

  *#beginValue(): Generator<Uint8Array, void> {
    const name = new TextDecoder().decode(Uint8Array.from(this.#name!))
    this.#name = undefined
    this.#rule = this.#ruleOf(parseJson(`"${name}"`) as string)
    if (this.#rule === 'drop') return
    yield this.#encoder.encode(`${this.#isFirst ? '' : ','}"${name}":`)
    this.#isFirst = false
  }

  *#endValue(bytes: Uint8Array | undefined): Generator<Uint8Array, void> {
    if (bytes === undefined) return
    if (typeof this.#rule !== 'function') {
      yield bytes
      return
    }
    const json = Buffer.concat([...this.#held, bytes]).toString('utf8')
    this.#held = []
    yield this.#encoder.encode(this.#rule(json))
  }
}
