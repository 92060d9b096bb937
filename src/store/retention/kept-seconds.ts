import { DAY } from '../../core/time.ts'

/** Seconds for which dead letters, archives of exports, and files that no message links to are kept. */
export const KEPT_SECONDS = 30 * DAY
