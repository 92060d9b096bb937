import type { Endpoint } from '../define-endpoint.ts'
import {
  createScimTokenEndpoint,
  deleteScimTokenEndpoint,
  getScimTokenEndpoint,
  updateScimTokenEndpoint,
} from './scim-token.ts'

export const SCIM_ENDPOINTS: readonly Endpoint[] = [
  createScimTokenEndpoint,
  deleteScimTokenEndpoint,
  getScimTokenEndpoint,
  updateScimTokenEndpoint,
]
