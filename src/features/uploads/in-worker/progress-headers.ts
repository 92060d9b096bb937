import type { Progress } from './take-in-chunk.ts'

/** Returns the progress of an upload, in the headers of the tus protocol. */
export function progressHeaders({ received, expiresAt }: Progress) {
  return {
    'Upload-Offset': received,
    'Upload-Expires': expiresAt === null ? null : new Date(expiresAt * 1_000).toUTCString(),
  }
}
