import {
  goneKeys,
  isKeyKnown,
  knownPermissionSettings,
  type PermissionMaps,
} from '../../core/forms-by-level.ts'
import { parseJson } from '../../core/json.ts'
import type { PageFacts } from '../../features/browser-sessions/browser-sessions.ts'
import type { Environment } from '../environment.ts'
import { FieldsOfJson } from './fields-of-json.ts'
import type { WebClient } from './web-client.ts'

/**
 * The parameters of the snapshot in a page, by those of POST /register. Source:
 * docs/interface/browsers.md#page-parameters.
 */
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

/** Fields of the answer that are no state. */
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

/**
 * Returns the parameters of a page for a reader without an account: the client registers by itself, and there
 * are no events.
 */
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

/**
 * Returns the filter that makes `state_data` from the answer of POST /register, as a client of this level
 * knows it.
 */
export function stateFor(level: number): FieldsOfJson {
  return new FieldsOfJson((name) => {
    if (NO_STATE.has(name) || !isKeyKnown(name, level)) return 'drop'
    if (name !== 'server_supported_permission_settings') return 'keep'
    return (json) => JSON.stringify(knownPermissionSettings(parseJson(json) as PermissionMaps, level))
  }, goneKeys(level))
}
