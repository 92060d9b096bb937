import * as v from 'valibot'
import { MAX_VALIDITY_MINUTES, PROSE_LENGTH } from '../../api/input-limits.ts'
import { integer, json, jsonBoolean, listUpTo, pathInteger, textUpTo } from '../../api/parameter-types.ts'
import { ROLE_VALUES } from '../../rules/roles.ts'

const minutes = json(v.nullable(v.pipe(integer, v.minValue(0), v.maxValue(MAX_VALIDITY_MINUTES))))
const role = v.optional(json(v.picklist(ROLE_VALUES)), '400')

/**
 * Channels, and groups, of an invitation: it is stored with all of them for each address, and whoever accepts it joins them in the commit that
 * makes the account.
 */
const MAX_OF_AN_INVITATION = 500

/** Parameters that invitations by mail and links share. */
export const expiry = { invite_expires_in_minutes: v.optional(minutes) }
export const inviteAs = { invite_as: role }
export const channelIds = json(listUpTo(MAX_OF_AN_INVITATION, integer))
export const groups = { group_ids: v.optional(json(listUpTo(MAX_OF_AN_INVITATION, integer))) }
export const defaults = { include_realm_default_subscriptions: v.optional(jsonBoolean, 'false') }

/**
 * A text, or null for the organization's own; the bare word `null` is null too
 * (docs/decisions/interface.md#conventions).
 */
export const welcomeText = {
  welcome_message_custom_text: v.optional(
    v.pipe(
      textUpTo(PROSE_LENGTH),
      v.transform((text): string | null => (text === 'null' ? null : text)),
    ),
  ),
}

export const invitationPath = { invite_id: pathInteger }
