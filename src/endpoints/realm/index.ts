import type { Endpoint } from '../define-endpoint.ts'
import { deactivateRealmEndpoint } from './deactivate-realm.ts'
import {
  addRealmDomainEndpoint,
  getRealmDomainsEndpoint,
  removeRealmDomainEndpoint,
  updateRealmDomainEndpoint,
} from './realm-domains.ts'
import { updateRealmEndpoint } from './update-realm.ts'
import { updateUserSettingsDefaultsEndpoint } from './update-user-settings-defaults.ts'

export const REALM_ENDPOINTS: readonly Endpoint[] = [
  addRealmDomainEndpoint,
  deactivateRealmEndpoint,
  getRealmDomainsEndpoint,
  removeRealmDomainEndpoint,
  updateRealmDomainEndpoint,
  updateRealmEndpoint,
  updateUserSettingsDefaultsEndpoint,
]
