import { findExportAt } from '../../domain/exports/export-addresses.ts'
import { findExportArchive } from '../../domain/exports/find-export.ts'
import { defineStep } from '../define-endpoint.ts'
import { inAddress } from '../step-types.ts'

/** The step behind the address of an archive. */
export const findExportStep = defineStep({
  operation: 'find-export',
  access: 'anyone',
  params: { secret: inAddress },
  command: findExportArchive,
  audit: ({ view, params }) => ({
    action: 'export_downloaded',
    details: { export_id: findExportAt(view, params.secret)!.id },
  }),
})
