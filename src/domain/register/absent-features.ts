import type { SharedSnapshot } from './snapshot.ts'

const keys =
  (values: object): SharedSnapshot =>
  () =>
    values

/**
 * Fetch types of features that this server does not have, with their empty values, since clients do not start
 * without the keys. A new feature moves its type to `initial-state.ts`. Source:
 * docs/interface/register.md#what-the-snapshot-has.
 */
export const ABSENT_FEATURES: Readonly<Record<string, SharedSnapshot>> = {
  giphy: keys({ giphy_api_key: '' }),
  tenor: keys({ tenor_api_key: '' }),
  has_zoom_token: keys({ has_zoom_token: false }),
  has_webex_token: keys({ has_webex_token: false }),
  video_calls: keys({ has_zoom_token: false, has_webex_token: false }),
  realm_billing: keys({ realm_billing: { has_pending_sponsorship_request: false } }),
  realm_embedded_bots: keys({ realm_embedded_bots: [] }),
  realm_filters: keys({ realm_filters: [] }),
  stop_words: keys({ stop_words: [] }),
}
