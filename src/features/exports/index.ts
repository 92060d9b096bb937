import type { Endpoint, Operation } from '../../api/define-endpoint.ts'
import { deleteRealmExportEndpoint } from './delete-realm-export.ts'
import { exportRealmEndpoint } from './export-realm.ts'
import { findExportStep } from './find-export.ts'
import { getRealmExportConsentsEndpoint } from './get-realm-export-consents.ts'
import { getRealmExportsEndpoint } from './get-realm-exports.ts'

export const EXPORT_ENDPOINTS: readonly Endpoint[] = [
  deleteRealmExportEndpoint,
  exportRealmEndpoint,
  getRealmExportConsentsEndpoint,
  getRealmExportsEndpoint,
]

export const EXPORT_STEPS: readonly Operation[] = [findExportStep]
