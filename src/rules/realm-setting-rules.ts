import { type HasRole, isAdministrator, isOwner, requireAdministrator, requireOwner } from './roles.ts'

/** What only owners may change of an organization: properties, permissions, and its short name. Source: docs/interface/organization.md#change-settings. */
export const CHANGED_BY_OWNERS: ReadonlySet<string> = new Set([
  'string_id',
  'create_multiuse_invite_group',
  'can_create_groups',
  'can_invite_users_group',
  'can_manage_all_groups',
  'can_manage_billing_group',
  'workplace_users_group',
  'invite_required',
  'emails_restricted_to_domains',
  'disallow_disposable_email_addresses',
  'waiting_period_threshold',
  'second_factor_required_for',
  'message_retention_days',
  'org_type',
  'authentication_methods',
])

/** Whether the actor may change one of an organization's settings, by its API name without `realm_`. */
export function mayChangeRealmSetting(actor: HasRole, name: string): boolean {
  return CHANGED_BY_OWNERS.has(name) ? isOwner(actor) : isAdministrator(actor)
}

/** Throws UNAUTHORIZED_PRINCIPAL: administrators for all, owners for some. */
export function requireMayChangeRealm(actor: HasRole, names: readonly string[]): void {
  requireAdministrator(actor)
  if (!names.every((name) => mayChangeRealmSetting(actor, name))) requireOwner(actor)
}
