import { findExportArchive } from '../../domain/exports/find-export.ts'
import { defineStep } from '../define-endpoint.ts'
import { inAddress } from '../step-types.ts'

/** What the address of an archive asks for. */
export const findExportStep = defineStep({
  operation: 'find-export',
  access: 'anyone',
  params: { secret: inAddress },
  command: findExportArchive,
})
