import * as v from 'valibot'
import { integer } from '../../api/parameter-types.ts'
import { profileFieldSchema } from '../../events/custom-profile-fields.ts'
import { realmDomainSchema } from '../../events/realm-domains.ts'
import { customEmojiSchema } from '../../events/realm-emoji.ts'
import { linkifierSchema } from '../../events/realm-linkifiers.ts'
import { playgroundSchema } from '../../events/realm-playgrounds.ts'

const fieldType = v.object({ id: integer, name: v.string() })

/** Lists of things that this server does not have. */
const alwaysEmpty = v.pipe(v.array(v.never()), v.description('Always empty.'))

const option = { key: v.string(), label: v.string() }
const inputType = v.pipe(v.picklist(['text', 'boolean']), v.description('From level 485 on.'))
const validator = v.pipe(v.picklist(['check_string', 'check_bool']), v.description('Below level 485.'))

/** A service that can post here (docs/interface/webhooks.md#incoming-webhooks). */
const integration = v.object({
  name: v.string(),
  display_name: v.string(),
  all_event_types: v.nullable(v.array(v.string())),
  url_options: v.optional(
    v.pipe(
      v.array(v.object({ ...option, input_type: v.optional(inputType), validator: v.optional(validator) })),
      v.description('From level 403 on.'),
    ),
  ),
  config_options: v.optional(
    v.pipe(
      v.array(v.object({ ...option, validator })),
      v.description('Below level 403, in place of `url_options`.'),
    ),
  ),
})

const zoomToken = { has_zoom_token: v.boolean() }
const webexToken = { has_webex_token: v.boolean() }

/**
 * Keys about what an organization has set up, and could set up, by fetch type. Source:
 * docs/interface/register.md#what-the-snapshot-has.
 */
export const customizationKeys = {
  custom_profile_fields: {
    custom_profile_fields: v.array(profileFieldSchema),
    custom_profile_field_types: v.object({
      SHORT_TEXT: fieldType,
      LONG_TEXT: fieldType,
      SELECT: fieldType,
      DATE: fieldType,
      URL: fieldType,
      USER: fieldType,
      EXTERNAL_ACCOUNT: fieldType,
      PRONOUNS: fieldType,
    }),
  },
  giphy: { giphy_api_key: v.string() },
  tenor: { tenor_api_key: v.string() },
  has_zoom_token: zoomToken,
  has_webex_token: webexToken,
  realm_billing: { realm_billing: v.object({ has_pending_sponsorship_request: v.boolean() }) },
  realm_domains: { realm_domains: v.array(realmDomainSchema) },
  realm_embedded_bots: { realm_embedded_bots: alwaysEmpty },
  realm_emoji: { realm_emoji: customEmojiSchema },
  realm_filters: { realm_filters: alwaysEmpty },
  realm_incoming_webhook_bots: { realm_incoming_webhook_bots: v.array(integration) },
  realm_linkifiers: { realm_linkifiers: v.array(linkifierSchema) },
  realm_playgrounds: { realm_playgrounds: v.array(playgroundSchema) },
  stop_words: { stop_words: v.array(v.string()) },
  video_calls: { ...zoomToken, ...webexToken },
}
