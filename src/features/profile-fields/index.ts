import type { Endpoint } from '../../api/define-endpoint.ts'
import { removeOwnProfileDataEndpoint, updateOwnProfileDataEndpoint } from './profile-data.ts'
import {
  createProfileFieldEndpoint,
  deleteProfileFieldEndpoint,
  getProfileFieldsEndpoint,
  reorderProfileFieldsEndpoint,
  updateProfileFieldEndpoint,
} from './profile-fields.ts'

export const PROFILE_FIELD_ENDPOINTS: readonly Endpoint[] = [
  createProfileFieldEndpoint,
  deleteProfileFieldEndpoint,
  getProfileFieldsEndpoint,
  removeOwnProfileDataEndpoint,
  reorderProfileFieldsEndpoint,
  updateOwnProfileDataEndpoint,
  updateProfileFieldEndpoint,
]
