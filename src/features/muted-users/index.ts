import type { Endpoint } from '../../api/define-endpoint.ts'
import { muteUserEndpoint } from './mute-user.ts'
import { unmuteUserEndpoint } from './unmute-user.ts'

export const MUTED_USER_ENDPOINTS: readonly Endpoint[] = [muteUserEndpoint, unmuteUserEndpoint]
