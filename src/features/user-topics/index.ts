import type { Endpoint } from '../../api/define-endpoint.ts'
import { muteTopicEndpoint } from './mute-topic.ts'
import { setTopicPolicyEndpoint } from './set-topic-policy.ts'

export const USER_TOPIC_ENDPOINTS: readonly Endpoint[] = [muteTopicEndpoint, setTopicPolicyEndpoint]
