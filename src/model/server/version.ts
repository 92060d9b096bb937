import { ANNOUNCED_LEVEL } from '../../core/representations-by-level.ts'

/**
 * Versions that the server reports. The feature level is the public API's
 * (docs/interface/conventions.md#feature-level), and the version begins with the public release that has it.
 */
export const FEATURE_LEVEL = ANNOUNCED_LEVEL
export const VERSION = '12.2-parley-0.1.0'

/** Path at which everybody, logged in or not, gets the names of Unicode emoji (`server_emoji_data_url`). */
export const EMOJI_DATA_PATH = '/emoji-data.json'

/** Path of the picture of the only emoji that is neither Unicode nor uploaded. Existing clients know this address. */
export const EXTRA_EMOJI_PATH = '/static/generated/emoji/images/emoji/unicode/zulip.png'

/** Returns every version under two names: Parley's own, and the one that existing clients read. */
export function versionKeys() {
  return {
    zulip_version: VERSION,
    zulip_merge_base: VERSION,
    zulip_feature_level: FEATURE_LEVEL,
    svc_version: VERSION,
    svc_merge_base: VERSION,
    svc_feature_level: FEATURE_LEVEL,
  }
}
