import { computed } from '@preact/signals'
import { connection } from '../../actions/session.ts'

/** Whether the session has ended: the user has to log in again, and keeps what they wrote. */
export const sessionHasEnded = computed(() => connection.value.kind === 'session ended')
