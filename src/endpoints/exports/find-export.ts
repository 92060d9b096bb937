import { findExportArchive } from '../../domain/exports/find-export.ts'
import { defineStep } from '../define-endpoint.ts'
import { inAddress } from '../step-types.ts'

/** The step behind the address of an archive. */
export const findExportStep = defineStep({
  operation: 'find-export',
  access: 'anyone',
  params: { secret: inAddress },
  command: findExportArchive,
})
