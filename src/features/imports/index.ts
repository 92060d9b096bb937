import type { Endpoint, Operation } from '../../api/define-endpoint.ts'
import { beginImportEndpoint } from './begin-import.ts'
import { getImportChoicesEndpoint } from './get-import-choices.ts'
import { getImportProblemsEndpoint, getImportsEndpoint } from './get-imports.ts'
import {
  appendToImportUploadEndpoint,
  createImportUploadEndpoint,
  getImportUploadEndpoint,
  keepImportPartStep,
  removeImportUploadEndpoint,
} from './import-uploads.ts'
import { inviteImportedUsersEndpoint } from './invite-imported-users.ts'
import { updateImportEndpoint } from './update-import.ts'

export const IMPORT_ENDPOINTS: readonly Endpoint[] = [
  appendToImportUploadEndpoint,
  beginImportEndpoint,
  createImportUploadEndpoint,
  getImportChoicesEndpoint,
  getImportProblemsEndpoint,
  getImportUploadEndpoint,
  getImportsEndpoint,
  removeImportUploadEndpoint,
  inviteImportedUsersEndpoint,
  updateImportEndpoint,
]

export const IMPORT_STEPS: readonly Operation[] = [keepImportPartStep]
