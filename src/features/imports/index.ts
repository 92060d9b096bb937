import type { Endpoint, Operation } from '../../api/define-endpoint.ts'
import { appendToImportUploadEndpoint, keepImportPartStep } from './append-to-import-upload.ts'
import { beginImportEndpoint } from './begin-import.ts'
import { createImportUploadEndpoint } from './create-import-upload.ts'
import { getImportChoicesEndpoint } from './get-import-choices.ts'
import { getImportUploadEndpoint } from './get-import-upload.ts'
import { getImportProblemsEndpoint, getImportsEndpoint } from './get-imports.ts'
import { inviteImportedUsersEndpoint } from './invite-imported-users.ts'
import { removeImportUploadEndpoint } from './remove-import-upload.ts'
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
