import type { Endpoint } from '../../api/define-endpoint.ts'
import { addReactionEndpoint } from './add-reaction.ts'
import { removeReactionEndpoint } from './remove-reaction.ts'

export const REACTION_ENDPOINTS: readonly Endpoint[] = [addReactionEndpoint, removeReactionEndpoint]
