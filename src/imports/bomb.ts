import { ImportRefusedError } from './import-reader.ts'

/** What unpacks to more than this, and to more than so many times its size, is no archive of what people have written. */
const [SUSPICIOUS_TOTAL, SUSPICIOUS_RATIO] = [1024 * 1024 * 1024, 100] as const

/**
 * @throws ImportRefusedError when an archive unpacks to far more than it has.
 */
export function refuseBomb(unpacked: number, packed: number): void {
  if (unpacked <= SUSPICIOUS_TOTAL || unpacked <= packed * SUSPICIOUS_RATIO) return
  throw new ImportRefusedError(
    `This archive unpacks to more than ${SUSPICIOUS_RATIO} times its size, as no export does. Load the export again.`,
  )
}
