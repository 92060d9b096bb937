import { fromJson } from '../../api/json.ts'
import { state } from '../../chat.ts'
import { type AccountData, type AccountSite, FIELD, OWN_SITE } from '../../state/profile-choices.ts'
import type { ProfileField } from '../../state/wire.ts'

/** Returns the sites with accounts that the server knows, by their names in the API. */
export function accountSites(): Readonly<Record<string, AccountSite>> {
  return (state.organization.default_external_accounts ?? {}) as Readonly<Record<string, AccountSite>>
}

/** Whether a profile field is for accounts at a site that the server knows, whose name and hint are fixed. */
export function isOfKnownSite({ type, field_data }: ProfileField): boolean {
  return type === FIELD.account && fromJson<AccountData>(field_data).subtype !== OWN_SITE
}
