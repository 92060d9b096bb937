import type { Endpoint } from '../define-endpoint.ts'
import { beginImportEndpoint } from './begin-import.ts'
import { getImportProblemsEndpoint, getImportsEndpoint } from './get-imports.ts'
import { updateImportEndpoint } from './update-import.ts'

export const IMPORT_ENDPOINTS: readonly Endpoint[] = [
  beginImportEndpoint,
  getImportProblemsEndpoint,
  getImportsEndpoint,
  updateImportEndpoint,
]
