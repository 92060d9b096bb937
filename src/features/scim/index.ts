import type { Endpoint, Operation } from '../../api/define-endpoint.ts'
import {
  changeScimGroupStep,
  createScimGroupStep,
  deleteScimGroupStep,
  getScimGroupStep,
  listScimGroupsStep,
} from './scim-groups.ts'
import {
  createScimTokenEndpoint,
  deleteScimTokenEndpoint,
  getScimTokenEndpoint,
  updateScimTokenEndpoint,
} from './scim-token.ts'
import {
  admitProviderStep,
  changeScimUserStep,
  createScimUserStep,
  deleteScimUserStep,
  getScimUserStep,
  listScimUsersStep,
} from './scim-users.ts'

export const SCIM_ENDPOINTS: readonly Endpoint[] = [
  createScimTokenEndpoint,
  deleteScimTokenEndpoint,
  getScimTokenEndpoint,
  updateScimTokenEndpoint,
]

export const SCIM_STEPS: readonly Operation[] = [
  admitProviderStep,
  changeScimGroupStep,
  changeScimUserStep,
  createScimGroupStep,
  createScimUserStep,
  deleteScimGroupStep,
  deleteScimUserStep,
  getScimGroupStep,
  getScimUserStep,
  listScimGroupsStep,
  listScimUsersStep,
]
