import type { Endpoint } from '../define-endpoint.ts'
import { updateRealmEndpoint } from './update-realm.ts'
import { updateUserSettingsDefaultsEndpoint } from './update-user-settings-defaults.ts'

export const REALM_ENDPOINTS: readonly Endpoint[] = [updateRealmEndpoint, updateUserSettingsDefaultsEndpoint]
