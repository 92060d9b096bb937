import type { Endpoint } from '../define-endpoint.ts'
import { setEditTypingEndpoint } from './set-edit-typing.ts'
import { setTypingEndpoint } from './set-typing.ts'

export const TYPING_ENDPOINTS: readonly Endpoint[] = [setEditTypingEndpoint, setTypingEndpoint]
