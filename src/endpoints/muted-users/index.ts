import type { Endpoint, Operation } from '../define-endpoint.ts'
import { muteUserEndpoint, muteUserStep } from './mute-user.ts'
import { unmuteUserEndpoint } from './unmute-user.ts'

export const MUTED_USER_ENDPOINTS: readonly Endpoint[] = [muteUserEndpoint, unmuteUserEndpoint]

export const MUTED_USER_STEPS: readonly Operation[] = [muteUserStep]
