import type { Endpoint } from '../define-endpoint.ts'
import { addReactionEndpoint } from './add-reaction.ts'
import { removeReactionEndpoint } from './remove-reaction.ts'

export const REACTION_ENDPOINTS: readonly Endpoint[] = [addReactionEndpoint, removeReactionEndpoint]
