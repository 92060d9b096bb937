/** The person whom a provider has recognized, within the limits of everything that the organization takes. */
export interface ProvenPerson {
  /** The provider's own id of the account, which it gives to nobody else. */
  readonly subject: string
  readonly email: string | null
  /** Whether the provider says that the person receives mail there. */
  readonly isEmailVerified: boolean
  readonly fullName: string | null
  /** Groups and roles are null where the provider does not say them, as Entra does for people with very many groups. */
  readonly groups: readonly string[] | null
  readonly roles: readonly string[] | null
  /** The provider's session, for its log-out. */
  readonly sid: string | null
  /** UNIX seconds: when the person has logged in at the provider; null where it does not say. */
  readonly loggedInAt: number | null
}

/**
 * Why the organization does not let a person in whom the provider has recognized. The page has a sentence for each, the audit log the word.
 */
export type ProviderRefusal =
  /** The provider gives no address, or has not verified it. */
  | 'no_address'
  | 'unverified_address'
  /**
   * No account has this address, and the user may not join: there is no invitation, or the rules for addresses forbid
   * it.
   */
  | 'no_account'
  | 'address_not_allowed'
  /**
   * An account has this address, but is connected with another user at the provider, or has not confirmed the address.
   */
  | 'other_identity'
  | 'unconfirmed_account'
  /** No name of this person can be one here. */
  | 'no_name'
  | 'account_deactivated'
  | 'organization_deactivated'
  /** The person is not the one who is logged in. */
  | 'other_person'
