import type { Endpoint } from '../../api/define-endpoint.ts'
import { setEditTypingEndpoint } from './set-edit-typing.ts'
import { setTypingEndpoint } from './set-typing.ts'

export const TYPING_ENDPOINTS: readonly Endpoint[] = [setEditTypingEndpoint, setTypingEndpoint]
