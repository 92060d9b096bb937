import type { Endpoint, Operation } from '../define-endpoint.ts'
import { removeOwnProfileDataEndpoint, updateOwnProfileDataEndpoint } from './profile-data.ts'
import {
  continueProfileFieldStep,
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

export const PROFILE_FIELD_STEPS: readonly Operation[] = [continueProfileFieldStep]
