import type { Endpoint } from '../../api/define-endpoint.ts'
import { addDefaultStreamEndpoint } from './add-default-stream.ts'
import { archiveStreamEndpoint } from './archive-stream.ts'
import { createChannelEndpoint } from './create-channel.ts'
import { deleteTopicEndpoint } from './delete-topic.ts'
import { getStreamByIdEndpoint } from './get-stream-by-id.ts'
import { getStreamEmailAddressEndpoint } from './get-stream-email-address.ts'
import { getStreamIdEndpoint } from './get-stream-id.ts'
import { getStreamTopicsEndpoint } from './get-stream-topics.ts'
import { getStreamsEndpoint } from './get-streams.ts'
import { getSubscribersEndpoint } from './get-subscribers.ts'
import { removeDefaultStreamEndpoint } from './remove-default-stream.ts'
import { updateStreamEndpoint } from './update-stream.ts'

export const CHANNEL_ENDPOINTS: readonly Endpoint[] = [
  addDefaultStreamEndpoint,
  archiveStreamEndpoint,
  createChannelEndpoint,
  deleteTopicEndpoint,
  getStreamByIdEndpoint,
  getStreamEmailAddressEndpoint,
  getStreamIdEndpoint,
  getStreamTopicsEndpoint,
  getStreamsEndpoint,
  getSubscribersEndpoint,
  removeDefaultStreamEndpoint,
  updateStreamEndpoint,
]
