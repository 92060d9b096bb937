import { computed } from '@preact/signals'
import { connection } from '../../actions/session.ts'

/** Whoever it is has to log in again; what they wrote is kept. */
export const sessionHasEnded = computed(() => connection.value.kind === 'session ended')
