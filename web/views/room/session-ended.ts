import { computed } from '@preact/signals'
import { connection } from '../../actions/session.ts'

/** Whether the session has ended: the person has to log in again, and what they wrote is kept. */
export const sessionHasEnded = computed(() => connection.value.kind === 'session ended')
